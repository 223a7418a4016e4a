//! One status on a page of its own, and the question before it is deleted.

use askama::Template;

use crate::{
    store::{Progress as Delivered, VisibleStatus},
    web::routes,
};

use super::{Layout, StatusCard, Visit, act::Act, layout::section_of, progress::Progress};

/// How much of a message stands in a title, in characters.
const EXCERPT_CHARACTERS: usize = 60;

#[derive(Debug, Template)]
#[template(path = "statuses/permalink.html")]
pub struct PermalinkPage {
    layout: Layout,
    status: StatusCard,
    act: Option<Act>,
    /// For its author, while it is being delivered.
    progress: Option<Progress>,
}

impl PermalinkPage {
    #[must_use]
    pub fn new(visit: &Visit, status: &VisibleStatus, delivered: Option<Delivered>) -> Self {
        let author = status.author();
        let title = format!("{}: {}", author.name, excerpt(status.opening()));
        let layout = Layout::new(visit, section_of(visit, author.id), title).described(format!(
            "A post by {} (@{}) on Redwing.",
            author.name, author.login
        ));
        let here = routes::status(&author.login, status.id());
        Self {
            layout,
            status: StatusCard::new(visit, status),
            act: Act::new(visit, &here),
            progress: delivered
                .and_then(|delivered| Progress::new(visit, status.posted(), delivered)),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "statuses/delete.html")]
pub struct DeletePage {
    layout: Layout,
    status: StatusCard,
    action: String,
    /// Where it was asked for, to come back to.
    next: String,
}

impl DeletePage {
    /// Asks about that status, which is the viewer's own; `next` is the page to go on to.
    #[must_use]
    pub fn new(visit: &Visit, status: &VisibleStatus, next: &str) -> Self {
        let layout = Layout::new(
            visit,
            section_of(visit, status.author().id),
            "Delete this post?",
        );
        let card = StatusCard::new(visit, status).only_to_read();
        Self {
            layout,
            status: card,
            action: routes::delete_status(status.id()),
            next: next.to_owned(),
        }
    }
}

/// The first words on one line, with an ellipsis where there are more.
pub(super) fn excerpt(message: &str) -> String {
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(EXCERPT_CHARACTERS) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_holds_the_first_words_of_a_message() {
        assert_eq!(excerpt("two\nlines  here"), "two lines here");
        assert_eq!(excerpt(&"é".repeat(61)), format!("{}…", "é".repeat(60)));
    }
}
