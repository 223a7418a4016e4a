//! Logins: 1 to 30 of `[a-z0-9_]`, compared without case, shown as typed.

use crate::domain::ids::deserialize_text;

/// A valid login, as typed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, derive_more::Display)]
pub struct Login(String);

deserialize_text!(Login, Login::stored);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LoginError {
    #[error("Choose a login.")]
    Empty,
    #[error("A login can have at most 30 characters.")]
    TooLong,
    #[error("A login can only have letters a to z, digits and underscores.")]
    Characters,
    #[error("This login is reserved. Choose another.")]
    Reserved,
}

/// First segments of present and likely paths, and names that would speak for the site.
const RESERVED: &str = "\
    about abuse account accounts admin administrator all anonymous api app apps assets auth \
    blocks bookmarks compose contact delete edit everybody everyone explore export favicon favourites feed feeds \
    follow followers following groups healthz help home images import important info invite \
    invites legal likes lists live login logout media mentions messages metrics moderation \
    moderator new notifications null password post posts privacy profile readyz redwing reports \
    robots root rules search security session sessions settings setup signup static status statuses support \
    system tags terms unfollow users";

impl Login {
    pub const MAX_CHARACTERS: usize = 30;

    pub fn parse(text: &str) -> Result<Self, LoginError> {
        if text.is_empty() {
            return Err(LoginError::Empty);
        }
        if !text.bytes().all(is_allowed) {
            return Err(LoginError::Characters);
        }
        if text.len() > Self::MAX_CHARACTERS {
            return Err(LoginError::TooLong);
        }
        let login = Self(text.to_owned());
        if RESERVED.split(' ').any(|word| word == login.folded()) {
            return Err(LoginError::Reserved);
        }
        Ok(login)
    }

    /// Parses a stored login. Words reserved later stay valid. `None` if it was never valid.
    pub fn stored(text: &str) -> Option<Self> {
        let fits = (1..=30).contains(&text.len()) && text.bytes().all(is_allowed);
        fits.then(|| Self(text.to_owned()))
    }

    /// Returns the login in a form's field: people also type the `@` that pages show before it.
    pub fn typed(text: &str) -> &str {
        let text = text.trim();
        text.strip_prefix(['@', '＠']).unwrap_or(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the login in lower case. Two logins are compared by it.
    pub fn folded(&self) -> String {
        self.0.to_ascii_lowercase()
    }

    /// Returns whether two logins differ at most in case.
    pub fn is_same(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

fn is_allowed(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::login::*;

    #[test]
    fn a_login_keeps_its_case_and_folds_for_comparison() {
        let login = Login::parse("Robin_7").expect("valid");
        assert_eq!(login.as_str(), "Robin_7");
        assert_eq!(login.to_string(), "Robin_7");
        assert_eq!(login.folded(), "robin_7");
    }

    #[test]
    fn each_invalid_login_has_its_own_error() {
        assert_eq!(Login::parse(""), Err(LoginError::Empty));
        assert_eq!(Login::parse(&"a".repeat(31)), Err(LoginError::TooLong));
        assert!(Login::parse(&"a".repeat(30)).is_ok());
        for text in ["a b", " a", "a.b", "@a", "é", "ａ", "a\n", "К", "a-b"] {
            assert_eq!(Login::parse(text), Err(LoginError::Characters), "{text:?}");
        }
        for text in ["login", "LogIn", "static", "redwing"] {
            assert_eq!(Login::parse(text), Err(LoginError::Reserved), "{text:?}");
        }
    }

    #[test]
    fn the_reserved_logins_are_sorted_and_distinct() {
        assert!(RESERVED.split(' ').is_sorted_by(|a, b| a < b));
    }

    proptest! {
        #[test]
        fn every_valid_text_is_a_login_or_reserved(text in "[a-zA-Z0-9_]{1,30}") {
            match Login::parse(&text) {
                Ok(login) => prop_assert_eq!(login.as_str(), text),
                Err(error) => prop_assert_eq!(error, LoginError::Reserved),
            }
        }

        #[test]
        fn a_parsed_login_has_only_valid_characters(text in "(?s).{0,40}") {
            if let Ok(login) = Login::parse(&text) {
                prop_assert!((1..=30).contains(&login.as_str().len()));
                prop_assert!(login.folded().bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'));
            }
        }
    }
}
