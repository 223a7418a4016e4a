//! Tasks: work that continues after the response, as values and as stored JSON.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{
    Answer, ChatId, ExportToken, FanOutProgress, GroupId, GroupSlug, ListId, Login, ParseError,
    Relation, SeparationPosition, StatusId, SweepPosition, Timeline, UserId,
};

/// The identity of a sweep. Of several sweeps only one continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, derive_more::Display)]
pub struct SweepToken(String);

impl SweepToken {
    pub fn draw() -> Self {
        Self(format!("{:032x}", rand::random::<u128>()))
    }
}

/// The subject of an outbox entry. It names no content; the worker reads the source of truth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, derive_more::From)]
#[serde(rename_all = "snake_case")]
pub enum Thing {
    Status(StatusId),
    Account(UserId, Login),
    /// A person's membership in a list.
    ListMembership(ListId, UserId),
    /// A deleted list.
    List(ListId),
    /// A person's repost without a comment.
    Repost(UserId, StatusId),
    /// The names that a person is found by.
    Names(UserId),
    /// A change of the login of a person to this one.
    Rename(UserId, Login),
    /// The plan of a person to leave.
    Leaving(UserId),
    /// The texts that a person mutes.
    MutedTexts(UserId),
    /// The copies of a chat with its members.
    Chat(ChatId),
    /// The reports and decisions about a person.
    Case(UserId),
    /// The role of a person.
    Role(UserId),
    /// The tie of a person to a group.
    GroupMember(GroupId, UserId),
    /// The place of a group in the directory, its name in addresses, and the notices about its acts.
    Group(GroupId, GroupSlug),
    /// A relation, set or removed.
    #[from]
    #[serde(untagged)]
    Relation(Relation),
}

/// Work that continues after the response or after a crash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// One pass of a fan-out, from this position.
    Deliver {
        status: StatusId,
        from: FanOutProgress,
    },
    /// One pass that removes a dead status from timelines, from this position.
    Withdraw {
        status: StatusId,
        from: FanOutProgress,
    },
    /// The same for a status that died so long ago that no call can write copies of it any more. The last pass drops the
    /// fields of the tombstone that lead to copies.
    LastWithdraw {
        status: StatusId,
        from: FanOutProgress,
    },
    /// One pass that deletes the reposts of a dead status: those older than an id, or the newest.
    DeleteReposts {
        original: StatusId,
        before: Option<StatusId>,
    },
    /// Rebuild a timeline that became too short.
    Rebuild(Timeline),
    Index(StatusId),
    /// One pass that notifies members of a group of a post there, or takes the notifications of a dead post back: members
    /// after this score (µs).
    NotifyGroup {
        status: StatusId,
        after: u64,
    },
    /// Give this answer to the requests to follow a person that came up to a time (µs).
    AnswerRequests {
        person: UserId,
        until_us: u64,
        answer: Answer,
    },
    /// One step after a block: it removes favourites and votes between both people, from this position.
    Separate {
        by: UserId,
        blocked: UserId,
        from: SeparationPosition,
    },
    /// One pass of a deletion: it removes connections between a person and others.
    DeleteAccount(UserId),
    /// One step of the sweep that removes other traces of these people. At its begin it has none and chooses them.
    Sweep {
        token: SweepToken,
        people: Vec<UserId>,
        from: SweepPosition,
    },
    /// The begin of the sweep of one person, as it was stored before a sweep served several people.
    SweepAccount {
        person: UserId,
        from: SweepPosition,
    },
    /// One pass of the deletion of a group.
    DeleteGroup(GroupId, GroupSlug),
    /// One pass of the export of an account.
    Export {
        person: UserId,
        token: ExportToken,
    },
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

impl FromStr for Task {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        serde_json::from_str(text).map_err(|_| ParseError)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Audience, FoldedTag, Lane, Separation, task::*};

    /// Every task, with its stored text.
    #[expect(clippy::too_many_lines, reason = "it is a table of all tasks")]
    fn stored() -> Vec<(&'static str, Task)> {
        let status = StatusId::new(4096).unwrap();
        let (user, other) = (UserId::new(7).unwrap(), UserId::new(8).unwrap());
        let list: ListId = "7:3".parse().unwrap();
        let tag = FoldedTag::stored("日本").unwrap();
        let login = Login::stored("Robin_7").unwrap();
        let before = StatusId::new(8192).unwrap();
        let group = GroupId::new(9).unwrap();
        let slug: GroupSlug = "birds".parse().unwrap();
        let from = |audience, after| FanOutProgress { audience, after };
        let deliver = |from| Task::Deliver { status, from };
        let last = from(Audience::Followers, 1_767_225_600_000_000);
        let withdraw = Task::Withdraw { status, from: last };
        let delete_reposts = |before| {
            let original = status;
            Task::DeleteReposts { original, before }
        };
        let thing = Task::Reconcile;
        let relation = |relation: Relation| Task::Reconcile(relation.into());
        vec![
            (
                r#"{"deliver":{"status":"4096","from":{"audience":"followers","after":0}}}"#,
                deliver(FanOutProgress::START),
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
                withdraw,
            ),
            (
                r#"{"last_withdraw":{"status":"4096","from":{"audience":"followers","after":0}}}"#,
                Task::LastWithdraw {
                    status,
                    from: FanOutProgress::START,
                },
            ),
            (
                r#"{"delete_reposts":{"original":"4096","before":null}}"#,
                delete_reposts(None),
            ),
            (
                r#"{"delete_reposts":{"original":"4096","before":"8192"}}"#,
                delete_reposts(Some(before)),
            ),
            (r#"{"rebuild":"7"}"#, Task::Rebuild(Timeline::Home(user))),
            (r#"{"rebuild":"7:3"}"#, Task::Rebuild(Timeline::List(list))),
            (r#"{"index":"4096"}"#, Task::Index(status)),
            (
                r#"{"notify_group":{"status":"4096","after":5}}"#,
                Task::NotifyGroup { status, after: 5 },
            ),
            (
                r#"{"deliver":{"status":"4096","from":{"audience":"group","after":5}}}"#,
                deliver(from(Audience::Group, 5)),
            ),
            (
                r#"{"answer_requests":{"person":"7","until_us":5,"answer":"accept"}}"#,
                Task::AnswerRequests {
                    person: user,
                    until_us: 5,
                    answer: Answer::Accept,
                },
            ),
            (
                r#"{"separate":{"by":"7","blocked":"8","from":{"kind":"votes_of_blocked","before":5}}}"#,
                Task::Separate {
                    by: user,
                    blocked: other,
                    from: SeparationPosition {
                        kind: Separation::VotesOfBlocked,
                        before: Some(5),
                    },
                },
            ),
            (r#"{"delete_account":"7"}"#, Task::DeleteAccount(user)),
            (
                r#"{"sweep_account":{"person":"7","from":{"node":1,"cursor":5,"nodes":3,"servers":18446744073709551615}}}"#,
                Task::SweepAccount {
                    person: user,
                    from: SweepPosition {
                        node: 1,
                        cursor: 5,
                        nodes: 3,
                        servers: u64::MAX,
                    },
                },
            ),
            (
                r#"{"sweep":{"token":"5e","people":["7","8"],"from":{"node":1,"cursor":5,"nodes":3,"servers":18446744073709551615}}}"#,
                Task::Sweep {
                    token: SweepToken("5e".to_owned()),
                    people: vec![user, other],
                    from: SweepPosition {
                        node: 1,
                        cursor: 5,
                        nodes: 3,
                        servers: u64::MAX,
                    },
                },
            ),
            (r#"{"status":"4096"}"#, thing(Thing::Status(status))),
            (
                r#"{"edge":["7","8"]}"#,
                relation(Relation::Follow(user, other)),
            ),
            (
                r#"{"account":["7","Robin_7"]}"#,
                thing(Thing::Account(user, login.clone())),
            ),
            (
                r#"{"rename":["7","Robin_7"]}"#,
                thing(Thing::Rename(user, login)),
            ),
            (
                r#"{"list_membership":["7:3","8"]}"#,
                thing(Thing::ListMembership(list, other)),
            ),
            (r#"{"list":"7:3"}"#, thing(Thing::List(list))),
            (
                r#"{"favourite":["7","4096"]}"#,
                relation(Relation::Favourite(user, status)),
            ),
            (
                r#"{"repost":["7","4096"]}"#,
                thing(Thing::Repost(user, status)),
            ),
            (
                r#"{"tag_follow":["7","日本"]}"#,
                relation(Relation::TagFollow(user, tag)),
            ),
            (
                r#"{"export":{"person":"7","token":"00112233445566778899aabbccddeeff"}}"#,
                Task::Export {
                    person: user,
                    token: "00112233445566778899aabbccddeeff".parse().unwrap(),
                },
            ),
            (r#"{"names":"7"}"#, thing(Thing::Names(user))),
            (r#"{"leaving":"7"}"#, thing(Thing::Leaving(user))),
            (r#"{"muted_texts":"7"}"#, thing(Thing::MutedTexts(user))),
            (
                r#"{"chat":"0000000000000000000000000000000f"}"#,
                thing(Thing::Chat(
                    "0000000000000000000000000000000f".parse().unwrap(),
                )),
            ),
            (r#"{"case":"7"}"#, thing(Thing::Case(user))),
            (r#"{"role":"7"}"#, thing(Thing::Role(user))),
            (
                r#"{"group_member":["9","7"]}"#,
                thing(Thing::GroupMember(group, user)),
            ),
            (
                r#"{"group":["9","birds"]}"#,
                thing(Thing::Group(group, slug.clone())),
            ),
            (
                r#"{"delete_group":["9","birds"]}"#,
                Task::DeleteGroup(group, slug),
            ),
        ]
    }

    /// Returns all patterns and that of the value. A variant without a pattern does not compile.
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
            let is_fan_out = task.lane() == Lane::FanOut;
            assert_eq!(task.status_of_fan_out().is_some(), is_fan_out, "{text}");
            let (all, own) = variants!(task;
                Task::Deliver { .. },
                Task::Export { .. },
                Task::Withdraw { .. },
                Task::LastWithdraw { .. },
                Task::DeleteReposts { .. },
                Task::Rebuild(_),
                Task::Index(_),
                Task::NotifyGroup { .. },
                Task::AnswerRequests { .. },
                Task::Separate { .. },
                Task::DeleteAccount(_),
                Task::Sweep { .. },
                Task::SweepAccount { .. },
                Task::Reconcile(Thing::Status(_)),
                Task::Reconcile(Thing::Account(..)),
                Task::Reconcile(Thing::ListMembership(..)),
                Task::Reconcile(Thing::List(_)),
                Task::Reconcile(Thing::Repost(..)),
                Task::Reconcile(Thing::Names(_)),
                Task::Reconcile(Thing::Rename(..)),
                Task::Reconcile(Thing::Leaving(_)),
                Task::Reconcile(Thing::MutedTexts(_)),
                Task::Reconcile(Thing::Chat(_)),
                Task::Reconcile(Thing::Case(_)),
                Task::Reconcile(Thing::Role(_)),
                Task::Reconcile(Thing::GroupMember(..)),
                Task::Reconcile(Thing::Group(..)),
                Task::DeleteGroup(..),
                Task::Reconcile(Thing::Relation(_)),
            );
            let unseen = unseen.get_or_insert_with(|| all.to_vec());
            unseen.retain(|variant| *variant != own);
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
            assert_eq!(text.parse::<Task>(), Err(ParseError), "{text:?}");
        }
    }
}
