//! The form to mute a person, the button that lifts a mute, and the page of muted people.

use crate::{
    domain::{Mute, MuteTerm},
    store::Person,
    web::{
        parts::{button_form::ButtonForm, moment::Moment, prelude::*},
        people::{people_list::PeopleList, person_row::PersonRow},
    },
};

/// The form to mute a person: a button for each term.
#[derive(Debug, Template)]
#[template(path = "people/_mute_form.html")]
pub struct MuteForm {
    csrf_token: String,
    /// The page of the form, to return to.
    here: String,
    action: String,
    name: String,
    choices: [Choice; 4],
}

impl askama::filters::HtmlSafe for MuteForm {}

#[derive(Debug)]
struct Choice {
    term: MuteTerm,
    label: &'static str,
}

impl MuteForm {
    /// Creates the form for the page at the path `here`.
    pub fn new(visit: &Visit, here: &str, user: &User) -> Self {
        let choice = |term| Choice {
            term,
            label: term_label(term),
        };
        Self {
            csrf_token: visit.csrf_token.clone(),
            here: here.to_owned(),
            action: routes::mute(&user.login),
            name: user.name.clone(),
            choices: MuteTerm::ALL.map(choice),
        }
    }
}

fn term_label(term: MuteTerm) -> &'static str {
    match term {
        MuteTerm::Hour => "For 1 hour",
        MuteTerm::Day => "For 1 day",
        MuteTerm::Week => "For 7 days",
        MuteTerm::Forever => "Until I unmute",
    }
}

/// Creates the button that lifts the mute of a person, for the page at the path `here`.
pub fn unmute_button(visit: &Visit, here: &str, user: &User) -> ButtonForm {
    let label = ("Unmute", user.name.clone());
    ButtonForm::new(visit, (routes::unmute(&user.login), here), "unmute", label).secondary()
}

#[derive(Debug, Template)]
#[template(path = "settings/muted.html")]
pub struct MutedPage {
    layout: Layout,
    list: PeopleList,
}

impl MutedPage {
    /// Creates the page of muted people that began at `before`.
    pub fn new(visit: &Visit, before: Option<Cursor>, page: &Page<(Person, Mute)>) -> Self {
        let row = |here: &str, (person, mute): &(Person, Mute)| {
            let button = unmute_button(visit, here, &person.user);
            PersonRow::with_button(visit, person, button).remarking(until(visit, *mute))
        };
        Self {
            layout: Layout::new(visit, Section::Settings, "Muted people"),
            list: PeopleList::new(routes::SETTINGS_MUTED, before, page, row),
        }
    }
}

/// Returns the end of a mute in words.
pub fn until(visit: &Visit, mute: Mute) -> String {
    match mute.until {
        Some(end) => format!("Muted until {}", Moment::new(end, visit.now).full),
        None => "Muted until you unmute them".to_owned(),
    }
}
