//! Finds mentions: `@` and a login.

use std::ops::Range;

use super::{
    TokenKind,
    characters::{after, before, is_alphanumeric, is_mark, is_word},
};
use crate::domain::Login;

/// Returns the mention by the `@` at this position. Earlier owners keep a login reserved later.
pub(super) fn mention_at(text: &str, at: usize) -> Option<(Range<usize>, TokenKind)> {
    let sign = after(text, at).filter(|c| is_at(*c))?;
    if before(text, at).is_some_and(joins) {
        return None;
    }
    let start = at + sign.len_utf8();
    let end = start + length_of_login(&text[start..]);
    if continues(text, end) || is_address(text, at, end) {
        return None;
    }
    Some((
        at..end,
        TokenKind::Mention(Login::stored(&text[start..end])?),
    ))
}

fn is_at(c: char) -> bool {
    matches!(c, '@' | '＠')
}

fn length_of_login(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .unwrap_or(text.len())
}

/// Returns whether an `@` after this is part of a word, an address or a swear-word.
fn joins(c: char) -> bool {
    is_word(c) || "_!#＃$%&*@＠".contains(c)
}

/// Returns whether the text after a login continues the same word or an address.
fn continues(text: &str, end: usize) -> bool {
    let goes_on = |c| is_at(c) || is_word(c) || is_mark(c);
    text[end..].starts_with("://") || after(text, end).is_some_and(goes_on)
}

/// Returns whether this is the `@` of an e-mail address, like `a+@example.org` or `田中@example.org`.
fn is_address(text: &str, at: usize, end: usize) -> bool {
    let named = text[..at]
        .chars()
        .rev()
        .find(|c| !".'+/=?^`{|}~-".contains(*c))
        .is_some_and(is_alphanumeric);
    let mut behind = text[end..].chars();
    named && behind.next() == Some('.') && behind.next().is_some_and(char::is_alphanumeric)
}
