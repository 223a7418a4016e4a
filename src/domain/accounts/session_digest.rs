//! The public name of a session. It cannot be used to log in.

use crate::domain::{hex::is_hex, ids::deserialize_text};

/// 64 lower-case hexadecimal digits: a digest of the session's key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionDigest(String);

impl SessionDigest {
    pub fn parse(text: &str) -> Option<Self> {
        is_hex(text, 64).then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

deserialize_text!(SessionDigest, SessionDigest::parse);

#[cfg(test)]
mod tests {
    use super::super::session_digest::*;

    #[test]
    fn only_a_hex_digest_is_a_session_digest() {
        assert!(SessionDigest::parse(&"0af9".repeat(16)).is_some());
        let digits = "a".repeat(63);
        for last in ["", "aa", "A", ":"] {
            assert_eq!(
                SessionDigest::parse(&(digits.clone() + last)),
                None,
                "{last}"
            );
        }
        assert_eq!(SessionDigest::parse(""), None);
        assert_eq!(SessionDigest::parse(&"A".repeat(64)), None);
    }
}
