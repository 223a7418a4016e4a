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
        let layout = Layout::new(visit, Section::Home, "A small place for the people you know").described(
            "Redwing is a small social network that a community runs for itself. Write, follow people, \
             read them in the order they wrote. No advertisements, no tracking.",
        );
        Self {
            layout,
            trending: Trending::few(trends),
        }
    }
}
