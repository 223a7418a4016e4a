//! Texts on one line: display names, names of lists and content warnings. Also bios and pages about the site.

use unicode_normalization::UnicodeNormalization;

use super::{Limits, TextError, message::without_gaps, text_type};
use crate::domain::text;

text_type! {
    /// 1 to 50 characters, one line, in normal form C.
    DisplayName, 50 characters, 800 bytes
}

text_type! {
    /// The name of a list: 1 to 50 characters, one line, in normal form C.
    ListName, 50 characters, 800 bytes
}

text_type! {
    /// The name of a chat: 1 to 50 characters, one line, in normal form C.
    ChatName, 50 characters, 800 bytes
}

text_type! {
    /// The name of a group: 1 to 50 characters, one line, in normal form C.
    GroupName, 50 characters, 800 bytes
}

text_type! {
    /// The description of a group: 0 to 500 characters, several lines. Blank text is none.
    #[derive(Default)]
    GroupDescription, 500 characters, 3200 bytes
}

text_type! {
    /// The rules of a group: 0 to 2000 characters, several lines. Blank text is none.
    #[derive(Default)]
    GroupRules, 2000 characters, 8000 bytes
}

text_type! {
    /// A content warning: 1 to 100 characters, in normal form C.
    Warning, 100 characters, 1600 bytes
}

text_type! {
    /// The reason of a suspension: 1 to 500 characters, in normal form C.
    SuspensionReason, 500 characters, 8000 bytes
}

text_type! {
    /// The explanation of a decision, for the person: 0 to 500 characters, in normal form C. Blank text is none.
    #[derive(Default)]
    Explanation, 500 characters, 8000 bytes
}

text_type! {
    /// Note on an act in a group: at most 500 characters and 1,000 bytes, in normal form C. Blank text is no note.
    #[derive(Default)]
    GroupActNote, 500 characters, 1000 bytes
}

text_type! {
    /// The words of a reporter: 0 to 500 characters, several lines. Blank text is none.
    #[derive(Default)]
    ReportNote, 500 characters, 8000 bytes
}

text_type! {
    /// An appeal: 1 to 1000 characters, several lines.
    Appeal, 1000 characters, 16000 bytes
}

text_type! {
    /// The question to people who ask to join: 0 to 200 characters, one line, in normal form C.
    #[derive(Default)]
    Question, 200 characters, 3200 bytes
}

text_type! {
    /// A page of the owner about the site, in Markdown: 0 to 10,000 characters. Blank text is none.
    #[derive(Default)]
    SiteText, 10_000 characters, 40_000 bytes
}

text_type! {
    /// The answer of a person who asks to join: 1 to 500 characters, several lines.
    ApplicationAnswer, 500 characters, 8000 bytes
}

text_type! {
    /// The reason of a refusal: 1 to 300 characters, in normal form C.
    RefusalReason, 300 characters, 4800 bytes
}

text_type! {
    /// 0 to 200 characters, several lines. Blank text is none.
    #[derive(Default)]
    Bio, 200 characters, 3200 bytes
}

impl DisplayName {
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let name = line(text, Self::LIMITS)?.ok_or(TextError::Nameless)?;
        Ok(Self(name))
    }
}

impl ListName {
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let name = line(text, Self::LIMITS)?.ok_or(TextError::Nameless)?;
        Ok(Self(name))
    }
}

impl ChatName {
    /// Parses a name like a warning. Blank text is no name.
    pub fn parse(text: &str) -> Result<Option<Self>, TextError> {
        Ok(line(text, Self::LIMITS)?.map(Self))
    }
}

impl GroupName {
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let name = line(text, Self::LIMITS)?.ok_or(TextError::Nameless)?;
        Ok(Self(name))
    }
}

impl GroupDescription {
    /// Trims white space and normalises line ends.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        lines(text, Self::LIMITS).map(Self)
    }
}

impl GroupRules {
    /// Trims white space and normalises line ends.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        lines(text, Self::LIMITS).map(Self)
    }
}

impl Warning {
    /// Replaces runs of white space by one blank and trims both ends. Blank text is no warning.
    pub fn parse(text: &str) -> Result<Option<Self>, TextError> {
        Ok(line(text, Self::LIMITS)?.map(Self))
    }
}

impl SuspensionReason {
    /// Parses a reason like a warning. Blank text is no reason.
    pub fn parse(text: &str) -> Result<Option<Self>, TextError> {
        Ok(line(text, Self::LIMITS)?.map(Self))
    }
}

impl Explanation {
    /// Parses an explanation like a warning.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        Ok(Self(line(text, Self::LIMITS)?.unwrap_or_default()))
    }
}

impl GroupActNote {
    /// Parses a note like a warning.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        Ok(Self(line(text, Self::LIMITS)?.unwrap_or_default()))
    }
}

impl ReportNote {
    /// Trims white space and normalises line ends.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        lines(text, Self::LIMITS).map(Self)
    }
}

impl RefusalReason {
    /// Parses a reason like a warning. Blank text is no reason.
    pub fn parse(text: &str) -> Result<Option<Self>, TextError> {
        Ok(line(text, Self::LIMITS)?.map(Self))
    }
}

impl Question {
    /// Parses a question like a warning. Blank text is the empty question.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        Ok(line(text, Self::LIMITS)?.map(Self).unwrap_or_default())
    }
}

impl ApplicationAnswer {
    /// Trims white space and normalises line ends.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        match lines(text, Self::LIMITS)? {
            text if text.is_empty() => Err(TextError::Blank),
            text => Ok(Self(text)),
        }
    }
}

impl Appeal {
    /// Trims white space and normalises line ends.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        match lines(text, Self::LIMITS)? {
            text if text.is_empty() => Err(TextError::Blank),
            text => Ok(Self(text)),
        }
    }
}

impl SiteText {
    /// Trims white space and normalises line ends.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let text = text::trim(text);
        if text::is_blank(text) {
            return Ok(Self::default());
        }
        Self::LIMITS.check(text)?;
        Ok(Self(text::plain_lines(text)))
    }
}

impl Bio {
    /// Trims white space and normalises line ends.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        lines(text, Self::LIMITS).map(Self)
    }
}

/// Trims white space and normalises line ends. Blank text is empty.
fn lines(text: &str, limits: Limits) -> Result<String, TextError> {
    let text = text::trim(text);
    if text::is_blank(text) {
        return Ok(String::new());
    }
    limits.check(text)?;
    Ok(without_gaps(&text::plain_lines(text)))
}

/// A text as one line, with single blanks in it and none at its ends. Blank text is none.
pub(in crate::domain) fn line(text: &str, limits: Limits) -> Result<Option<String>, TextError> {
    let text = text::trim(text);
    limits.check_roughly(text)?;
    let normal: String = text.nfc().collect();
    let words = normal.split(text::is_space).filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    if text::is_blank(&line) {
        return Ok(None);
    }
    limits.check(&line)?;
    Ok(Some(line))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::names::*;
    use crate::domain::PollOption;

    type Parse = fn(&str) -> Result<String, TextError>;

    const NAME: Parse = |text| Ok(DisplayName::parse(text)?.0);
    const LIST: Parse = |text| Ok(ListName::parse(text)?.0);
    const WARNING: Parse = |text| Ok(Warning::parse(text)?.map_or(String::new(), |line| line.0));
    const OPTION: Parse = |text| {
        let option = PollOption::parse(text)?;
        Ok(option.map_or(String::new(), |option| option.as_str().to_owned()))
    };
    const BIO: Parse = |text| Ok(Bio::parse(text)?.0);

    #[test]
    fn a_text_that_is_far_too_long_is_refused_with_its_length() {
        for parse in [NAME, LIST, WARNING, OPTION, BIO] {
            let text = "é".repeat(30_000);
            let refused = parse(&text);
            let is_told = matches!(refused, Err(TextError::TooLong { is: 30_000, .. }));
            assert!(is_told, "{refused:?}");
        }
        let spaced = format!("Zoe{}", " ".repeat(60_000));
        assert_eq!(NAME(&spaced).as_deref(), Ok("Zoe"));
    }

    #[test]
    fn a_name_warning_or_option_is_one_line_in_normal_form() {
        for (parse, text, line) in [
            (NAME, "  Zoe\u{308} \r\n\t van\u{A0} Dam ", "Zoë van Dam"),
            (NAME, "دریا", "دریا"),
            (NAME, "Ana 🌻", "Ana 🌻"),
            (LIST, " Bird \n people ", "Bird people"),
            (WARNING, " Spiders,\n big ", "Spiders, big"),
            (OPTION, "a \n b", "a b"),
        ] {
            assert_eq!(parse(text).as_deref(), Ok(line));
        }
    }

    #[test]
    fn a_blank_name_is_refused_and_other_blank_texts_are_none() {
        assert_eq!(NAME(" \u{200B}"), Err(TextError::Nameless));
        assert_eq!(LIST(" \t"), Err(TextError::Nameless));
        for parse in [WARNING, OPTION, BIO] {
            assert_eq!(parse(" \r\n\u{200B}").as_deref(), Ok(""));
        }
    }

    #[test]
    fn each_text_has_its_maximum_length_and_no_controls() {
        for (parse, max) in [
            (NAME, 50),
            (LIST, 50),
            (WARNING, 100),
            (OPTION, 50),
            (BIO, 200),
        ] {
            for character in ["x", "ü", "👩🏽‍🌾"] {
                assert!(parse(&character.repeat(max)).is_ok());
                let refusal = TextError::TooLong { max, is: max + 1 };
                assert_eq!(parse(&character.repeat(max + 1)), Err(refusal));
            }
            assert_eq!(parse("a\u{202E}b"), Err(TextError::Control));
        }
    }

    #[test]
    fn a_bio_may_have_several_lines() {
        assert_eq!(BIO("One\r\ntwo \n").as_deref(), Ok("One\ntwo"));
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
