//! Tasks: work that continues after the response, as values and as stored text.

use std::{fmt, str::FromStr};

use super::{Audience, FoldedTag, ListId, Login, Reach, StatusId, Timeline, UserId};

/// The subject of an outbox entry. It names no content; the worker reads the source of truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Thing {
    Status(StatusId),
    /// From follower to followed.
    Edge(UserId, UserId),
    Account(UserId, Login),
    /// A person's membership in a list.
    ListMembership(ListId, UserId),
    /// A deleted list.
    List(ListId),
    /// A person's favourite of a status, set or removed.
    Favourite(UserId, StatusId),
    /// A person's repost without a comment.
    Repost(UserId, StatusId),
    /// A person's follow of a tag, set or removed.
    TagFollow(UserId, FoldedTag),
    /// The names that a person is found by.
    Names(UserId),
}

/// Work that continues after the response or after a crash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Task {
    /// One pass of a fan-out, from this position.
    Deliver { status: StatusId, from: Reach },
    /// One pass that removes a dead status from timelines, from this position.
    Withdraw { status: StatusId, from: Reach },
    /// One pass that deletes the reposts of a dead status: those older than an id, or the newest.
    TakeAlong {
        original: StatusId,
        before: Option<StatusId>,
    },
    /// Rebuild a timeline that became too short.
    Rebuild(Timeline),
    /// Index the current text of a status.
    Index(StatusId),
    /// Bring every derived copy in line with the source of truth.
    Reconcile(Thing),
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deliver { status, from } => write!(f, "deliver {status} {from}"),
            Self::Withdraw { status, from } => write!(f, "withdraw {status} {from}"),
            Self::TakeAlong { original, before } => {
                write!(f, "take-along {original}")?;
                before.map_or(Ok(()), |before| write!(f, " {before}"))
            }
            Self::Rebuild(timeline) => write!(f, "rebuild {timeline}"),
            Self::Index(id) => write!(f, "index {id}"),
            Self::Reconcile(Thing::Status(id)) => write!(f, "reconcile-status {id}"),
            Self::Reconcile(Thing::Edge(from, to)) => write!(f, "reconcile-edge {from} {to}"),
            Self::Reconcile(Thing::Account(id, login)) => {
                write!(f, "reconcile-account {id} {login}")
            }
            Self::Reconcile(Thing::ListMembership(list, member)) => {
                write!(f, "reconcile-listing {list} {member}")
            }
            Self::Reconcile(Thing::List(list)) => write!(f, "reconcile-list {list}"),
            Self::Reconcile(Thing::Favourite(by, status)) => {
                write!(f, "reconcile-favourite {by} {status}")
            }
            Self::Reconcile(Thing::Repost(by, original)) => {
                write!(f, "reconcile-repost {by} {original}")
            }
            Self::Reconcile(Thing::TagFollow(of, tag)) => {
                write!(f, "reconcile-interest {of} {tag}")
            }
            Self::Reconcile(Thing::Names(who)) => write!(f, "reconcile-names {who}"),
        }
    }
}

/// The text is not a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a task")]
pub struct ParseTaskError;

impl FromStr for Task {
    type Err = ParseTaskError;

    fn from_str(text: &str) -> Result<Self, ParseTaskError> {
        match text.split(' ').collect::<Vec<_>>()[..] {
            ["deliver", status, ref from @ ..] => Ok(Self::Deliver {
                status: part(status)?,
                from: reach(from)?,
            }),
            ["withdraw", status, ref from @ ..] => Ok(Self::Withdraw {
                status: part(status)?,
                from: reach(from)?,
            }),
            ["take-along", original, ref before @ ..] => Ok(Self::TakeAlong {
                original: part(original)?,
                before: match before {
                    [] => None,
                    [before] => Some(part(before)?),
                    _ => return Err(ParseTaskError),
                },
            }),
            ["rebuild", timeline] => Ok(Self::Rebuild(part(timeline)?)),
            ["index", id] => Ok(Self::Index(part(id)?)),
            ["reconcile-status", id] => Ok(Self::Reconcile(Thing::Status(part(id)?))),
            ["reconcile-edge", from, to] => {
                Ok(Self::Reconcile(Thing::Edge(part(from)?, part(to)?)))
            }
            ["reconcile-account", id, login] => {
                let login = Login::stored(login).ok_or(ParseTaskError)?;
                Ok(Self::Reconcile(Thing::Account(part(id)?, login)))
            }
            ["reconcile-listing", list, member] => Ok(Self::Reconcile(Thing::ListMembership(
                part(list)?,
                part(member)?,
            ))),
            ["reconcile-list", list] => Ok(Self::Reconcile(Thing::List(part(list)?))),
            ["reconcile-repost", by, original] => {
                Ok(Self::Reconcile(Thing::Repost(part(by)?, part(original)?)))
            }
            ["reconcile-favourite", by, status] => {
                Ok(Self::Reconcile(Thing::Favourite(part(by)?, part(status)?)))
            }
            ["reconcile-interest", of, tag] => {
                let tag = FoldedTag::stored(tag).ok_or(ParseTaskError)?;
                Ok(Self::Reconcile(Thing::TagFollow(part(of)?, tag)))
            }
            ["reconcile-names", who] => Ok(Self::Reconcile(Thing::Names(part(who)?))),
            _ => Err(ParseTaskError),
        }
    }
}

fn part<T: FromStr>(text: &str) -> Result<T, ParseTaskError> {
    text.parse().map_err(|_| ParseTaskError)
}

fn reach(words: &[&str]) -> Result<Reach, ParseTaskError> {
    let (audience, after) = match words {
        [after] => (Audience::Followers, after),
        ["listed", after] => (Audience::Listed, after),
        [tag, after] => {
            let tag = tag.strip_prefix("tag:").ok_or(ParseTaskError)?;
            (Audience::Tag(part(tag)?), after)
        }
        _ => return Err(ParseTaskError),
    };
    Ok(Reach {
        audience,
        after: part(after)?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::task::*;

    #[test]
    fn a_task_round_trips_through_text() {
        for text in [
            "deliver 4096 0",
            "withdraw 4096 1767225600000000",
            "deliver 4096 listed 5",
            "withdraw 4096 listed 0",
            "deliver 4096 tag:0 5",
            "rebuild 7",
            "rebuild 7:3",
            "reconcile-listing 7:3 8",
            "reconcile-list 7:3",
            "reconcile-status 4096",
            "reconcile-edge 7 8",
            "reconcile-account 7 Robin_7",
            "reconcile-favourite 7 4096",
            "reconcile-repost 7 4096",
            "take-along 4096",
            "take-along 4096 8192",
            "reconcile-interest 7 日本",
            "reconcile-names 7",
            "index 4096",
        ] {
            let task: Result<Task, _> = text.parse();
            assert_eq!(task.map(|task| task.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn a_malformed_task_is_refused() {
        for text in [
            "",
            "deliver",
            "deliver 1",
            "deliver x 0",
            "deliver 1 unlisted 0",
            "deliver 1 listed",
            "deliver 1 tag 0",
            "deliver 1 tag:x 0",
            "reconcile-interest 7 #birds",
            "reconcile-interest 7 Birds",
            "reconcile-list 7",
            "rebuild 0",
            "rebuild 7 8",
            "reconcile-edge 7",
            "reconcile-favourite 7",
            "take-along",
            "take-along 1 2 3",
            "reconcile-names x",
            "index",
        ] {
            assert_eq!(text.parse::<Task>(), Err(ParseTaskError), "{text:?}");
        }
    }
}
