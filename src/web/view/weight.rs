//! How much the reader asks for of somebody whom they follow: three buttons, of which one is pressed.

use askama::Template;

use crate::{domain::Weight, store::User, web::routes};

use super::Visit;

#[derive(Debug, Template)]
#[template(path = "people/_weight.html")]
pub(super) struct WeightForm {
    csrf_token: String,
    /// Where the form stands, to come back to.
    here: String,
    action: String,
    name: String,
    choices: [Choice; 3],
}

#[derive(Debug)]
struct Choice {
    weight: Weight,
    words: &'static str,
    chosen: bool,
}

impl WeightForm {
    /// For the page at the path `here`.
    pub(super) fn new(visit: &Visit, here: &str, user: &User, weight: Weight) -> Self {
        let choice = |each| Choice {
            weight: each,
            words: words(each),
            chosen: each == weight,
        };
        Self {
            csrf_token: visit.csrf_token.clone(),
            here: here.to_owned(),
            action: routes::weight(&user.login),
            name: user.name.clone(),
            choices: Weight::ALL.map(choice),
        }
    }
}

/// A weight, as pages name it.
pub(super) fn words(weight: Weight) -> &'static str {
    match weight {
        Weight::More => "More",
        Weight::Normal => "Normal",
        Weight::Less => "Less",
    }
}
