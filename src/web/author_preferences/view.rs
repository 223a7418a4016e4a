//! The form to see more or less of a followed person: three buttons, one of them pressed.

use askama::Template;

use crate::{
    domain::AuthorPreference,
    store::User,
    web::{parts::visit::Visit, routes},
};

#[derive(Debug, Template)]
#[template(path = "people/_author_preference.html")]
pub(in crate::web) struct PreferenceForm {
    csrf_token: String,
    /// The page of the form, to return to.
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
    /// Creates the form for the page at the path `here`.
    pub(in crate::web) fn new(
        visit: &Visit,
        here: &str,
        user: &User,
        preference: AuthorPreference,
    ) -> Self {
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

/// Returns the label of a preference.
pub(in crate::web) fn preference_label(preference: AuthorPreference) -> &'static str {
    match preference {
        AuthorPreference::More => "More",
        AuthorPreference::Normal => "Normal",
        AuthorPreference::Less => "Less",
    }
}
