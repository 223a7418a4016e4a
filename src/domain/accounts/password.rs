//! Passwords as typed: 8 to 128 characters, not one of the commonest.

use std::fmt;

use unicode_normalization::UnicodeNormalization;

/// A valid password in normal form KC, the same from every keyboard. Its `Debug` output hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    #[error("A password needs at least 8 characters.")]
    TooShort,
    #[error("A password can have at most 128 characters.")]
    TooLong,
    #[error("This is one of the most common passwords. Choose another.")]
    Common,
}

/// Lower case, one a line, in order; each with at least [`Password::MIN_CHARACTERS`].
const COMMON: &str = include_str!("common_passwords.txt");

impl Password {
    /// In code points of the normal form.
    pub const MIN_CHARACTERS: usize = 8;
    /// In code points of the normal form.
    pub const MAX_CHARACTERS: usize = 128;

    pub fn parse(text: &str) -> Result<Self, PasswordError> {
        let password = Self::candidate(text).ok_or(PasswordError::TooLong)?;
        if password.0.chars().count() < Self::MIN_CHARACTERS {
            return Err(PasswordError::TooShort);
        }
        let folded = password.0.to_lowercase();
        if COMMON.lines().any(|common| common == folded) {
            return Err(PasswordError::Common);
        }
        Ok(password)
    }

    /// Normalises a password typed at log-in like [`Password::parse`], and checks only its maximum
    /// length. Use it to compare, never to choose.
    pub fn candidate(text: &str) -> Option<Self> {
        let normal: String = text.nfkc().take(Self::MAX_CHARACTERS + 1).collect();
        (normal.chars().count() <= Self::MAX_CHARACTERS).then_some(Self(normal))
    }

    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::password::*;

    #[test]
    fn a_password_has_8_to_128_characters() {
        assert_eq!(Password::parse("sevench"), Err(PasswordError::TooShort));
        assert!(Password::parse("gr8 wren").is_ok());
        assert!(Password::parse(&"é".repeat(128)).is_ok());
        let long = "x".repeat(129);
        assert_eq!(Password::parse(&long), Err(PasswordError::TooLong));
        assert_eq!(Password::candidate(&long), None);
    }

    #[test]
    fn common_passwords_are_refused_in_any_case() {
        for text in "password PassWord1 12345678 qwertyuiop ｐａｓｓｗｏｒｄ".split(' ') {
            assert_eq!(Password::parse(text), Err(PasswordError::Common), "{text}");
        }
    }

    fn candidate(text: &str) -> Password {
        Password::candidate(text).expect("short enough")
    }

    #[test]
    fn equivalent_unicode_passwords_are_equal() {
        let composed = Password::parse("caf\u{e9} crème").expect("valid");
        assert_eq!(composed, candidate("cafe\u{301} cre\u{300}me"));
        assert_eq!(candidate("１２３ robins"), candidate("123 robins"));
    }

    #[test]
    fn a_login_attempt_accepts_any_short_password() {
        for text in ["", "12345678"] {
            assert_eq!(candidate(text).as_bytes(), text.as_bytes());
        }
    }

    #[test]
    fn debug_output_hides_the_password() {
        let shown = format!("{:?}", Password::parse("gr8 wren").expect("valid"));
        assert!(!shown.contains("wren"));
    }

    #[test]
    fn the_common_passwords_are_sorted_lowercase_and_long_enough() {
        let words: Vec<_> = COMMON.lines().collect();
        assert!(words.is_sorted_by(|a, b| a < b));
        for word in &words {
            assert!(word.chars().count() >= Password::MIN_CHARACTERS, "{word}");
            assert_eq!(*word, word.to_lowercase());
        }
    }

    proptest! {
        #[test]
        fn a_valid_password_equals_its_login_attempt(text in "(?s).{0,140}") {
            if let Ok(password) = Password::parse(&text) {
                prop_assert_eq!(Password::candidate(&text), Some(password));
            }
        }
    }
}
