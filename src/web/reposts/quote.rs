//! A quoted status, and the page to write a quote.

use askama::Template;

use crate::{
    store::VisibleStatus,
    web::{
        parts::{
            layout::{Layout, Section},
            made::Made,
            moment::{Age, Stamp},
            rich_text::RichText,
            visit::Visit,
        },
        statuses::{
            compose::ComposeForm,
            status_card::{byline, permalink},
        },
    },
};

/// A quoted status, without buttons.
#[derive(Debug, Template)]
#[template(path = "statuses/_quoted.html")]
pub(in crate::web) struct Quoted {
    status: VisibleStatus,
    age: Age,
}

impl askama::filters::HtmlSafe for Quoted {}

impl Quoted {
    pub(in crate::web) fn new(visit: &Visit, status: &VisibleStatus) -> Self {
        Self {
            age: Age::of(status.posted(), visit.now),
            status: status.clone(),
        }
    }

    fn permalink(&self) -> String {
        permalink(&self.status)
    }

    fn byline(&self) -> Made<'_> {
        byline(self.status.author())
    }

    fn stamp(&self) -> Made<'_> {
        Made::of(self.status.shown_time(), || Stamp::of(self.status.posted()))
    }

    fn message(&self) -> Made<'_> {
        let message = self.status.message();
        Made::of(self.status.shown_message(), || RichText::new(message))
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
