//! A quoted status, and the page to write a quote.

use std::sync::Arc;

use crate::{
    store::Original,
    web::{
        fragments::{Fragment, Fragments},
        parts::{moment::Age, prelude::*},
        statuses::{
            byline::{TimeLink, byline, message, stamp, visibility_words},
            compose::ComposeForm,
        },
    },
};

/// The part of a quote that shows the quoted status.
#[derive(Debug)]
pub enum QuotedPart {
    Status(Quoted),
    /// It was deleted.
    Gap,
    /// Its author removed it.
    Detached,
}

impl QuotedPart {
    pub fn new(visit: &Visit, quoted: &Original) -> Self {
        match quoted {
            Original::Status(status) => Self::Status(Quoted::new(visit, status)),
            Original::Gap => Self::Gap,
            Original::Detached => Self::Detached,
        }
    }
}

/// A quoted status, without buttons.
#[derive(Debug, Template)]
#[template(path = "statuses/_quoted.html")]
pub struct Quoted {
    status: VisibleStatus,
    fragments: Arc<Fragments>,
    age: Age,
}

impl askama::filters::HtmlSafe for Quoted {}

impl Quoted {
    pub fn new(visit: &Visit, status: &VisibleStatus) -> Self {
        Self {
            age: Age::of(status.posted(), visit.now),
            status: status.clone(),
            fragments: Arc::clone(&visit.fragments),
        }
    }

    fn byline(&self) -> Fragment {
        byline(&self.fragments, self.status.author())
    }

    fn time_link(&self) -> TimeLink {
        let (row, posted) = (self.status.row_version(), self.status.posted());
        TimeLink::new(&self.status, stamp(&self.fragments, row, posted), self.age)
    }

    fn visibility_words(&self) -> Option<(&'static str, &'static str)> {
        visibility_words(&self.status)
    }

    fn message(&self) -> Fragment {
        let (row, text) = (self.status.row_version(), self.status.message());
        message(&self.fragments, row, text)
    }
}

#[derive(Debug, Template)]
#[template(path = "statuses/quote.html")]
pub struct QuotePage {
    layout: Layout,
    compose: ComposeForm,
    quoted: Quoted,
}

impl QuotePage {
    /// Creates the page to quote this status.
    pub fn new(visit: &Visit, quoted: &VisibleStatus, compose: ComposeForm) -> Self {
        Self {
            layout: Layout::new(visit, Section::Elsewhere, "Quote a post")
                .wrong_if(compose.has_error()),
            compose: compose.quoting(quoted.id(), quoted.widest_quote().unwrap_or_default()),
            quoted: Quoted::new(visit, quoted),
        }
    }
}
