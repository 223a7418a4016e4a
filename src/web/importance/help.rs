//! The help page about ranking, with the numbers of the code.

use askama::Template;

use crate::{
    actions::importance::CANDIDATES,
    domain::{AuthorPreference, PAGE_SIZE, Rule, Signals},
    web::{
        author_preferences::view::preference_label,
        parts::{
            layout::{Layout, Section},
            visit::Visit,
        },
    },
};

const HOUR_MS: u64 = 3_600_000;

#[derive(Debug, Template)]
#[template(path = "help/importance.html")]
pub struct ImportanceHelpPage {
    layout: Layout,
    /// A signal, and its points.
    rules: [(&'static str, Rule); 4],
    author_preferences: [(&'static str, String); 3],
    example: Example,
}

/// A post and its score, computed by the code.
#[derive(Debug)]
struct Example {
    signals: Signals,
    hours: u64,
    answers: u64,
    favourites: u64,
    score: String,
}

impl ImportanceHelpPage {
    #[must_use]
    pub fn new(visit: &Visit) -> Self {
        let layout = Layout::new(visit, Section::Elsewhere, "How ranking works")
            .described("The formula by which Redwing orders what is new, with all its numbers.");
        Self {
            layout,
            rules: [
                ("each person you follow who replied to it", Signals::ANSWERS),
                (
                    "each person you follow who favourited it",
                    Signals::FAVOURITES,
                ),
                ("each reply of yours to its author", Signals::ANSWERED),
                (
                    "each post by its author that you favourited",
                    Signals::FAVOURITED,
                ),
            ],
            author_preferences: AuthorPreference::ALL
                .map(|preference| (preference_label(preference), factor(preference))),
            example: Example::new(),
        }
    }

    fn base(&self) -> u64 {
        Signals::BASE
    }

    fn candidates(&self) -> usize {
        CANDIDATES
    }

    fn page_size(&self) -> usize {
        PAGE_SIZE
    }
}

impl Example {
    fn new() -> Self {
        let hours = 12;
        let signals = Signals {
            answers: 3,
            favourites: 2,
            age_ms: hours * HOUR_MS,
            weight: AuthorPreference::More,
            ..Signals::default()
        };
        Self {
            hours,
            answers: Signals::ANSWERS.points * signals.answers,
            favourites: Signals::FAVOURITES.points * signals.favourites,
            score: signals.score().to_string(),
            signals,
        }
    }
}

/// Returns the factor of a preference.
fn factor(preference: AuthorPreference) -> String {
    match (preference.halves() / 2, preference.halves() % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "½".to_owned(),
        (whole, _) => format!("{whole}½"),
    }
}
