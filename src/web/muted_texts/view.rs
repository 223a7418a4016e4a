//! The page of muted words, phrases and tags, and the form to mute one.

use crate::{
    domain::{Mute, MuteTerm, MutedText},
    web::{
        mutes::view::{TermChoice, until},
        parts::{button_form::ButtonForm, prelude::*},
    },
};

#[derive(Debug, Template)]
#[template(path = "settings/_mute_text_form.html")]
pub struct MuteTextForm {
    csrf_token: String,
    errors: ErrorSummary,
    text: Field,
    term: MuteTerm,
    choices: [TermChoice; 4],
}

impl askama::filters::HtmlSafe for MuteTextForm {}

impl MuteTextForm {
    pub fn new(visit: &Visit, typed: Typed, term: MuteTerm) -> Self {
        const { assert!(MutedText::MAX_CHARACTERS == 100, "the hint says so") }
        let text = Field::new(Kind::Other, "text", "Word, phrase or #tag", typed)
            .with_hint("Up to 100 characters. Whole words, upper or lower case.");
        Self {
            csrf_token: visit.csrf_token.clone(),
            errors: ErrorSummary::of([&text]),
            text,
            term,
            choices: TermChoice::all(),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "settings/muted_texts.html")]
pub struct MutedTextsPage {
    layout: Layout,
    form: MuteTextForm,
    texts: Vec<Row>,
}

/// A muted text in the list.
#[derive(Debug)]
struct Row {
    text: String,
    until: String,
    button: ButtonForm,
}

impl MutedTextsPage {
    pub fn new(visit: &Visit, texts: &[(MutedText, Mute)], form: MuteTextForm) -> Self {
        let row = |(text, mute): &(MutedText, Mute)| Row {
            text: text.as_str().to_owned(),
            until: until(visit, *mute, "it"),
            button: unmute_button(visit, routes::SETTINGS_MUTED_WORDS, text.as_str()),
        };
        let title = "Muted words, phrases and tags";
        Self {
            layout: Layout::new(visit, Section::Settings, title).wrong_if(form.errors.has_some()),
            texts: texts.iter().map(row).collect(),
            form,
        }
    }
}

/// Creates the button that lifts the mute of a text, for the page at the path `here`.
pub fn unmute_button(visit: &Visit, here: &str, text: &str) -> ButtonForm {
    let path = (routes::UNMUTE_WORDS.to_owned(), here);
    let button = ButtonForm::new(visit, path, "unmute", ("Unmute", text.to_owned()));
    button.with_field("text", text.to_owned()).secondary()
}
