//! The page of the rules.

use crate::{
    domain::SiteRule,
    store::SiteProfile,
    web::parts::{prelude::*, rich_text::RichText},
};

#[derive(Debug, Template)]
#[template(path = "rules/rules.html")]
pub struct RulesPage {
    layout: Layout,
    rules: Vec<SiteRule>,
    /// How to reach those who run the site, with links.
    contact: Option<RichText>,
}

impl RulesPage {
    pub fn new(visit: &Visit, site: &SiteProfile) -> Self {
        let title = format!("Rules of {}", site.name);
        let has_contact = !site.contact.is_empty();
        Self {
            layout: Layout::new(visit, Section::Elsewhere, title)
                .described("The rules of this site, and how to reach the people who run it."),
            rules: site.rules().to_vec(),
            contact: has_contact.then(|| RichText::new(&site.contact)),
        }
    }
}
