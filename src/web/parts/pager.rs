//! Links to older entries and back to the newest.

use askama::Template;

use crate::{
    domain::{Cursor, Further},
    web::routes,
};

#[derive(Debug, Template)]
#[template(path = "layouts/_pager.html")]
pub struct Pager {
    /// The page with the newest entries, on every page but the first.
    pub newest: Option<String>,
    /// The page with older entries, except at the end.
    pub older: Option<String>,
    back: &'static str,
    pub onward: &'static str,
    /// The text at the end of the list.
    end: &'static str,
}

impl askama::filters::HtmlSafe for Pager {}

impl Pager {
    /// Creates the pager of the list at `path`, with a page from `before` that continues at
    /// `next`.
    pub fn new(path: &str, before: Option<Cursor>, next: Option<Cursor>) -> Self {
        Self {
            newest: before.map(|_| path.to_owned()),
            older: next.map(|cursor| routes::older(path, cursor)),
            back: "Newest",
            onward: "Older",
            end: "No more posts.",
        }
    }

    /// Creates the pager of a page of the ranked home that continues at `next`.
    pub fn of_important(further: Option<Further>, next: Option<Further>) -> Self {
        Self {
            newest: further.map(|_| routes::important(None)),
            older: next.map(|next| routes::important(Some(next))),
            back: "Most important",
            onward: "Less important",
            end: "No more posts.",
        }
    }

    /// Words the links for a queue, which shows the oldest entries first.
    pub fn of_queue(self) -> Self {
        Self {
            back: "Longest waiting",
            onward: "Newer",
            end: "No one else waits.",
            ..self
        }
    }

    /// Sets the text at the end of a list that does not contain posts.
    pub fn ending_with(self, end: &'static str) -> Self {
        Self { end, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::super::pager::*;

    #[test]
    fn the_last_page_has_no_next_link() {
        let html = |next| {
            Pager::new("/@ada", Some(Cursor::before(9)), next)
                .render()
                .unwrap()
        };
        assert!(html(Some(Cursor::before(5))).contains(r#"rel=next href="/@ada?before=5""#));
        assert!(!html(None).contains("rel="));
    }
}
