//! The line above a repost.

use crate::web::parts::prelude::*;

/// The line above an original: the people who reposted it.
#[derive(Debug, Template)]
#[template(path = "statuses/_repost_line.html")]
pub struct RepostLine {
    who: String,
    profile: String,
    /// The address of the repost itself, for parsers.
    url: String,
    /// ` and 3 others`, or nothing.
    others: String,
    /// The original, if it has no other anchor on the page.
    pub anchor: Option<StatusId>,
}

impl askama::filters::HtmlSafe for RepostLine {}

impl RepostLine {
    pub fn new(entry: &VisibleStatus) -> Self {
        let author = entry.author();
        Self {
            who: if entry.is_own() {
                "You".to_owned()
            } else {
                author.name.clone()
            },
            profile: routes::profile(&author.login),
            url: routes::status(&author.login, entry.id()),
            others: match entry.other_reposter_count() {
                0 => String::new(),
                1 => " and 1 other".to_owned(),
                others => format!(" and {} others", count(others as u64)),
            },
            anchor: None,
        }
    }
}
