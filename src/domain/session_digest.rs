//! The public name of a session. It cannot be used to log in.

use serde::{Deserialize, Deserializer, de::Error};

/// 64 lower-case hexadecimal digits: a digest of the session's key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionDigest(String);

impl SessionDigest {
    const DIGITS: usize = 64;

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        (digits && text.len() == Self::DIGITS).then(|| Self(text.to_owned()))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for SessionDigest {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("not the digest of a session"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::session_digest::*;

    #[test]
    fn only_a_hex_digest_is_a_session_digest() {
        assert!(SessionDigest::parse(&"0af9".repeat(16)).is_some());
        for text in [
            String::new(),
            "a".repeat(63),
            "a".repeat(65),
            "A".repeat(64),
            format!("{}:", "a".repeat(63)),
        ] {
            assert_eq!(SessionDigest::parse(&text), None, "{text}");
        }
    }
}
