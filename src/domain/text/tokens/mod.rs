//! Splits a text into text, mentions, tags and web addresses.
//!
//! The reference is twitter-text. `tests/tokens` contains its conformance data about these three, and
//! about the length of a text ([`crate::domain::Message`]). A test checks each case. Deviations of this
//! site are marked in the table with one of these words:
//!
//! - **logins** have up to 30 characters here, not 20. A longer run is no mention: cut, it would name
//!   another person.
//! - **retweets** written as `RT@name` do not exist here. An `@` within a word is part of an e-mail
//!   address.
//! - **schemes** make a web address: `http://` or `https://` is required. Many file names and sentences
//!   without a space look like hosts, and a list of top-level domains is never up to date. A text that
//!   looks like a host with a path is skipped: the `@` of `example.org/@ann` is no mention.
//! - **domains** end in any two or more letters, because there is no such list. Letters of other scripts
//!   right after them are not included (`http://example.comだよね`), unless a dot follows.
//! - **paths** may have letters of any script, which twitter-text allows for Latin and Cyrillic. Letters
//!   of scripts without spaces, and emoji, count at the start of a word of the path.
//! - **hosts** have no rules of their own, as `t.co` has.
//! - **users** and passwords are not part of an address: `https://bank.example@evil.example` looks like
//!   the first host and leads to the second.
//! - **characters** count one each, as people count them. twitter-text weighs code points of normal
//!   form C, and counts two for those after Georgian and for emoji.
//! - **addresses** count by their length. In twitter-text each weighs 23.
//! - **limits**: a message has up to 500 characters. In twitter-text the weight is up to 280, once 140.
//! - **controls** that change the direction of surrounding text are refused in a message.
//!
//! This site is stricter than the data in some points. No mention begins after a letter of a script with
//! spaces (`слово@ann`), ends before a mark that belongs to its last letter, or is part of an e-mail
//! address with a name that ends in a sign. No tag begins with a mark or joiner, consists of invisible
//! letters, or is longer than a [`Tag`] may be. Addresses may have balanced brackets, including `[]`, also
//! in query and fragment. They may have an IP address as host, and a fragment right after the host. They
//! may not end in punctuation except `=_#/+-&`. Names of lists and `$` signs have no meaning here, so
//! their cases are left out. So are cases about the recipients of a reply (`extract/replies`), because a
//! status names them here.

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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'a> {
    pub text: &'a str,
    /// Its position in the whole text, in bytes.
    pub span: Range<usize>,
    pub kind: TokenKind,
}

/// The kind of a part, by its form. Whether its target exists is checked elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenKind {
    /// Anything else, including line ends.
    Text,
    /// `@` and a login that may exist.
    Mention(Login),
    Tag(Tag),
    /// A URL with scheme http or https, as written.
    Url,
}

impl TokenKind {
    pub fn mention(self) -> Option<Login> {
        match self {
            Self::Mention(login) => Some(login),
            _ => None,
        }
    }

    pub fn tag(self) -> Option<Tag> {
        match self {
            Self::Tag(tag) => Some(tag),
            _ => None,
        }
    }
}

/// Splits a text into tokens, in order and without gaps. No two text tokens follow each other. Takes
/// linear time.
pub fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    Tokens {
        text,
        at: 0,
        found: None,
    }
}

struct Tokens<'a> {
    text: &'a str,
    /// Start of the next token.
    at: usize,
    /// A token found behind a text token that is returned first.
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

/// Returns the first mention, tag or address from a position on.
fn find(text: &str, from: usize) -> Option<(Range<usize>, TokenKind)> {
    let mut at = from;
    while let Some(c) = characters::after(text, at) {
        let found = match c {
            '@' | '＠' => mentions::mention_at(text, at),
            '#' | '＃' => tags::tag_at(text, at),
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
