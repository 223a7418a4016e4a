//! New posts on home since the last visit: how many, where they begin, and the lines between new
//! and seen posts.

use crate::{
    store::NewPosts,
    web::parts::{MAX_SHOWN_COUNT, capped_count, prelude::*},
};

/// How many posts are new, and a link to the oldest.
#[derive(Debug, Template)]
#[template(path = "homes/_new_posts.html")]
pub struct NewPostsSummary {
    /// `3`, or `99+`.
    pub number: String,
    /// For a sentence: `3`, or `More than 99`.
    words: String,
    one: bool,
    oldest: Option<String>,
}

impl askama::filters::HtmlSafe for NewPostsSummary {}

impl NewPostsSummary {
    /// Returns `None` if nothing is new.
    pub fn new(new_posts: &NewPosts) -> Option<Self> {
        let words = match new_posts.count {
            0 => return None,
            1..=MAX_SHOWN_COUNT => count(new_posts.count),
            _ => format!("More than {MAX_SHOWN_COUNT}"),
        };
        let oldest = new_posts.oldest;
        Some(Self {
            number: capped_count(new_posts.count),
            words,
            one: new_posts.count == 1,
            oldest: oldest.map(|oldest| routes::status_at_home(oldest.page, oldest.id)),
        })
    }
}

/// A line between new and seen statuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewPostsLine {
    /// New statuses above, seen ones below, with further new ones among them.
    Seen,
    /// Seen statuses above. Those below arrived late or were on a skipped page.
    New,
    /// New statuses above, none below.
    CaughtUp,
}

/// The part of a page that shows a line.
#[derive(Debug, Template)]
#[template(path = "homes/_line.html")]
pub struct LinePart(pub NewPostsLine);

impl askama::filters::HtmlSafe for LinePart {}

/// The lines of a page.
pub struct Lines {
    /// The line above each status.
    pub above: Vec<Option<NewPostsLine>>,
    /// The line below the last status.
    pub below: Option<NewPostsLine>,
}

impl Lines {
    /// Returns the lines of a page that began at `before`. Own statuses are never new, and do not cause
    /// a line.
    pub fn new(new_posts: &NewPosts, before: Option<Cursor>, page: &Page<VisibleStatus>) -> Self {
        let previous = before.and_then(|cursor| StatusId::new(cursor.get()).ok());
        let mut is_previous_new = previous.map(|id| new_posts.is_new(id));
        let mut above = Vec::with_capacity(page.items.len());
        for status in &page.items {
            let is_new = new_posts.is_new(status.id());
            if is_new && status.is_own() {
                above.push(None);
                continue;
            }
            above.push(match is_previous_new.replace(is_new) {
                Some(true) if !is_new => Some(line_below_new(new_posts, status.id())),
                Some(false) if is_new => Some(NewPostsLine::New),
                _ => None,
            });
        }
        let ends_with_new = is_previous_new == Some(true) && page.next.is_none();
        let below = ends_with_new.then_some(NewPostsLine::CaughtUp);
        Self { above, below }
    }
}

/// Returns the line between a new status and this seen one.
fn line_below_new(new_posts: &NewPosts, seen: StatusId) -> NewPostsLine {
    match new_posts.oldest {
        Some(oldest) if oldest.id < seen => NewPostsLine::Seen,
        _ => NewPostsLine::CaughtUp,
    }
}
