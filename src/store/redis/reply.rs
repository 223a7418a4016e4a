//! Replies of Redis. A script with several outcomes replies a word for each.

use redis::{FromRedisValue, Value};

use super::scripts::Script;
use crate::store::{Error, Result};

/// The reply of a script that a session makes which has ended. Nothing was written.
const SESSION_ENDED: &str = "session_ended";

/// Converts a reply to its documented type.
pub fn read<T: FromRedisValue>(answer: Value) -> Result<T> {
    redis::from_redis_value(answer).map_err(|_| Error::Unexpected {
        what: "a Redis command",
        answer: format!("not a {}", std::any::type_name::<T>()),
    })
}

/// Returns the approximate number of bytes of a reply.
pub fn byte_count(reply: &Value) -> usize {
    /// Bytes of a length or a number, and of line ends.
    const FRAME: usize = 8;
    FRAME
        + match reply {
            Value::BulkString(text) => text.len(),
            Value::Array(items) => items.iter().map(byte_count).sum(),
            _ => 0,
        }
}

/// An enum of the outcomes of one or several scripts; [`outcomes!`] declares it.
pub trait Outcome: Sized {
    fn from_word(word: &str) -> Option<Self>;
}

/// Any outcome of a script with nothing to distinguish.
impl Outcome for () {
    fn from_word(_: &str) -> Option<Self> {
        Some(())
    }
}

/// Declares an enum with the word that scripts reply for each variant.
macro_rules! outcomes {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$variant_meta:meta])* $variant:ident = $word:literal),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $visibility enum $name {
            $($(#[$variant_meta])* $variant),*
        }

        impl $crate::store::redis::reply::Outcome for $name {
            fn from_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}
pub(in crate::store) use outcomes;

impl Script {
    /// Decodes the outcome of a call. An ended session is [`Error::Ended`].
    pub fn outcome<T: Outcome>(&self, word: &str) -> Result<T> {
        check_session(word)?;
        T::from_word(word).ok_or_else(|| self.undocumented(word))
    }

    /// Decodes an outcome of two, and returns whether it is the first. An ended session is [`Error::Ended`].
    pub fn succeeded(&self, word: &str, [first, other]: [&str; 2]) -> Result<bool> {
        check_session(word)?;
        match word {
            _ if word == first => Ok(true),
            _ if word == other => Ok(false),
            _ => Err(self.undocumented(word)),
        }
    }
}

/// Fails with [`Error::Ended`] if the word says that the session has ended.
fn check_session(word: &str) -> Result<()> {
    match word {
        SESSION_ENDED => Err(Error::Ended),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::Script;
    use crate::store::Error;

    static SCRIPT: Script = Script::new("answer", "return 'yes'");

    outcomes! {
        enum Answer {
            Yes = "yes",
            No = "no",
        }
    }

    #[test]
    fn each_reply_word_maps_to_its_variant_and_others_are_unexpected() {
        assert_eq!(SCRIPT.outcome::<Answer>("yes").ok(), Some(Answer::Yes));
        assert_eq!(SCRIPT.outcome::<Answer>("no").ok(), Some(Answer::No));
        for word in ["", "Yes", "1", "maybe"] {
            let answer = SCRIPT.outcome::<Answer>(word);
            assert!(matches!(answer, Err(Error::Unexpected { .. })), "{word}");
            let answer = SCRIPT.succeeded(word, ["yes", "no"]);
            assert!(matches!(answer, Err(Error::Unexpected { .. })), "{word}");
        }
    }

    #[test]
    fn an_ended_session_has_its_own_error() {
        let answer = SCRIPT.outcome::<Answer>("session_ended");
        assert!(matches!(answer, Err(Error::Ended)));
        let answer = SCRIPT.succeeded("session_ended", ["yes", "no"]);
        assert!(matches!(answer, Err(Error::Ended)));
    }
}
