//! The line above a repost, and the button to hide a person's reposts.

use askama::Template;

use crate::{
    actions::follows::Reposts,
    domain::StatusId,
    store::{User, VisibleStatus},
    web::{
        parts::{count, visit::Visit},
        routes,
    },
};

/// The line above an original: the people who reposted it.
#[derive(Debug, Template)]
#[template(path = "statuses/_repost_line.html")]
pub(in crate::web) struct RepostLine {
    who: String,
    profile: String,
    /// ` and 3 others`, or nothing.
    others: String,
    /// The original, if it has no other anchor on the page.
    pub(in crate::web) anchor: Option<StatusId>,
}

impl askama::filters::HtmlSafe for RepostLine {}

impl RepostLine {
    /// Creates the line of a repost without a comment.
    pub(in crate::web) fn new(entry: &VisibleStatus) -> Self {
        let author = entry.author();
        Self {
            who: if entry.is_own() {
                "You".to_owned()
            } else {
                author.name.clone()
            },
            profile: routes::profile(&author.login),
            others: match entry.other_reposter_count() {
                0 => String::new(),
                1 => " and 1 other".to_owned(),
                others => format!(" and {} others", count(others as u64)),
            },
            anchor: None,
        }
    }
}

/// The button on the profile of a followed person.
#[derive(Debug, Template)]
#[template(path = "people/_hide_reposts_button.html")]
pub(in crate::web) struct HideRepostsButton {
    csrf_token: String,
    /// The page of the button, to return to.
    here: String,
    name: String,
    path: String,
    hidden: bool,
}

impl askama::filters::HtmlSafe for HideRepostsButton {}

impl HideRepostsButton {
    /// Creates the button for the page at the path `here`.
    pub(in crate::web) fn new(visit: &Visit, here: &str, user: &User, reposts: Reposts) -> Self {
        let hidden = reposts == Reposts::Hidden;
        Self {
            csrf_token: visit.csrf_token.clone(),
            here: here.to_owned(),
            name: user.name.clone(),
            path: if hidden {
                routes::show_reposts(&user.login)
            } else {
                routes::hide_reposts(&user.login)
            },
            hidden,
        }
    }
}
