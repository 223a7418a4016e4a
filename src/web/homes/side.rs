//! The column beside home: the reader's profile, and suggestions.

use askama::Template;

use crate::{
    store::{Suggestions, User},
    web::{
        parts::{avatar::Avatar, visit::Visit},
        people::{counts::Counts, person_row::PersonRow},
        routes,
    },
};

/// Number of people of each kind that are suggested beside the timeline. An empty home shows all.
const SIDE_SUGGESTIONS: usize = 3;

/// The reader's name and counts.
#[derive(Debug, Template)]
#[template(path = "people/_profile_summary.html")]
pub(in crate::web) struct ProfileSummary {
    name: String,
    login: String,
    profile: String,
    counts: Counts,
    avatar: Avatar,
    own_links: OwnLinks,
}

impl askama::filters::HtmlSafe for ProfileSummary {}

impl ProfileSummary {
    pub(in crate::web) fn new(user: &User) -> Self {
        Self {
            name: user.name.clone(),
            login: user.login.to_string(),
            profile: routes::profile(&user.login),
            counts: Counts::new(user).live(),
            avatar: Avatar::new(&user.login, &user.name),
            own_links: OwnLinks,
        }
    }
}

/// Links to the reader's own pages.
#[derive(Debug, Template)]
#[template(path = "people/_own_links.html")]
pub(in crate::web) struct OwnLinks;

impl askama::filters::HtmlSafe for OwnLinks {}

/// Suggested people.
#[derive(Debug, Template)]
#[template(path = "people/_who_to_follow.html")]
pub(in crate::web) struct WhoToFollow {
    most_followed: Vec<PersonRow>,
    newest: Vec<PersonRow>,
}

impl askama::filters::HtmlSafe for WhoToFollow {}

impl WhoToFollow {
    /// Shows all suggestions, on an empty home.
    pub(in crate::web) fn all(visit: &Visit, here: &str, suggestions: &Suggestions) -> Self {
        Self::at_most(usize::MAX, visit, here, suggestions)
    }

    /// Shows a few of them.
    pub(in crate::web) fn shortened(visit: &Visit, here: &str, suggestions: &Suggestions) -> Self {
        Self::at_most(SIDE_SUGGESTIONS, visit, here, suggestions)
    }

    /// Shows at most this many of the most followed and of the newest, each person once.
    fn at_most(count: usize, visit: &Visit, here: &str, suggestions: &Suggestions) -> Self {
        let most_followed = suggestions
            .most_followed
            .get(..count)
            .unwrap_or(&suggestions.most_followed);
        let shown = |id| most_followed.iter().any(|person| person.user.id == id);
        let newest = suggestions
            .newest
            .iter()
            .filter(|person| !shown(person.user.id))
            .take(count);
        Self {
            newest: newest
                .map(|person| PersonRow::new(visit, here, person))
                .collect(),
            most_followed: most_followed
                .iter()
                .map(|person| PersonRow::new(visit, here, person))
                .collect(),
        }
    }

    pub(in crate::web) fn is_empty(&self) -> bool {
        self.most_followed.is_empty() && self.newest.is_empty()
    }
}
