//! New posts on home since the last visit: how many, where they begin, and the lines between new
//! and seen posts.

use askama::Template;

use crate::{
    domain::{Cursor, StatusId},
    store::{News, VisibleStatus},
    web::{
        parts::{MAX_SHOWN_COUNT, capped_count, count},
        routes,
    },
};

/// How many posts are new, and a link to the oldest.
#[derive(Debug, Template)]
#[template(path = "homes/_new_posts.html")]
pub(in crate::web) struct Summary {
    /// `3`, or `99+`.
    pub(in crate::web) number: String,
    /// For a sentence: `3`, or `More than 99`.
    words: String,
    one: bool,
    oldest: Option<String>,
}

impl askama::filters::HtmlSafe for Summary {}

impl Summary {
    /// Returns `None` if nothing is new.
    pub(in crate::web) fn new(news: &News) -> Option<Self> {
        let words = match news.count {
            0 => return None,
            1..=MAX_SHOWN_COUNT => count(news.count),
            _ => format!("More than {MAX_SHOWN_COUNT}"),
        };
        let oldest = news.oldest;
        Some(Self {
            number: capped_count(news.count),
            words,
            one: news.count == 1,
            oldest: oldest.map(|oldest| routes::status_at_home(oldest.page, oldest.id)),
        })
    }
}

/// A line between new and seen statuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::web) enum Line {
    /// New statuses above, seen ones below.
    Seen,
    /// Seen statuses above. Those below arrived late or were on a skipped page.
    New,
}

impl Line {
    pub(in crate::web) fn words(self) -> &'static str {
        match self {
            Self::Seen => "Already seen",
            Self::New => "New",
        }
    }
}

/// Returns the lines above each status of a page that began at `before`. Own statuses are never
/// new, and do not cause a line.
pub(in crate::web) fn lines(
    news: &News,
    before: Option<Cursor>,
    statuses: &[VisibleStatus],
) -> Vec<Option<Line>> {
    let above = before.and_then(|cursor| StatusId::new(cursor.get()).ok());
    let mut above = above.map(|id| news.is_new(id));
    let line = |status: &VisibleStatus| {
        let new = news.is_new(status.id());
        if new && status.is_own() {
            return None;
        }
        match above.replace(new) {
            Some(true) if !new => Some(Line::Seen),
            Some(false) if new => Some(Line::New),
            _ => None,
        }
    };
    statuses.iter().map(line).collect()
}
