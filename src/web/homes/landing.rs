//! The landing page for visitors.

use crate::{
    store::Trends,
    web::{parts::prelude::*, tags::view::Trending},
};

#[derive(Debug, Template)]
#[template(path = "homes/landing.html")]
pub struct LandingPage {
    layout: Layout,
    trending: Trending,
}

impl LandingPage {
    pub fn new(visit: &Visit, trends: &Trends) -> Self {
        let about = match visit.site.description.as_str() {
            "" => format!(
                "{} is a small social network that a community runs for itself. Write, follow people, \
                 read them in the order they wrote. No advertisements, no tracking.",
                visit.site.name
            ),
            about => about.to_owned(),
        };
        let title = "A small place for the people you know";
        let layout = Layout::new(visit, Section::Home, title).described(about);
        Self {
            layout,
            trending: Trending::few(trends),
        }
    }
}
