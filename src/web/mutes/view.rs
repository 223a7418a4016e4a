//! The form to mute a person, the button that lifts a mute, and the page of muted people.

use crate::{
    domain::{FoldedTag, Mute, MuteTerm},
    store::Person,
    web::{
        parts::{button_form::ButtonForm, prelude::*},
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
    /// The muted tag, for a form that mutes one.
    text: Option<String>,
    effect: &'static str,
    choices: [TermChoice; 4],
}

impl askama::filters::HtmlSafe for MuteForm {}

/// A term of a mute with its words.
#[derive(Debug)]
pub struct TermChoice {
    pub term: MuteTerm,
    pub label: &'static str,
}

impl TermChoice {
    pub fn all() -> [Self; 4] {
        MuteTerm::ALL.map(|term| Self {
            term,
            label: term_label(term),
        })
    }
}

impl MuteForm {
    /// Creates the form for the page at the path `here`.
    pub fn new(visit: &Visit, here: &str, user: &User) -> Self {
        Self {
            csrf_token: visit.csrf_token.clone(),
            here: here.to_owned(),
            action: routes::mute(&user.login),
            name: user.name.clone(),
            text: None,
            effect: "Hides their posts and reposts from your home, lists and Important. You get no new \
                     notifications about them. They are not notified.",
            choices: TermChoice::all(),
        }
    }

    /// Creates the form that mutes a tag, for the page at the path `here`.
    pub fn of_tag(visit: &Visit, here: &str, tag: &FoldedTag) -> Self {
        let text = format!("#{tag}");
        Self {
            csrf_token: visit.csrf_token.clone(),
            here: here.to_owned(),
            action: routes::SETTINGS_MUTED_WORDS.to_owned(),
            name: text.clone(),
            text: Some(text),
            effect: "Hides posts with this tag from your home, lists and Important. You get no new \
                     notifications about them.",
            choices: TermChoice::all(),
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
            PersonRow::with_button(visit, person, button).remarking(until(visit, *mute, "them"))
        };
        Self {
            layout: Layout::new(visit, Section::Settings, "Muted people"),
            list: PeopleList::new(routes::SETTINGS_MUTED, before, page, row),
        }
    }
}

/// Returns the end of a mute of `them` or `it` in words.
pub fn until(visit: &Visit, mute: Mute, object: &str) -> String {
    match mute.until {
        Some(end) => format!("Muted until {}", visit.moment(end).full),
        None => format!("Muted until you unmute {object}"),
    }
}
