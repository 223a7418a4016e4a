//! Finds web addresses: `http://` or `https://`, a host with a dot, and the rest.

use std::ops::Range;

use url::{Host, Url};

use super::{
    characters::{before, is_alphanumeric, is_dash, is_joiner, is_symbol, is_unspaced},
    hosts::{host_end, is_host_character},
};

/// Maximum depth of nested brackets in an address.
const MAX_DEPTH: usize = 3;

pub(super) fn url_at(text: &str, at: usize) -> Option<Range<usize>> {
    let joined = |c: char| c.is_ascii_alphanumeric() || matches!(c, '@' | '＠' | '$' | '#' | '＃');
    if before(text, at).is_some_and(joined) {
        return None;
    }
    let host = at + length_of_scheme(&text[at..])?;
    let end = port_end(text, host_end(text, host)?);
    let leads = is_origin(&text[at..end]) && !names_a_user(&text[end..]);
    leads.then(|| at..tail_end(text, end))
}

/// Returns the end of an address without a scheme, if it has a path. It is no link, but nothing in it is
/// a mention or tag: `example.org/@someone`.
pub(super) fn bare_address_end(text: &str, at: usize) -> Option<usize> {
    let joined = |c| is_host_character(c) || matches!(c, '@' | '＠');
    if before(text, at).is_some_and(joined) {
        return None;
    }
    let end = port_end(text, host_end(text, at)?);
    text[end..].starts_with('/').then(|| tail_end(text, end))
}

fn length_of_scheme(text: &str) -> Option<usize> {
    let begins = |scheme: &&str| {
        let start = text.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    ["http://", "https://"]
        .iter()
        .find(|scheme| begins(scheme))
        .map(|scheme| scheme.len())
}

/// Returns the end of the port after a host, or of the host itself.
fn port_end(text: &str, host: usize) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    match text[host..].strip_prefix(':').map(digits) {
        Some(length @ 1..) => host + 1 + length,
        _ => host,
    }
}

/// Returns whether host and port are really the start of `user:password@`. The address
/// `https://bank.example@evil.example` looks like one host and leads to another.
fn names_a_user(rest: &str) -> bool {
    let ends = |c: char| c.is_whitespace() || matches!(c, '/' | '?' | '#');
    let authority = rest.split(ends).next().unwrap_or_default();
    authority.starts_with('@') || authority.starts_with(':') && authority.contains('@')
}

/// Returns the end of path, query and fragment after a host. They end before a character that addresses
/// do not contain, an unmatched bracket, or punctuation that ends a sentence.
fn tail_end(text: &str, host: usize) -> usize {
    if !text[host..].starts_with(['/', '?', '#']) {
        return host;
    }
    let mut end = host;
    let mut open = Vec::with_capacity(MAX_DEPTH);
    let mut word = Word::None;
    for (offset, c) in text[host..].char_indices() {
        match c {
            '(' | '[' if open.len() < MAX_DEPTH => open.push(if c == '(' { ')' } else { ']' }),
            ')' | ']' if open.last() == Some(&c) => {
                open.pop();
            }
            _ if word.takes(c) => {}
            _ => break,
        }
        word = word.after(c);
        let closed = matches!(c, ')' | ']');
        if open.is_empty() && (closed || may_end(c)) {
            end = host + offset + c.len_utf8();
        }
    }
    end
}

/// The characters since the last ASCII sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    None,
    Ascii,
    Other,
}

impl Word {
    /// Returns whether an address continues with this character. Scripts without spaces and emoji
    /// continue it only at the start of a word: `/wiki/日本` is a path, and `/wiki/Redisを` is a path
    /// followed by a particle.
    fn takes(self, c: char) -> bool {
        if c.is_ascii() {
            return c.is_ascii_alphanumeric() || "!*';:=+,.$/%#_-~&|@?".contains(c);
        }
        if is_unspaced(c) || is_symbol(c) {
            return self != Self::Ascii;
        }
        is_alphanumeric(c) || is_joiner(c) || is_dash(c) || matches!(c, '’' | '·')
    }

    fn after(self, c: char) -> Self {
        match self {
            _ if c.is_ascii_punctuation() => Self::None,
            Self::None | Self::Ascii if c.is_ascii() => Self::Ascii,
            _ => Self::Other,
        }
    }
}

/// Returns whether the character more likely ends the address than the sentence around it.
fn may_end(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || "=_#/+-&".contains(c)
        || is_alphanumeric(c)
        || is_symbol(c) && !c.is_ascii()
}

/// Returns whether browsers read this as scheme, host and port, with a host that DNS can name.
fn is_origin(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| match url.host() {
        Some(Host::Domain(name)) => is_dns_name(name),
        other => other.is_some(),
    })
}

fn is_dns_name(name: &str) -> bool {
    name.len() <= 253 && name.split('.').all(|label| label.len() <= 63)
}
