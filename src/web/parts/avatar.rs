//! A person's avatar without an image: initials on a colour derived from the login.

use askama::Template;
use unicode_segmentation::UnicodeSegmentation;

use crate::{
    domain::Login,
    store::User,
    web::fragments::{Fragment, FragmentKind, Fragments},
};

/// Number of colours in the stylesheet (`hue-0` to `hue-11`).
const HUES: u32 = 12;

#[derive(Debug, Template)]
#[template(path = "people/_avatar.html")]
pub struct Avatar {
    pub initials: String,
    pub hue: u32,
}

impl askama::filters::HtmlSafe for Avatar {}

impl Avatar {
    pub fn new(login: &Login, name: &str) -> Self {
        Self {
            initials: initials(name),
            hue: hue(&login.folded()),
        }
    }

    /// Returns the avatar of an account that cannot be named.
    pub fn unknown() -> Self {
        Self {
            initials: String::new(),
            hue: 0,
        }
    }
}

/// Returns a user's avatar as cached HTML.
pub fn avatar(fragments: &Fragments, user: &User) -> Fragment {
    let avatar = || Avatar::new(&user.login, &user.name);
    fragments.get(user.row_version, FragmentKind::Avatar, avatar)
}

/// Returns the first characters of the first and the last word.
pub fn initials(name: &str) -> String {
    let mut firsts = name
        .split_whitespace()
        .filter_map(|word| word.graphemes(true).next());
    let (first, last) = (firsts.next(), firsts.next_back());
    first
        .into_iter()
        .chain(last)
        .flat_map(str::chars)
        .flat_map(char::to_uppercase)
        .collect()
}

/// Hashes by FNV-1a: the same colour on every page and after every restart.
fn hue(folded_login: &str) -> u32 {
    let hash = folded_login.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    (hash >> 8) % HUES
}

#[cfg(test)]
mod tests {
    use super::super::avatar::*;

    #[test]
    fn initials_use_the_first_and_last_word() {
        let read = [
            "Ada Lovelace",
            "ada",
            "Anna Maria van der Meer",
            "",
            "👩🏽‍🌾 Ruth",
        ]
        .map(initials);
        assert_eq!(read, ["AL", "A", "AM", "", "👩🏽‍🌾R"]);
    }

    #[test]
    fn the_colour_of_a_login_ignores_case() {
        let hues =
            ["Ada", "ADA", "ada"].map(|text| Avatar::new(&Login::parse(text).unwrap(), "").hue);
        assert!(hues.iter().all(|hue| *hue == hues[0] && *hue < HUES));
    }
}
