//! The page of the shields.

use crate::{
    domain::{FieldConflicts, MAX_BLOCKED, ShownValues},
    web::parts::prelude::*,
};

/// The settings as they were typed.
#[derive(Debug)]
pub struct ShieldsTyped {
    pub holds_links: bool,
    pub reports_spam: bool,
    pub words: Typed,
    pub domains: Typed,
    pub addresses: Typed,
    /// The values with which the form was made.
    pub shown: ShownValues,
}

impl ShieldsTyped {
    /// Adds the errors of the lists that someone else changed too. A box has only two values, so two people who
    /// change it agree.
    #[must_use]
    pub fn in_conflict(self, conflicts: &FieldConflicts) -> Self {
        Self {
            words: self.words.in_conflict(conflicts.stored("blocked_words")),
            domains: self
                .domains
                .in_conflict(conflicts.stored("blocked_domains")),
            addresses: self
                .addresses
                .in_conflict(conflicts.stored("blocked_addresses")),
            shown: self.shown.with_conflicts(conflicts),
            ..self
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "shields/_form.html")]
pub struct ShieldsForm {
    csrf_token: String,
    shown: ShownValues,
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
            shown: typed.shown,
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
