//! What is said of reposts: who reposts what stands below, and whether those of somebody come to the
//! reader's home.

use askama::Template;

use crate::{
    domain::StatusId,
    store::{Reposts, User, VisibleStatus},
    web::{
        parts::{count, visit::Visit},
        routes,
    },
};

/// Above an original: who reposts it.
#[derive(Debug, Template)]
#[template(path = "statuses/_repost_line.html")]
pub(in crate::web) struct RepostLine {
    who: String,
    profile: String,
    /// ` and 3 others`, or nothing.
    others: String,
    /// The original, where no other place on the page has its name.
    pub(in crate::web) anchor: Option<StatusId>,
}

impl askama::filters::HtmlSafe for RepostLine {}

impl RepostLine {
    /// Of a repost without a comment.
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

/// On the profile of somebody the reader follows.
#[derive(Debug, Template)]
#[template(path = "people/_hide_button.html")]
pub(in crate::web) struct HideRepostsButton {
    csrf_token: String,
    /// Where the button stands, to come back to.
    here: String,
    name: String,
    path: String,
    hidden: bool,
}

impl askama::filters::HtmlSafe for HideRepostsButton {}

impl HideRepostsButton {
    /// For the page at the path `here`.
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
