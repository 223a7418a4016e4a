//! Tags: their form, their comparison, and their position in a text.

use std::{ops::Range, str::FromStr};

use unicase::UniCase;
use unicode_normalization::UnicodeNormalization;

use super::{
    TokenKind,
    characters::{after, before, is_digit, is_joiner, is_letter, is_mark, is_unseen, makes_emoji},
};
use crate::domain::{
    ids::{ParseError, serde_as_text},
    text::Limits,
};

/// A tag without its sign, as written: letters with marks, digits and joining punctuation of any script,
/// with at least one letter, in normal form C.
///
/// It needs no quoting in a Redis key and ends no segment of a path: of ASCII it holds letters, digits
/// and `_` only. Other characters are percent-encoded in a path, up to three times their length.
#[derive(Debug, Clone, PartialEq, Eq, derive_more::Display)]
pub struct Tag(String);

impl Tag {
    /// In characters as people count them.
    pub const MAX_CHARACTERS: usize = 100;
    /// Maximum bytes of the tag as written and of its folded form.
    pub const MAX_BYTES: usize = 400;

    /// Parses a tag from a path, without its sign. `None` if no text can contain it, or if it is too
    /// long: a cut tag would be a different one.
    pub fn parse(text: &str) -> Option<Self> {
        let begins = !text.starts_with(|c| is_mark(c) || is_joiner(c));
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

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the form that tags are compared by: without case (full folding, so `Straße` equals
    /// `STRASSE`), in normal form C, without invisible joiners and selectors.
    pub fn folded(&self) -> FoldedTag {
        let seen: String = self.0.chars().filter(|c| !is_unseen(*c)).nfd().collect();
        FoldedTag(UniCase::unicode(seen).to_folded_case().nfc().collect())
    }
}

/// The form that a tag is looked up by. Tags that differ only in case or invisible characters share it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display)]
pub struct FoldedTag(String);

serde_as_text!(FoldedTag);

impl FromStr for FoldedTag {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::stored(text).ok_or(ParseError)
    }
}

impl FoldedTag {
    /// Parses a stored tag. `None` if no text can contain it.
    pub fn stored(text: &str) -> Option<Self> {
        let folded = Tag::parse(text)?.folded();
        (folded.0 == text).then_some(folded)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns the tag that the `#` at this position starts, and its span.
pub(super) fn tag_at(text: &str, at: usize) -> Option<(Range<usize>, TokenKind)> {
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
    Some((at..end, TokenKind::Tag(Tag::parse(&text[start..end])?)))
}

fn is_hash(c: char) -> bool {
    matches!(c, '#' | '＃')
}

/// Returns whether a `#` after this is inside a word or an HTML entity.
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

/// Returns whether it is punctuation inside words of Cyrillic, Hebrew, Japanese, Tibetan or Catalan.
fn is_inside(c: char) -> bool {
    "\u{A67E}\u{5BE}\u{5F3}\u{5F4}～〜\u{309B}\u{309C}゠・〃\u{F0B}\u{F0C}·".contains(c)
}
