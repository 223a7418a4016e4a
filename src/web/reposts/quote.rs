//! A quoted status, and the page to write a quote.

use std::sync::Arc;

use askama::Template;

use crate::{
    store::VisibleStatus,
    web::{
        fragments::{Fragment, Fragments},
        parts::{
            layout::{Layout, Section},
            moment::Age,
            visit::Visit,
        },
        statuses::{
            byline::{byline, message, permalink, stamp},
            compose::ComposeForm,
        },
    },
};

/// A quoted status, without buttons.
#[derive(Debug, Template)]
#[template(path = "statuses/_quoted.html")]
pub(in crate::web) struct Quoted {
    status: VisibleStatus,
    fragments: Arc<Fragments>,
    age: Age,
}

impl askama::filters::HtmlSafe for Quoted {}

impl Quoted {
    pub(in crate::web) fn new(visit: &Visit, status: &VisibleStatus) -> Self {
        Self {
            age: Age::of(status.posted(), visit.now),
            status: status.clone(),
            fragments: Arc::clone(&visit.fragments),
        }
    }

    fn permalink(&self) -> String {
        permalink(&self.status)
    }

    fn byline(&self) -> Fragment {
        byline(&self.fragments, self.status.author())
    }

    fn stamp(&self) -> Fragment {
        let (row, posted) = (self.status.row_version(), self.status.posted());
        stamp(&self.fragments, row, posted)
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
    #[must_use]
    pub fn new(visit: &Visit, quoted: &VisibleStatus, compose: ComposeForm) -> Self {
        Self {
            layout: Layout::new(visit, Section::Elsewhere, "Quote a post")
                .wrong_if(compose.has_error()),
            compose: compose.quoting(quoted.id()),
            quoted: Quoted::new(visit, quoted),
        }
    }
}
