//! Tags: what one is, what it is looked up by, and where one stands in a text.

use std::{fmt, ops::Range};

use unicase::UniCase;
use unicode_normalization::UnicodeNormalization;

use super::characters::{
    after, before, is_digit, is_joiner, is_letter, is_mark, is_unseen, makes_emoji,
};
use crate::domain::text::Limits;

/// A tag without its sign, as written: letters with their marks, digits and what joins them, in any
/// script, and not without a letter. In normal form C.
///
/// Nothing in it needs quoting in a Redis key or ends a segment of a path: of ASCII it holds letters,
/// digits and `_` only. In a path all else is percent-encoded, up to three times its length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag(String);

impl Tag {
    /// Characters as a person counts them.
    pub const MAX_CHARACTERS: usize = 100;
    /// Of what is written and of what it is looked up by.
    pub const MAX_BYTES: usize = 400;

    /// A tag as it comes in a path, without its sign. `None` where no text could hold it: also where
    /// it is too long, as a tag that was cut would be another one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let begins = text
            .chars()
            .next()
            .is_some_and(|c| !is_mark(c) && !is_joiner(c));
        let plain = text.chars().all(is_tag_character) && text.chars().any(is_letter);
        if !begins || !plain {
            return None;
        }
        let limits = Limits {
            characters: Self::MAX_CHARACTERS,
            bytes: Self::MAX_BYTES,
        };
        let tag = Self(text.nfc().collect());
        let fits = limits.check(&tag.0).is_ok() && tag.folded().0.len() <= Self::MAX_BYTES;
        fits.then_some(tag)
    }

    /// As written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What two tags are compared by: without case (full folding, so that `Straße` is `STRASSE`),
    /// in normal form C, and without joiners and selectors, which nobody sees between letters.
    #[must_use]
    pub fn folded(&self) -> FoldedTag {
        let seen: String = self.0.chars().filter(|c| !is_unseen(*c)).nfd().collect();
        FoldedTag(UniCase::unicode(seen).to_folded_case().nfc().collect())
    }
}

/// What a tag is looked up by: two that differ only in case or in what nobody sees have the same.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FoldedTag(String);

impl FoldedTag {
    /// One that was kept. `None` where no text could have it.
    #[must_use]
    pub fn stored(text: &str) -> Option<Self> {
        Tag::parse(text)
            .map(|tag| tag.folded())
            .filter(|folded| folded.0 == text)
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FoldedTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The tag that the `#` at this place begins, and where it stands.
pub(super) fn tag_at(text: &str, at: usize) -> Option<(Range<usize>, Tag)> {
    let sign = after(text, at).filter(|c| is_hash(*c))?;
    if before(text, at).is_some_and(joins) {
        return None;
    }
    let start = at + sign.len_utf8();
    let length = text[start..].find(|c| !is_tag_character(c));
    let end = length.map_or(text.len(), |length| start + length);
    if text[end..].starts_with("://") || after(text, end).is_some_and(is_hash) {
        return None;
    }
    Some((at..end, Tag::parse(&text[start..end])?))
}

fn is_hash(c: char) -> bool {
    matches!(c, '#' | '＃')
}

/// Is a `#` after this in the middle of a word, or of an HTML entity?
fn joins(c: char) -> bool {
    c == '&' || is_tag_character(c) && !makes_emoji(c)
}

fn is_tag_character(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    let letter = is_letter(c) && !is_unseen(c);
    letter || is_mark(c) || is_digit(c) || is_joiner(c) || is_inside(c)
}

/// Punctuation that is part of words: of Cyrillic, Hebrew, Japanese, Tibetan and Catalan.
fn is_inside(c: char) -> bool {
    matches!(
        c,
        '\u{A67E}'
            | '\u{5BE}'
            | '\u{5F3}'
            | '\u{5F4}'
            | '～'
            | '〜'
            | '\u{309B}'
            | '\u{309C}'
            | '゠'
            | '・'
            | '〃'
            | '\u{F0B}'
            | '\u{F0C}'
            | '·'
    )
}
