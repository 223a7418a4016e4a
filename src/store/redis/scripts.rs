//! One atomic operation each, in one slot each. What a script takes and returns stands at the top
//! of its file.

use std::{fmt, sync::OnceLock};

use redis::{Arg, Cmd, ToRedisArgs};
use sha1_smol::Sha1;

use super::prelude;
use crate::store::Error;

/// A Lua script with what it needs of the prelude before it, known to Redis by its hash.
pub(in crate::store) struct Script {
    pub(in crate::store) name: &'static str,
    pub(super) text: &'static str,
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

    pub(in crate::store) fn source(&self) -> String {
        prelude::before(self.text) + self.text
    }

    /// EVALSHA with these keys, all of one slot; arguments are added to it.
    pub(in crate::store) fn on(&self, keys: impl AsRef<[String]>) -> Cmd {
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
    pub(in crate::store) fn over(&self, keys: &[String]) -> Cmd {
        let hash = self
            .hash
            .get_or_init(|| Sha1::from(self.source()).hexdigest());
        let mut command = redis::cmd("EVALSHA");
        command.arg(hash).arg(keys.len()).arg(keys);
        command
    }

    /// An answer that its contract does not name.
    pub(in crate::store) fn undocumented(&self, answer: impl fmt::Display) -> Error {
        Error::Unexpected {
            what: self.name,
            answer: answer.to_string(),
        }
    }
}

/// EVAL with a script's own text in the place of an EVALSHA of it; any other command as it is.
pub(in crate::store) fn in_full(command: &Cmd) -> Cmd {
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
pub(in crate::store) trait With {
    #[must_use]
    fn with(self, argument: impl ToRedisArgs) -> Self;
}

impl With for Cmd {
    fn with(mut self, argument: impl ToRedisArgs) -> Self {
        self.arg(argument);
        self
    }
}

/// Declares the scripts of each folder of the store.
macro_rules! scripts {
    ($($folder:literal { $($name:ident = $file:literal,)* })*) => {
        $($(pub(in crate::store) static $name: Script =
            Script::new($file, include_str!(concat!("../", $folder, "/", $file, ".lua")));)*)*
        pub(in crate::store) static ALL: &[&Script] = &[$($(&$name,)*)*];
    };
}

scripts! {
    "follows" {
        SET_PREFERENCE = "set_preference",
    }
    "lists" {
        CHANGE_MEMBER = "change_member",
        CLEAR_LIST = "clear_list",
        CREATE_LIST = "create_list",
        DELETE_LIST = "delete_list",
        EDIT_LIST = "edit_list",
    }
    "live" {
        READ_LIVE = "read_live",
    }
    "notifications" {
        NOTIFY = "notify",
        READ_NOTIFICATIONS = "read_notifications",
        UNNOTIFY = "unnotify",
    }
    "people" {
        CLAIM_USER = "claim_user",
        COMMIT_LOGIN = "commit_login",
        EDIT_USER = "edit_user",
        NEW_EPOCH = "new_epoch",
        REMOVE_USER = "remove_user",
        SET_PASSWORD = "set_password",
    }
    "polls" {
        CAST_BALLOT = "cast_ballot",
        SURVEY_POLL = "survey_poll",
    }
    "rate_limits" {
        TAKE_RATE = "take_rate",
    }
    "relation" {
        CLEAR_RELATION = "clear_relation",
        MIRROR_RELATION = "mirror_relation",
        MIRROR_SOURCE = "mirror_source",
        SET_RELATION = "set_relation",
        UNMIRROR_RELATION = "unmirror_relation",
    }
    "replies" {
        PLACE_REPLY = "place_reply",
        RECORD_REPLY = "record_reply",
    }
    "reposts" {
        CLAIM_REPOST = "claim_repost",
        HOLD_REPOST = "hold_repost",
        RELEASE_REPOST = "release_repost",
    }
    "search" {
        DROP_POSTING = "drop_posting",
        ENTER_NAME = "enter_name",
        ENTER_POSTING = "enter_posting",
        FORGET_FORMER = "forget_former",
        LEAVE_NAME = "leave_name",
        LEAVE_POSTING = "leave_posting",
    }
    "sessions" {
        END_SESSION = "end_session",
        LOAD_SESSION = "load_session",
        SAVE_SESSION = "save_session",
    }
    "snapshot" {
        MAKE_SCORE_UNIQUE = "make_score_unique",
        RAISE_COUNTER = "raise_counter",
        RECOUNT_BALLOTS = "recount_ballots",
        RECOUNT_EXCLUDED = "recount_excluded",
        RECOUNT_STATUS = "recount_status",
        RECOUNT_USER = "recount_user",
        RELEASE_LOGIN = "release_login",
        REPAIR_LAST_ID = "repair_last_id",
        REPAIR_READING = "repair_reading",
        REPAIR_STATUS_TTL = "repair_status_ttl",
        SNAPSHOT_USER = "snapshot_user",
    }
    "statuses" {
        BURY_STATUS = "bury_status",
        CREATE_STATUS = "create_status",
        DRAW_STATUS = "draw_status",
        EDIT_STATUS = "edit_status",
        FILE_STATUS = "file_status",
        NOTE_PASS = "note_pass",
        UNFILE_STATUS = "unfile_status",
    }
    "tags" {
        ADD_INDEX_ENTRY = "add_index_entry",
        REMOVE_INDEX_ENTRY = "remove_index_entry",
    }
    "tasks" {
        FINISH_TASK = "finish_task",
        MOVE_DUE = "move_due",
        RETIRE_CONSUMER = "retire_consumer",
        REVIVE_TASK = "revive_task",
    }
    "timelines" {
        BEGIN_REBUILD = "begin_rebuild",
        DELIVER = "deliver",
        FILL_REBUILD = "fill_rebuild",
        FINISH_REBUILD = "finish_rebuild",
        MERGE_TIMELINE = "merge_timeline",
        NOTE_SHOWN = "note_shown",
        PRUNE_TIMELINE = "prune_timeline",
        READ_HOME = "read_home",
        READ_IMPORTANT = "read_important",
        READ_TIMELINE = "read_timeline",
        WITHDRAW = "withdraw",
    }
}
