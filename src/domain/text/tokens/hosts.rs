//! Finds the end of a host: names with a dot, in any script, and IP addresses.

use super::characters::{is_alphanumeric, is_joiner, is_mark, is_symbol};

/// Above the bytes of any name of 253 characters, in every script.
const MAX_BYTES: usize = 1024;

/// Returns the end of the host that starts at this position.
pub(super) fn host_end(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    if let Some(inside) = rest.strip_prefix('[') {
        let length = inside.find(|c: char| !c.is_ascii_hexdigit() && !matches!(c, ':' | '.'))?;
        return inside[length..].starts_with(']').then_some(at + length + 2);
    }
    let length = rest.find(|c| !is_host_character(c)).unwrap_or(rest.len());
    if length > MAX_BYTES {
        return None;
    }
    let name = without_suffix(&rest[..length])?;
    is_host(name).then_some(at + name.len())
}

pub(super) fn is_host_character(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    }
    is_alphanumeric(c) || is_symbol(c) || is_joiner(c) || c == '·'
}

/// Removes dots that end a sentence, and text right after the last label. A label that starts in ASCII
/// is ASCII to its end. `None` if a mark would be separated from its letter.
fn without_suffix(run: &str) -> Option<&str> {
    let run = run.split("..").next().unwrap_or_default();
    let run = run.trim_end_matches('.');
    let last = run.rfind('.').map_or(0, |dot| dot + 1);
    let label = &run[last..];
    if !label.starts_with(|c: char| c.is_ascii()) {
        return Some(run);
    }
    match label.char_indices().find(|(_, c)| !c.is_ascii()) {
        Some((_, c)) if is_mark(c) || is_joiner(c) => None,
        Some((length, _)) => Some(&run[..last + length]),
        None => Some(run),
    }
}

/// Returns whether it is a host: labels joined by dots, none empty or with `-` or `_` at an end, and `_`
/// only before the last two labels.
fn is_host(name: &str) -> bool {
    let labels = name.split('.').count();
    let sound = |(number, label): (usize, &str)| {
        !label.is_empty()
            && !label.starts_with(['-', '_'])
            && !label.ends_with(['-', '_'])
            && (number + 2 < labels || !label.contains('_'))
    };
    labels >= 2 && name.split('.').enumerate().all(sound) && ends_as_a_host(name)
}

/// Returns whether the last label can be a top-level domain, or the whole is an IPv4 address.
fn ends_as_a_host(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or_default();
    let letters = last.bytes().all(|byte| byte.is_ascii_alphabetic()) && last.len() >= 2;
    let foreign = last.starts_with(|c: char| !c.is_ascii());
    let encoded = last
        .get(..4)
        .is_some_and(|start| start.eq_ignore_ascii_case("xn--"));
    letters || foreign || encoded || is_ipv4(name)
}

fn is_ipv4(name: &str) -> bool {
    name.split('.').count() == 4
        && name
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
}
