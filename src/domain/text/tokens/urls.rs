//! Finds web addresses: `http://` or `https://`, a host with a dot in it, and what follows.

use std::ops::Range;

use url::{Host, Url};

use super::{
    characters::{before, is_alphanumeric, is_dash, is_joiner, is_symbol, is_unspaced},
    hosts::{host_end, is_host_character},
};

/// Brackets within brackets that an address may have.
const MAX_DEPTH: usize = 3;

/// The address that begins at this place.
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

/// Where an address ends that begins here without a scheme, if it has a path. It is no link, but
/// what is in it is no mention and no tag either: `example.org/@someone`.
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

/// Where a port ends that follows a host, or the host itself.
fn port_end(text: &str, host: usize) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    match text[host..].strip_prefix(':').map(digits) {
        Some(length @ 1..) => host + 1 + length,
        _ => host,
    }
}

/// Is what looked like host and port the beginning of `user:password@`? The address
/// `https://bank.example@evil.example` looks like the one and leads to the other.
fn names_a_user(rest: &str) -> bool {
    let ends = |c: char| c.is_whitespace() || matches!(c, '/' | '?' | '#');
    let authority = rest.split(ends).next().unwrap_or_default();
    authority.starts_with('@') || authority.starts_with(':') && authority.contains('@')
}

/// Where path, query and fragment end that may follow a host: before a character that is none of
/// an address, before a bracket without its partner, and before what ends a sentence.
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

/// What stands since the last sign of ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    None,
    Ascii,
    Other,
}

impl Word {
    /// Does an address go on with this? Of scripts without spaces, and of emoji, only what begins a
    /// word: `/wiki/日本` is a path, and `/wiki/Redisを` is one with a particle behind it.
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

/// Is this more likely the end of an address than of the sentence around it?
fn may_end(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || "=_#/+-&".contains(c)
        || is_alphanumeric(c)
        || is_symbol(c) && !c.is_ascii()
}

/// Is this what a browser takes for scheme, host and port, and is the host one that DNS can name?
fn is_origin(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| match url.host() {
        Some(Host::Domain(name)) => is_dns_name(name),
        other => other.is_some(),
    })
}

fn is_dns_name(name: &str) -> bool {
    name.len() <= 253 && name.split('.').all(|label| label.len() <= 63)
}
