//! Words, phrases and tags that a person mutes.

use std::str::FromStr;

use super::{
    Limits, TextError,
    compared::tag_pattern,
    names::line,
    tokens::{TokenKind, tokens},
    words::Words,
};

/// A muted word, phrase or tag: 1 to 100 characters, one line, in normal form C, as it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MutedText {
    text: String,
    /// Its words or its tag, as a [`ComparedText`](super::compared::ComparedText) has them.
    pattern: String,
}

impl MutedText {
    pub const MAX_CHARACTERS: usize = 100;
    /// Maximum number of muted texts of one person.
    pub const MAX_COUNT: usize = 200;
    /// Maximum bytes of all muted texts of one person. Each notification of the person reads them.
    pub const MAX_BYTES_OF_ALL: usize = 16_384;
    const LIMITS: Limits = Limits {
        characters: Self::MAX_CHARACTERS,
        bytes: 1600,
    };

    /// Replaces runs of white space by one blank and trims both ends. A text without letters and numbers is
    /// refused, because it has no words.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let text = line(text, Self::LIMITS)?.ok_or(TextError::Wordless)?;
        let pattern = pattern(&text).ok_or(TextError::Wordless)?;
        Ok(Self { text, pattern })
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns its words or its tag, as a [`ComparedText`](super::compared::ComparedText) has them.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// Returns whether both mute the same posts.
    pub fn is_like(&self, other: &Self) -> bool {
        self.pattern == other.pattern
    }
}

/// Parses the stored form, which is the typed one.
impl FromStr for MutedText {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let parsed = Self::parse(text)?;
        match parsed.text == text {
            true => Ok(parsed),
            false => Err(TextError::Wordless),
        }
    }
}

/// Returns the pattern of a single tag, or of words. `None` without words.
fn pattern(text: &str) -> Option<String> {
    let mut all = tokens(text);
    if let (Some(TokenKind::Tag(tag)), None) = (all.next().map(|token| token.kind), all.next()) {
        return Some(tag_pattern(&tag));
    }
    let words = Words::of(text);
    (!words.is_empty()).then(|| words.joined())
}

#[cfg(test)]
mod tests {
    use super::super::{compared::ComparedText, muted::*};

    fn mutes(muted: &str, text: &str) -> bool {
        let muted = MutedText::parse(muted).expect("valid");
        ComparedText::of([text]).has(muted.pattern())
    }

    #[test]
    fn a_word_or_phrase_mutes_whole_consecutive_words_in_any_script() {
        for (muted, text) in [
            ("rust", "I like Rust."),
            ("RÜST", "rust!"),
            ("red wing", "a Red-Wing\nnests"),
            ("rust", "see #rust"),
            ("ещё", "ЕЩЕ раз"),
            ("京都", "東京都に行く"),
            ("ภาษา", "ฉันพูดภาษาไทย"),
            ("سلام", "سَلام عليكم"),
            ("don't", "I DON’T know"),
        ] {
            assert!(mutes(muted, text), "{muted:?} in {text:?}");
        }
        for (muted, text) in [
            ("rust", "trust"),
            ("rust", "rusty #rustlang"),
            ("red wing", "wing red"),
            ("red wing", "a red small wing"),
            ("京東", "東京都"),
        ] {
            assert!(!mutes(muted, text), "{muted:?} in {text:?}");
        }
    }

    #[test]
    fn a_tag_mutes_that_tag_and_not_the_word() {
        assert!(mutes("#Rust", "about #rust"));
        assert!(mutes("＃鳥", "#鳥"));
        for text in ["about rust", "#rustlang", "#trust"] {
            assert!(!mutes("#rust", text), "{text:?}");
        }
        // A tag among words is a phrase.
        assert!(mutes("about #rust", "All about rust"));
    }

    #[test]
    fn a_phrase_does_not_reach_from_one_text_into_the_next() {
        let muted = MutedText::parse("red wing").expect("valid");
        assert!(!ComparedText::of(["red", "wing"]).has(muted.pattern()));
        assert!(ComparedText::of(["blue", "a red wing"]).has(muted.pattern()));
    }

    #[test]
    fn a_text_is_one_line_with_a_letter_or_number() {
        let parsed = |text| MutedText::parse(text).map(|muted| muted.text);
        assert_eq!(parsed("  red \n wing "), Ok("red wing".to_owned()));
        for text in ["", " ", "!?", "🐦", "#"] {
            assert_eq!(parsed(text), Err(TextError::Wordless), "{text:?}");
        }
        let long = TextError::TooLong { max: 100, is: 101 };
        assert_eq!(parsed(&"x".repeat(101)), Err(long));
    }

    #[test]
    fn only_the_typed_form_is_a_stored_text() {
        assert!("red wing".parse::<MutedText>().is_ok());
        for text in ["red  wing", " red", "!"] {
            assert!(text.parse::<MutedText>().is_err(), "{text:?}");
        }
        let tag = MutedText::parse("#birds").expect("valid");
        assert!(tag.is_like(&MutedText::parse("#Birds").expect("valid")));
    }
}
