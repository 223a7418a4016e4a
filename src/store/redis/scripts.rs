//! One atomic operation each, in one slot each. The header of each file states the
//! keys, arguments and replies. [`script_calls!`](super::script_call) declares the scripts.

use std::{fmt, sync::OnceLock};

use parking_lot::Mutex;
use redis::{Arg, Cmd, ToRedisArgs};
use sha1_smol::Sha1;

use super::prelude;
use crate::store::Error;

/// The scripts that this process has sent by their hash.
static SENT: Mutex<Vec<&'static Script>> = Mutex::new(Vec::new());

/// A Lua script with what it needs of the prelude before it, known to Redis by its hash.
pub struct Script {
    pub name: &'static str,
    pub(super) text: &'static str,
    hash: OnceLock<String>,
}

impl Script {
    pub const fn new(name: &'static str, text: &'static str) -> Self {
        Self {
            name,
            text,
            hash: OnceLock::new(),
        }
    }

    pub fn source(&self) -> String {
        prelude::shebang(self.text) + &prelude::before(self.text) + self.text
    }

    /// EVALSHA with these keys, all of one slot; arguments are added to it.
    pub fn on(&'static self, keys: &[&str]) -> Cmd {
        debug_assert!(
            keys.len() == 1 || in_one_slot(keys),
            "{} over several slots: {keys:?}",
            self.name
        );
        self.over(keys)
    }

    /// The same with keys of several slots, for a script that does the same in each of them. Only a
    /// single node takes it.
    pub fn over(&'static self, keys: &[&str]) -> Cmd {
        let hash = self.hash.get_or_init(|| {
            SENT.lock().push(self);
            Sha1::from(self.source()).hexdigest()
        });
        let mut command = redis::cmd("EVALSHA");
        command.arg(hash).arg(keys.len()).arg(keys);
        command
    }

    /// An answer that its contract does not name.
    pub fn undocumented(&self, answer: impl fmt::Display) -> Error {
        Error::Unexpected {
            what: self.name,
            answer: answer.to_string(),
        }
    }
}

/// EVAL with a script's own text in the place of an EVALSHA of it; any other command as it is.
pub fn in_full(command: &Cmd) -> Cmd {
    let arguments: Vec<&[u8]> = command
        .args_iter()
        .filter_map(|argument| match argument {
            Arg::Simple(text) => Some(text),
            _ => None,
        })
        .collect();
    let named = |script: &&&'static Script| {
        let hash = script.hash.get().map(|hash| hash.as_bytes());
        hash.is_some() && hash == arguments.get(1).copied()
    };
    match SENT.lock().iter().find(named) {
        Some(script) => {
            let mut in_full = redis::cmd("EVAL");
            in_full.arg(script.source()).arg(&arguments[2..]);
            in_full
        }
        None => command.clone(),
    }
}

/// Returns whether all keys lie in one slot of a cluster: one of them is, or has, the hash tag of the others.
fn in_one_slot(keys: &[&str]) -> bool {
    let tag = |key: &str| Some(key.split_once('{')?.1.split_once('}')?.0.to_owned());
    let Some(first) = keys.iter().find_map(|key| tag(key)) else {
        return false;
    };
    let mut tags = keys
        .iter()
        .map(|key| tag(key).unwrap_or_else(|| (*key).to_owned()));
    tags.all(|tag| tag == first)
}

/// An owned command with one more argument.
pub trait With {
    #[must_use]
    fn with(self, argument: impl ToRedisArgs) -> Self;
}

impl With for Cmd {
    fn with(mut self, argument: impl ToRedisArgs) -> Self {
        self.arg(argument);
        self
    }
}
