//! Tasks: work that continues after the response, as values and as stored JSON.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{FoldedTag, ListId, Login, Reach, StatusId, Timeline, UserId};

/// The subject of an outbox entry. It names no content; the worker reads the source of truth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    #[serde(untagged)]
    Reconcile(Thing),
}

/// Formats as stored. The text has no line break and begins with a brace.
impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let json = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        f.write_str(&json)
    }
}

/// The text is not a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a task")]
pub struct ParseTaskError;

impl FromStr for Task {
    type Err = ParseTaskError;

    fn from_str(text: &str) -> Result<Self, ParseTaskError> {
        serde_json::from_str(text).map_err(|_| ParseTaskError)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Audience, task::*};

    /// Every task, with its stored text.
    fn stored() -> Vec<(&'static str, Task)> {
        let status = StatusId::new(4096).unwrap();
        let (user, other) = (UserId::new(7).unwrap(), UserId::new(8).unwrap());
        let list: ListId = "7:3".parse().unwrap();
        let tag = FoldedTag::stored("日本").unwrap();
        let login = Login::stored("Robin_7").unwrap();
        let before = StatusId::new(8192).unwrap();
        let from = |audience, after| Reach { audience, after };
        let deliver = |from| Task::Deliver { status, from };
        let take_along = |before| {
            let original = status;
            Task::TakeAlong { original, before }
        };
        vec![
            (
                r#"{"deliver":{"status":"4096","from":{"audience":"followers","after":0}}}"#,
                deliver(Reach::START),
            ),
            (
                r#"{"deliver":{"status":"4096","from":{"audience":"listed","after":5}}}"#,
                deliver(from(Audience::Listed, 5)),
            ),
            (
                r#"{"deliver":{"status":"4096","from":{"audience":{"tag":1},"after":5}}}"#,
                deliver(from(Audience::Tag(1), 5)),
            ),
            (
                r#"{"withdraw":{"status":"4096","from":{"audience":"followers","after":1767225600000000}}}"#,
                Task::Withdraw {
                    status,
                    from: from(Audience::Followers, 1_767_225_600_000_000),
                },
            ),
            (
                r#"{"take_along":{"original":"4096","before":null}}"#,
                take_along(None),
            ),
            (
                r#"{"take_along":{"original":"4096","before":"8192"}}"#,
                take_along(Some(before)),
            ),
            (r#"{"rebuild":"7"}"#, Task::Rebuild(Timeline::Home(user))),
            (r#"{"rebuild":"7:3"}"#, Task::Rebuild(Timeline::List(list))),
            (r#"{"index":"4096"}"#, Task::Index(status)),
            (
                r#"{"status":"4096"}"#,
                Task::Reconcile(Thing::Status(status)),
            ),
            (
                r#"{"edge":["7","8"]}"#,
                Task::Reconcile(Thing::Edge(user, other)),
            ),
            (
                r#"{"account":["7","Robin_7"]}"#,
                Task::Reconcile(Thing::Account(user, login)),
            ),
            (
                r#"{"list_membership":["7:3","8"]}"#,
                Task::Reconcile(Thing::ListMembership(list, other)),
            ),
            (r#"{"list":"7:3"}"#, Task::Reconcile(Thing::List(list))),
            (
                r#"{"favourite":["7","4096"]}"#,
                Task::Reconcile(Thing::Favourite(user, status)),
            ),
            (
                r#"{"repost":["7","4096"]}"#,
                Task::Reconcile(Thing::Repost(user, status)),
            ),
            (
                r#"{"tag_follow":["7","日本"]}"#,
                Task::Reconcile(Thing::TagFollow(user, tag)),
            ),
            (r#"{"names":"7"}"#, Task::Reconcile(Thing::Names(user))),
        ]
    }

    /// Lists the patterns that a value has to match, and returns the index of its own. A variant that is
    /// in no pattern does not compile.
    macro_rules! variants {
        ($value:expr; $($pattern:pat),* $(,)?) => {{
            let all = [$(stringify!($pattern)),*];
            let own = match $value { $($pattern => stringify!($pattern)),* };
            (all, own)
        }};
    }

    #[test]
    fn every_task_has_its_stored_text_and_is_read_back_whole() {
        let mut unseen = None;
        for (text, task) in stored() {
            assert_eq!(task.to_string(), text);
            assert_eq!(text.parse(), Ok(task.clone()));
            let (all, own) = variants!(task;
                Task::Deliver { .. },
                Task::Withdraw { .. },
                Task::TakeAlong { .. },
                Task::Rebuild(_),
                Task::Index(_),
                Task::Reconcile(Thing::Status(_)),
                Task::Reconcile(Thing::Edge(..)),
                Task::Reconcile(Thing::Account(..)),
                Task::Reconcile(Thing::ListMembership(..)),
                Task::Reconcile(Thing::List(_)),
                Task::Reconcile(Thing::Favourite(..)),
                Task::Reconcile(Thing::Repost(..)),
                Task::Reconcile(Thing::TagFollow(..)),
                Task::Reconcile(Thing::Names(_)),
            );
            unseen
                .get_or_insert_with(|| all.to_vec())
                .retain(|variant| *variant != own);
        }
        assert_eq!(unseen, Some(Vec::new()), "variants without a stored text");
    }

    #[test]
    fn a_malformed_task_is_refused() {
        for text in [
            "",
            "deliver 4096 0",
            "{}",
            r#"{"deliver":"4096"}"#,
            r#"{"deliver":{"status":"x","from":{"audience":"followers","after":0}}}"#,
            r#"{"deliver":{"status":"1","from":{"audience":"unlisted","after":0}}}"#,
            r#"{"deliver":{"status":"1","from":{"audience":{"tag":-1},"after":0}}}"#,
            r##"{"tag_follow":["7","#birds"]}"##,
            r#"{"tag_follow":["7","Birds"]}"#,
            r#"{"account":["7","no login"]}"#,
            r#"{"list":"7"}"#,
            r#"{"rebuild":"0"}"#,
            r#"{"rebuild":["7","8"]}"#,
            r#"{"edge":["7"]}"#,
            r#"{"names":"x"}"#,
            r#"{"index":"1","names":"7"}"#,
        ] {
            assert_eq!(text.parse::<Task>(), Err(ParseTaskError), "{text:?}");
        }
    }
}
