//! The name of a group in addresses: 3 to 30 of `[a-z0-9-]`, beginning with a letter.

use std::str::FromStr;

use crate::domain::{ParseError, ids::serde_as_text};

/// A valid name of a group in addresses. It is unique on a site and never changes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display)]
pub struct GroupSlug(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GroupSlugError {
    #[error("Choose an address with at least 3 characters.")]
    TooShort,
    #[error("An address can have at most 30 characters.")]
    TooLong,
    #[error(
        "An address can only have letters a to z, digits and hyphens, and begins with a letter."
    )]
    Characters,
    #[error("This address is reserved. Choose another.")]
    Reserved,
}

/// Segments of present and likely paths below `/groups`, and names that would speak for the site.
const RESERVED: &str = "about admin administrator all create edit everybody everyone feed help invitations members \
     mine moderators new news notices official owner popular redwing requests rules search \
     settings site staff support system";

impl GroupSlug {
    pub const MIN_CHARACTERS: usize = 3;
    pub const MAX_CHARACTERS: usize = 30;

    /// Parses a typed name in any case.
    pub fn parse(text: &str) -> Result<Self, GroupSlugError> {
        let text = text.trim().to_ascii_lowercase();
        if text.len() < Self::MIN_CHARACTERS {
            return Err(GroupSlugError::TooShort);
        }
        if !has_allowed_characters(&text) {
            return Err(GroupSlugError::Characters);
        }
        if text.len() > Self::MAX_CHARACTERS {
            return Err(GroupSlugError::TooLong);
        }
        if RESERVED.split_whitespace().any(|word| word == text) {
            return Err(GroupSlugError::Reserved);
        }
        Ok(Self(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn has_allowed_characters(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    text.bytes().all(is_allowed) && text.starts_with(|first: char| first.is_ascii_lowercase())
}

impl FromStr for GroupSlug {
    type Err = ParseError;

    /// Parses a stored name. Words reserved later stay valid.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let length = Self::MIN_CHARACTERS..=Self::MAX_CHARACTERS;
        let fits = length.contains(&text.len()) && has_allowed_characters(text);
        fits.then(|| Self(text.to_owned())).ok_or(ParseError)
    }
}

serde_as_text!(GroupSlug);

#[cfg(test)]
mod tests {
    use super::super::slug::*;

    #[test]
    fn an_address_is_lower_case_and_each_invalid_one_has_its_error() {
        assert_eq!(
            GroupSlug::parse(" Bird-Club7 ").map(|slug| slug.0),
            Ok("bird-club7".to_owned())
        );
        for (text, error) in [
            ("", GroupSlugError::TooShort),
            ("ab", GroupSlugError::TooShort),
            ("7birds", GroupSlugError::Characters),
            ("-birds", GroupSlugError::Characters),
            ("bird club", GroupSlugError::Characters),
            ("vögel", GroupSlugError::Characters),
            ("a-name-that-is-longer-than-thirty", GroupSlugError::TooLong),
            ("New", GroupSlugError::Reserved),
            ("redwing", GroupSlugError::Reserved),
        ] {
            assert_eq!(GroupSlug::parse(text), Err(error), "{text:?}");
        }
        assert!("new".parse::<GroupSlug>().is_ok());
        assert!("New".parse::<GroupSlug>().is_err());
    }
}
