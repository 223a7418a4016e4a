//! The page of the shields.

use crate::{domain::MAX_BLOCKED, web::parts::prelude::*};

/// The settings as they were typed.
#[derive(Debug)]
pub struct ShieldsTyped {
    pub holds_links: bool,
    pub reports_spam: bool,
    pub words: Typed,
    pub domains: Typed,
    pub addresses: Typed,
}

#[derive(Debug, Template)]
#[template(path = "shields/_form.html")]
pub struct ShieldsForm {
    csrf_token: String,
    errors: ErrorSummary,
    holds_links: bool,
    reports_spam: bool,
    words: Field,
    domains: Field,
    addresses: Field,
}

impl askama::filters::HtmlSafe for ShieldsForm {}

impl ShieldsForm {
    pub fn new(visit: &Visit, typed: ShieldsTyped) -> Self {
        const { assert!(MAX_BLOCKED == 200, "the hints say so") }
        let words = Field::new(Kind::Paragraph, "words", "Blocked words", typed.words).with_hint(
            "Posts with these words, phrases or #tags are refused. One on each line, at most 200.",
        );
        let domains = Field::new(Kind::Paragraph, "domains", "Blocked domains", typed.domains)
            .with_hint(
                "Posts with links to these domains, such as example.com, are refused. One on each line, at most 200.",
            );
        let addresses = Field::new(
            Kind::Paragraph,
            "addresses",
            "Blocked addresses",
            typed.addresses,
        )
        .with_hint(
            "Nobody signs up from these addresses or ranges, such as 198.51.100.0/24. Members there can log in. \
             One on each line, at most 200.",
        );
        Self {
            csrf_token: visit.csrf_token.clone(),
            errors: ErrorSummary::of([&words, &domains, &addresses]),
            holds_links: typed.holds_links,
            reports_spam: typed.reports_spam,
            words,
            domains,
            addresses,
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "shields/edit.html")]
pub struct ShieldsPage {
    layout: Layout,
    form: ShieldsForm,
}

impl ShieldsPage {
    pub fn new(visit: &Visit, form: ShieldsForm) -> Self {
        let layout = Layout::new(visit, Section::Settings, "Shields against spam")
            .wrong_if(form.errors.has_some());
        Self { layout, form }
    }
}
