//! The form to see more or less of a followed person: three buttons, one of them pressed.

use crate::{domain::AuthorPreference, web::parts::prelude::*};

#[derive(Debug, Template)]
#[template(path = "people/_author_preference.html")]
pub struct PreferenceForm {
    csrf_token: String,
    here: String,
    action: String,
    name: String,
    choices: [Choice; 3],
}

impl askama::filters::HtmlSafe for PreferenceForm {}

#[derive(Debug)]
struct Choice {
    preference: AuthorPreference,
    label: &'static str,
    chosen: bool,
}

impl PreferenceForm {
    pub fn new(visit: &Visit, here: &str, user: &User, preference: AuthorPreference) -> Self {
        let choice = |each| Choice {
            preference: each,
            label: preference_label(each),
            chosen: each == preference,
        };
        Self {
            csrf_token: visit.csrf_token.clone(),
            here: here.to_owned(),
            action: routes::author_preference(&user.login),
            name: user.name.clone(),
            choices: AuthorPreference::ALL.map(choice),
        }
    }
}

pub fn preference_label(preference: AuthorPreference) -> &'static str {
    match preference {
        AuthorPreference::More => "More",
        AuthorPreference::Normal => "Normal",
        AuthorPreference::Less => "Less",
    }
}
