//! One atomic operation each, in one slot each. What a script takes and returns stands at the top
//! of its file.

use std::{fmt, sync::OnceLock};

use redis::{Arg, Cmd, ToRedisArgs};
use sha1_smol::Sha1;

use super::{Error, prelude};

/// A Lua script with what it needs of the prelude before it, known to Redis by its hash.
pub(super) struct Script {
    pub(super) name: &'static str,
    text: &'static str,
    hash: OnceLock<String>,
}

impl Script {
    const fn new(name: &'static str, text: &'static str) -> Self {
        Self {
            name,
            text,
            hash: OnceLock::new(),
        }
    }

    pub(super) fn source(&self) -> String {
        prelude::before(self.text) + self.text
    }

    /// EVALSHA with these keys, all of one slot; arguments are added to it.
    pub(super) fn on(&self, keys: impl AsRef<[String]>) -> Cmd {
        let keys = keys.as_ref();
        debug_assert!(
            keys.len() == 1 || in_one_slot(keys),
            "{} over several slots: {keys:?}",
            self.name
        );
        self.over(keys)
    }

    /// The same with keys of several slots, for a script that does the same in each of them. Only a
    /// single node takes it.
    pub(super) fn over(&self, keys: &[String]) -> Cmd {
        let hash = self
            .hash
            .get_or_init(|| Sha1::from(self.source()).hexdigest());
        let mut command = redis::cmd("EVALSHA");
        command.arg(hash).arg(keys.len()).arg(keys);
        command
    }

    /// An answer that its contract does not name.
    pub(super) fn undocumented(&self, answer: impl fmt::Display) -> Error {
        Error::Unexpected {
            what: self.name,
            answer: answer.to_string(),
        }
    }
}

/// EVAL with a script's own text in the place of an EVALSHA of it; any other command as it is.
pub(super) fn in_full(command: &Cmd) -> Cmd {
    let arguments: Vec<&[u8]> = command
        .args_iter()
        .filter_map(|argument| match argument {
            Arg::Simple(text) => Some(text),
            _ => None,
        })
        .collect();
    let named = |script: &&&Script| {
        let hash = script.hash.get().map(|hash| hash.as_bytes());
        hash.is_some() && hash == arguments.get(1).copied()
    };
    match ALL.iter().find(named) {
        Some(script) => {
            let mut in_full = redis::cmd("EVAL");
            in_full.arg(script.source()).arg(&arguments[2..]);
            in_full
        }
        None => command.clone(),
    }
}

/// Whether all keys carry one hash tag, and so lie in one slot of a cluster.
fn in_one_slot(keys: &[String]) -> bool {
    let tag = |key: &String| Some(key.split_once('{')?.1.split_once('}')?.0.to_owned());
    let first = keys.first().and_then(tag);
    first.is_some() && keys.iter().all(|key| tag(key) == first)
}

/// An owned command with one more argument.
pub(super) trait With {
    #[must_use]
    fn with(self, argument: impl ToRedisArgs) -> Self;
}

impl With for Cmd {
    fn with(mut self, argument: impl ToRedisArgs) -> Self {
        self.arg(argument);
        self
    }
}

macro_rules! scripts {
    ($($name:ident = $file:literal),* $(,)?) => {
        $(pub(super) static $name: Script =
            Script::new($file, include_str!(concat!("scripts/", $file, ".lua")));)*
        pub(super) static ALL: &[&Script] = &[$(&$name),*];
    };
}

scripts! {
    CLAIM_USER = "claim_user",
    COMMIT_LOGIN = "commit_login",
    REMOVE_USER = "remove_user",
    EDIT_USER = "edit_user",
    SET_PASSWORD = "set_password",
    NEW_EPOCH = "new_epoch",
    LOAD_SESSION = "load_session",
    SAVE_SESSION = "save_session",
    END_SESSION = "end_session",
    TAKE_RATE = "take_rate",
    DRAW_STATUS = "draw_status",
    CREATE_STATUS = "create_status",
    BURY_STATUS = "bury_status",
    FILE_STATUS = "file_status",
    UNFILE_STATUS = "unfile_status",
    DELIVER = "deliver",
    WITHDRAW = "withdraw",
    NOTE_PASS = "note_pass",
    PLACE_ANSWER = "place_answer",
    NOTE_ANSWER = "note_answer",
    SET_EDGE = "set_edge",
    CLEAR_EDGE = "clear_edge",
    SET_PREFERENCE = "set_preference",
    MIRROR_EDGE = "mirror_edge",
    UNMIRROR_EDGE = "unmirror_edge",
    COLLECT_STATUS = "collect_status",
    DISCARD_STATUS = "discard_status",
    MIRROR_FAVOURITE = "mirror_favourite",
    UNMIRROR_FAVOURITE = "unmirror_favourite",
    ADD_INDEX_ENTRY = "add_index_entry",
    REMOVE_INDEX_ENTRY = "remove_index_entry",
    MIRROR_TAG_FOLLOW = "mirror_tag_follow",
    NOTIFY = "notify",
    UNNOTIFY = "unnotify",
    READ_NOTIFICATIONS = "read_notifications",
    MERGE_TIMELINE = "merge_timeline",
    PRUNE_TIMELINE = "prune_timeline",
    BEGIN_REBUILD = "begin_rebuild",
    FILL_REBUILD = "fill_rebuild",
    FINISH_REBUILD = "finish_rebuild",
    READ_HOME = "read_home",
    NOTE_SHOWN = "note_shown",
    READ_IMPORTANT = "read_important",
    READ_LIVE = "read_live",
    READ_TIMELINE = "read_timeline",
    MOVE_DUE = "move_due",
    FINISH_TASK = "finish_task",
    RETIRE_CONSUMER = "retire_consumer",
    SURVEY_USER = "survey_user",
    RECOUNT_USER = "recount_user",
    REPAIR_READING = "repair_reading",
    SETTLE_LAST = "settle_last",
    RAISE_COUNTER = "raise_counter",
    RESPACE_EDGE = "respace_edge",
    RELEASE_LOGIN = "release_login",
    REVIVE_TASK = "revive_task",
    AGE_STATUS = "age_status",
    RECOUNT_STATUS = "recount_status",
    CAST_BALLOT = "cast_ballot",
    RECOUNT_BALLOTS = "recount_ballots",
    SURVEY_POLL = "survey_poll",
    EDIT_STATUS = "edit_status",
    CREATE_LIST = "create_list",
    EDIT_LIST = "edit_list",
    ADD_MEMBER = "add_member",
    REMOVE_MEMBER = "remove_member",
    DELETE_LIST = "delete_list",
    CLEAR_LIST = "clear_list",
    RECOUNT_EXCLUDED = "recount_excluded",
    CLAIM_REPOST = "claim_repost",
    HOLD_REPOST = "hold_repost",
    RELEASE_REPOST = "release_repost",
    MIRROR_REPOST = "mirror_repost",
    UNMIRROR_REPOST = "unmirror_repost",
    SET_HIDDEN_REPOSTS = "set_hidden_reposts",
    ENTER_POSTING = "enter_posting",
    LEAVE_POSTING = "leave_posting",
    DROP_POSTING = "drop_posting",
    ENTER_NAME = "enter_name",
    LEAVE_NAME = "leave_name",
    FORGET_FORMER = "forget_former",
}
