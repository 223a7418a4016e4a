//! Texts on one line: display names, names of lists and content warnings. Also bios.

use unicode_normalization::UnicodeNormalization;

use super::{Limits, TextError, message::without_gaps};
use crate::domain::text;

/// 1 to 50 characters, one line, in normal form C.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DisplayName(String);

impl DisplayName {
    pub const MAX_CHARACTERS: usize = 50;
    pub const MAX_BYTES: usize = 800;

    /// Replaces runs of white space by one blank and trims both ends.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let limits = Limits {
            characters: Self::MAX_CHARACTERS,
            bytes: Self::MAX_BYTES,
        };
        one_line(text, limits).map(Self)
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The name of a list: 1 to 50 characters, one line, in normal form C.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListName(String);

impl ListName {
    pub const MAX_CHARACTERS: usize = 50;
    pub const MAX_BYTES: usize = 800;

    /// Replaces runs of white space by one blank and trims both ends.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let limits = Limits {
            characters: Self::MAX_CHARACTERS,
            bytes: Self::MAX_BYTES,
        };
        one_line(text, limits).map(Self)
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A content warning: 1 to 100 characters, in normal form C.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning(String);

impl Warning {
    pub const MAX_CHARACTERS: usize = 100;
    pub const MAX_BYTES: usize = 1600;

    /// Replaces runs of white space by one blank and trims both ends. Blank text is no warning.
    pub fn parse(text: &str) -> Result<Option<Self>, TextError> {
        let limits = Limits {
            characters: Self::MAX_CHARACTERS,
            bytes: Self::MAX_BYTES,
        };
        Ok(line(text, limits)?.map(Self))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Parses a name on one line.
fn one_line(text: &str, limits: Limits) -> Result<String, TextError> {
    line(text, limits)?.ok_or(TextError::Nameless)
}

/// A text as one line, with single blanks in it and none at its ends. Blank text is none.
pub(in crate::domain) fn line(text: &str, limits: Limits) -> Result<Option<String>, TextError> {
    let normal: String = text.nfc().collect();
    let words: Vec<&str> = normal
        .split(text::is_space)
        .filter(|word| !word.is_empty())
        .collect();
    let line = words.join(" ");
    if text::is_blank(&line) {
        return Ok(None);
    }
    limits.check(&line)?;
    Ok(Some(line))
}

/// 0 to 200 characters, several lines. Blank text is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bio(String);

impl Bio {
    pub const MAX_CHARACTERS: usize = 200;
    pub const MAX_BYTES: usize = 3200;

    /// Trims white space and normalises line ends.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let text = text::trim(text);
        if text::is_blank(text) {
            return Ok(Self::default());
        }
        Limits {
            characters: Self::MAX_CHARACTERS,
            bytes: Self::MAX_BYTES,
        }
        .check(text)?;
        Ok(Self(without_gaps(&text::plain_lines(text))))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::names::*;

    fn name(text: &str) -> String {
        DisplayName::parse(text)
            .expect("a valid name")
            .as_str()
            .to_owned()
    }

    #[test]
    fn a_display_name_is_normalized_to_one_line() {
        assert_eq!(name("  Zoe\u{308} \r\n\t van\u{A0} Dam "), "Zoë van Dam");
        assert_eq!(name("دریا"), "دریا");
        assert_eq!(name("Ana 🌻"), "Ana 🌻");
    }

    #[test]
    fn a_display_name_has_1_to_50_characters() {
        assert_eq!(DisplayName::parse(" \u{200B}"), Err(TextError::Nameless));
        assert!(DisplayName::parse(&"👩🏽‍🌾".repeat(50)).is_ok());
        assert_eq!(
            DisplayName::parse(&"x".repeat(51)),
            Err(TextError::TooLong { max: 50, is: 51 })
        );
        assert_eq!(DisplayName::parse("a\u{202E}b"), Err(TextError::Control));
    }

    #[test]
    fn a_list_name_is_one_line_of_1_to_50_characters() {
        let name = ListName::parse(" Bird \n people ").expect("a valid name");
        assert_eq!(name.as_str(), "Bird people");
        assert_eq!(ListName::parse(" \t"), Err(TextError::Nameless));
        assert_eq!(
            ListName::parse(&"x".repeat(51)),
            Err(TextError::TooLong { max: 50, is: 51 })
        );
    }

    #[test]
    fn a_warning_is_one_line_of_up_to_100_characters() {
        let warning = |text: &str| Warning::parse(text).expect("valid");
        assert_eq!(
            warning(" Spiders,\n big "),
            Some(Warning("Spiders, big".into()))
        );
        assert_eq!(warning(" \u{200B}"), None);
        assert!(Warning::parse(&"ü".repeat(100)).is_ok());
        assert_eq!(
            Warning::parse(&"ü".repeat(101)),
            Err(TextError::TooLong { max: 100, is: 101 })
        );
        assert_eq!(Warning::parse("a\u{202E}b"), Err(TextError::Control));
    }

    #[test]
    fn a_bio_may_be_empty_or_have_several_lines() {
        assert_eq!(Bio::parse(" \r\n\u{200B}"), Ok(Bio::default()));
        assert_eq!(
            Bio::parse("One\r\ntwo \n").expect("valid").as_str(),
            "One\ntwo"
        );
        assert!(Bio::parse(&"ü".repeat(200)).is_ok());
        assert_eq!(
            Bio::parse(&"ü".repeat(201)),
            Err(TextError::TooLong { max: 200, is: 201 })
        );
    }

    proptest! {
        #[test]
        fn parsing_a_name_or_bio_twice_changes_nothing(text in "(?s).{0,60}") {
            if let Ok(name) = DisplayName::parse(&text) {
                prop_assert_eq!(DisplayName::parse(name.as_str()), Ok(name));
            }
            if let Ok(bio) = Bio::parse(&text) {
                prop_assert_eq!(Bio::parse(bio.as_str()), Ok(bio));
            }
        }

        #[test]
        fn a_display_name_contains_no_line_end(text in "[a-c \\r\\n\\t\u{b}\u{c}\u{a0}\u{2028}]{0,20}") {
            if let Ok(name) = DisplayName::parse(&text) {
                prop_assert!(!name.as_str().contains(|c: char| c.is_whitespace() && c != ' '));
                prop_assert!(!name.as_str().contains("  "));
            }
        }
    }
}
