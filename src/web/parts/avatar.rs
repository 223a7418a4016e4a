//! A person's avatar without an image: initials on a colour derived from the id.

use askama::Template;
use unicode_segmentation::UnicodeSegmentation;

use crate::{
    domain::UserId,
    store::User,
    web::fragments::{Fragment, FragmentKind, Fragments},
};

/// Number of colours in the stylesheet (`hue-0` to `hue-23`).
const HUES: u64 = 24;
/// The colours between two people who signed up one after the other. 7 and 24 have no common divisor, so 24 people in a
/// row have different colours.
const HUE_STEP: u64 = 7;

#[derive(Debug, Template)]
#[template(path = "people/_avatar.html")]
pub struct Avatar {
    pub initials: String,
    pub hue: u64,
}

impl askama::filters::HtmlSafe for Avatar {}

impl Avatar {
    /// Returns the avatar of a person. Its colour stays after a change of the login.
    pub fn new(id: UserId, name: &str) -> Self {
        Self {
            initials: initials(name),
            hue: id.get() % HUES * HUE_STEP % HUES,
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
    let avatar = || Avatar::new(user.id, &user.name);
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::avatar::*;
    use crate::web::assets;

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
    fn people_who_sign_up_one_after_the_other_have_different_colours() {
        let hue = |id| Avatar::new(UserId::new(id).expect("in range"), "").hue;
        let all: HashSet<u64> = (0..HUES).collect();
        for first in [1, 7, 1000] {
            let hues: HashSet<u64> = (first..first + HUES).map(hue).collect();
            assert_eq!(hues, all);
        }
    }

    #[test]
    fn the_stylesheet_has_all_colours() {
        let (sheet, _) = assets::stylesheet();
        for hue in 0..HUES {
            let rule = format!(".avatar.hue-{hue}, .status.hue-{hue}::before {{ --hue: ");
            assert!(sheet.contains(&rule), "{hue}");
        }
        assert!(!sheet.contains(&format!(".hue-{HUES}")));
    }
}
