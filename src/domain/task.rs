//! Work that goes on after the answer, as values and as the text that a queue keeps.

use std::{fmt, str::FromStr};

use super::{Login, StatusId, UserId};

/// What a reminder is about. Never content: whoever follows it reads the truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Thing {
    Status(StatusId),
    /// From follower to followed.
    Edge(UserId, UserId),
    Account(UserId, Login),
}

/// Work that goes on after the answer, or after a crash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Task {
    /// One pass of a fan-out: the followers after this score (µs).
    Deliver { status: StatusId, after: u64 },
    /// One pass of taking a dead status out of homes.
    Withdraw { status: StatusId, after: u64 },
    /// Build a home anew that became too short.
    Rebuild(UserId),
    /// Bring every copy of a thing to what its truth says.
    Reconcile(Thing),
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deliver { status, after } => write!(f, "deliver {status} {after}"),
            Self::Withdraw { status, after } => write!(f, "withdraw {status} {after}"),
            Self::Rebuild(user) => write!(f, "rebuild {user}"),
            Self::Reconcile(Thing::Status(id)) => write!(f, "reconcile-status {id}"),
            Self::Reconcile(Thing::Edge(from, to)) => write!(f, "reconcile-edge {from} {to}"),
            Self::Reconcile(Thing::Account(id, login)) => {
                write!(f, "reconcile-account {id} {login}")
            }
        }
    }
}

/// The text is not a task's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a task")]
pub struct ParseTaskError;

impl FromStr for Task {
    type Err = ParseTaskError;

    fn from_str(text: &str) -> Result<Self, ParseTaskError> {
        fn part<T: FromStr>(text: &str) -> Result<T, ParseTaskError> {
            text.parse().map_err(|_| ParseTaskError)
        }
        match text.split(' ').collect::<Vec<_>>()[..] {
            ["deliver", status, after] => Ok(Self::Deliver {
                status: part(status)?,
                after: part(after)?,
            }),
            ["withdraw", status, after] => Ok(Self::Withdraw {
                status: part(status)?,
                after: part(after)?,
            }),
            ["rebuild", user] => Ok(Self::Rebuild(part(user)?)),
            ["reconcile-status", id] => Ok(Self::Reconcile(Thing::Status(part(id)?))),
            ["reconcile-edge", from, to] => {
                Ok(Self::Reconcile(Thing::Edge(part(from)?, part(to)?)))
            }
            ["reconcile-account", id, login] => {
                let login = Login::stored(login).ok_or(ParseTaskError)?;
                Ok(Self::Reconcile(Thing::Account(part(id)?, login)))
            }
            _ => Err(ParseTaskError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_read_as_it_was_written() {
        for text in [
            "deliver 4096 0",
            "withdraw 4096 1767225600000000",
            "rebuild 7",
            "reconcile-status 4096",
            "reconcile-edge 7 8",
            "reconcile-account 7 Robin_7",
        ] {
            let task: Result<Task, _> = text.parse();
            assert_eq!(task.map(|task| task.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn what_is_not_a_task_is_refused() {
        for text in [
            "",
            "deliver",
            "deliver 1",
            "deliver x 0",
            "rebuild 0",
            "rebuild 7 8",
            "reconcile-edge 7",
        ] {
            assert_eq!(text.parse::<Task>(), Err(ParseTaskError), "{text:?}");
        }
    }
}
