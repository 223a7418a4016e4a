//! The help page about ranking, with the numbers of the code.

use crate::{
    actions::importance::CANDIDATES,
    domain::{AuthorPreference, PAGE_SIZE, SignalRule, Signals},
    web::{author_preferences::view::preference_label, parts::prelude::*},
};

const HOUR_MS: u64 = 3_600_000;

#[derive(Debug, Template)]
#[template(path = "help/importance.html")]
pub struct ImportanceHelpPage {
    layout: Layout,
    /// A signal, and its points.
    rules: [(&'static str, SignalRule); 4],
    author_preferences: [(&'static str, String); 3],
    example: Example,
}

/// A post and its score, computed by the code.
#[derive(Debug)]
struct Example {
    signals: Signals,
    hours: u64,
    replies: u64,
    favourites: u64,
    score: String,
}

impl ImportanceHelpPage {
    pub fn new(visit: &Visit) -> Self {
        let layout = Layout::new(visit, Section::Elsewhere, "How ranking works")
            .described("The formula that ranks new posts, with all its numbers.");
        Self {
            layout,
            rules: [
                ("each person you follow who replied to it", Signals::REPLIES),
                (
                    "each person you follow who favourited it",
                    Signals::FAVOURITES,
                ),
                (
                    "each reply of yours to its author",
                    Signals::REPLIES_BY_READER,
                ),
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
}

impl Example {
    fn new() -> Self {
        let hours = 12;
        let signals = Signals {
            replies: 3,
            favourites: 2,
            age_ms: hours * HOUR_MS,
            author_preference: AuthorPreference::More,
            ..Signals::default()
        };
        Self {
            hours,
            replies: Signals::REPLIES.points * signals.replies,
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
