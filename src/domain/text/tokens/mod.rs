//! Cuts a text into text, mentions, tags and web addresses.
//!
//! The yardstick is twitter-text: its conformance data about these three, and about the length of a
//! text ([`crate::domain::Message`]), stand in `tests/tokens`, and a test looks at each case. Where this site finds something else, the table says so under one of
//! these words:
//!
//! - **logins** have up to 30 characters here, not 20. A longer run is no mention: cut, it would name
//!   somebody else.
//! - **retweets** written as `RT@name` are none here, where reposts are not written by hand. An `@`
//!   within a word is part of an e-mail address.
//! - **schemes** make a web address: without `http://` or `https://` there is none. Many names of files
//!   and sentences without a space look like hosts, and a list of top-level domains is never up to
//!   date. What looks like a host with a path is skipped all the same: the `@` of `example.org/@ann`
//!   mentions nobody.
//! - **domains** end in any two or more letters, for want of that list. Letters of other scripts right
//!   behind are not part of them (`http://example.comだよね`), unless a dot follows.
//! - **paths** may have letters of any script, which twitter-text allows for Latin and Cyrillic. Those
//!   of scripts without spaces, and emoji, count when they begin a word of the path.
//! - **hosts** have no rules of their own, as `t.co` has.
//! - **users** and passwords are not part of an address: `https://bank.example@evil.example` looks like
//!   the one and leads to the other.
//! - **characters** count one each, as a person counts them; twitter-text weighs code points of normal
//!   form C, those behind Georgian and an emoji two.
//! - **addresses** count as long as they are, where there any weighs 23.
//! - **limits**: a message has up to 500 characters, where there the weight is up to 280, and once was 140.
//! - **controls** that turn the direction of the text around them are refused in a message.
//!
//! Beyond what its data show, this site is stricter about what belongs together: no mention begins
//! after a letter of a script with spaces (`слово@ann`), ends before a mark that belongs to its last
//! letter, or stands in an e-mail address whose name ends with a sign. No tag begins with a mark or a
//! joiner, is made of letters that nobody sees, or is longer than a [`Tag`] may be. Addresses may
//! have balanced brackets, `[]` too, in query and fragment as well, an IP address for a host, and a
//! fragment right after the host; they may not end in punctuation, but for what is in `=_#/+-&`.
//! Names of lists and `$` signs mean nothing here, so its cases about these are left out; so are those
//! that find whom a text answers by how it begins (`extract/replies`), which a status says by itself here.

pub(in crate::domain) mod characters;
#[cfg(test)]
mod conformance;
#[cfg(test)]
mod examples;
mod hosts;
mod mentions;
#[cfg(test)]
mod properties;
mod tags;
mod urls;

use std::ops::Range;

pub use tags::{FoldedTag, Tag};

use crate::domain::Login;

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'a> {
    pub text: &'a str,
    /// Where it stands in the whole text, in bytes.
    pub span: Range<usize>,
    pub kind: TokenKind,
}

/// What a piece of a text is, by its form: who or what it leads to is asked where that matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenKind {
    /// Anything else, line ends among it.
    Text,
    /// `@` and a login that somebody may have.
    Mention(Login),
    /// `#` and a tag.
    Tag(Tag),
    /// A URL with scheme http or https, as written.
    Url,
}

/// Cuts a text into its pieces, in order and without gaps; no two pieces of text follow each other.
/// Takes time in proportion to the text.
pub fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    Tokens {
        text,
        at: 0,
        found: None,
    }
}

struct Tokens<'a> {
    text: &'a str,
    /// Where the next piece begins.
    at: usize,
    /// What was found behind a piece of text that was given first.
    found: Option<(Range<usize>, TokenKind)>,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        if self.at == self.text.len() {
            return None;
        }
        let end = self.text.len();
        let found = self.found.take().or_else(|| find(self.text, self.at));
        let (span, kind) = found.unwrap_or((end..end, TokenKind::Text));
        if span.start > self.at {
            let before = self.at..span.start;
            self.found = Some((span, kind));
            return Some(self.piece(before, TokenKind::Text));
        }
        Some(self.piece(span, kind))
    }
}

impl<'a> Tokens<'a> {
    fn piece(&mut self, span: Range<usize>, kind: TokenKind) -> Token<'a> {
        self.at = span.end;
        Token {
            text: &self.text[span.clone()],
            span,
            kind,
        }
    }
}

/// The first mention, tag or address from a place on.
fn find(text: &str, from: usize) -> Option<(Range<usize>, TokenKind)> {
    let mut at = from;
    while let Some(c) = characters::after(text, at) {
        let found = match c {
            '@' | '＠' => mention(text, at),
            '#' | '＃' => tag(text, at),
            'h' | 'H' => urls::url_at(text, at).map(|span| (span, TokenKind::Url)),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        at = urls::bare_address_end(text, at).unwrap_or(at + c.len_utf8());
    }
    None
}

fn mention(text: &str, at: usize) -> Option<(Range<usize>, TokenKind)> {
    let (span, login) = mentions::mention_at(text, at)?;
    Some((span, TokenKind::Mention(login)))
}

fn tag(text: &str, at: usize) -> Option<(Range<usize>, TokenKind)> {
    let (span, tag) = tags::tag_at(text, at)?;
    Some((span, TokenKind::Tag(tag)))
}
