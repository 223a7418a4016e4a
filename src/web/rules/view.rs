//! The page of the rules.

use crate::{
    domain::{RuleId, SiteRule},
    store::SiteProfile,
    web::parts::{markdown::Markdown, prelude::*},
};

#[derive(Debug, Template)]
#[template(path = "rules/rules.html")]
pub struct RulesPage {
    layout: Layout,
    rules: Vec<ShownRule>,
    /// How to reach the people who run the site.
    contact: Option<Markdown>,
}

/// A rule as it is shown.
#[derive(Debug)]
struct ShownRule {
    number: usize,
    id: RuleId,
    text: Markdown,
}

impl RulesPage {
    pub fn new(visit: &Visit, site: &SiteProfile) -> Self {
        let title = format!("Rules of {}", site.name);
        let has_contact = !site.contact.is_empty();
        Self {
            layout: Layout::new(visit, Section::Elsewhere, title)
                .described("The rules of this site, and how to reach the people who run it."),
            rules: site.rules().iter().map(ShownRule::new).collect(),
            contact: has_contact.then(|| Markdown::with_mentions(&site.contact)),
        }
    }
}

impl ShownRule {
    fn new(rule: &SiteRule) -> Self {
        Self {
            number: rule.number,
            id: rule.id,
            text: Markdown::with_mentions(&rule.text),
        }
    }
}
