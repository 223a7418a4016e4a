//! The form to block a person, and the page of blocked people.

use crate::{
    store::Person,
    web::{
        parts::prelude::*,
        settings::related_people::{RelatedPeoplePage, RelatedPerson, Texts},
    },
};

const TEXTS: Texts = Texts {
    path: routes::SETTINGS_BLOCKED,
    title: "Blocked people",
    empty_title: "You have not blocked anyone",
    empty: "Block people on their profile. You and they then no longer see each other.",
};

/// The form to block a person.
#[derive(Debug, Template)]
#[template(path = "people/_block_form.html")]
pub struct BlockForm {
    csrf_token: String,
    action: String,
    name: String,
}

impl askama::filters::HtmlSafe for BlockForm {}

impl BlockForm {
    pub fn new(visit: &Visit, user: &User) -> Self {
        Self {
            csrf_token: visit.csrf_token.clone(),
            action: routes::block(&user.login),
            name: user.name.clone(),
        }
    }
}

/// The button that lifts a block.
#[derive(Debug, Template)]
#[template(path = "settings/_unblock_button.html")]
pub struct UnblockButton {
    csrf_token: String,
    login: String,
    name: String,
}

impl askama::filters::HtmlSafe for UnblockButton {}

/// Creates the page of blocked people that began at `before`.
pub fn blocked_page(
    visit: &Visit,
    before: Option<Cursor>,
    page: &Page<Person>,
) -> RelatedPeoplePage<UnblockButton> {
    let row = |person: &Person| {
        let button = UnblockButton {
            csrf_token: visit.csrf_token.clone(),
            login: person.user.login.to_string(),
            name: person.user.name.clone(),
        };
        RelatedPerson::new(&person.user, button)
    };
    let people = page.items.iter().map(row).collect();
    RelatedPeoplePage::new(visit, TEXTS, (before, page.next), people)
}
