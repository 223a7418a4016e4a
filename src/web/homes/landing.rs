//! The landing page for visitors.

use crate::{
    store::Trends,
    web::{parts::prelude::*, statuses::feed::Feed, tags::view::Trending},
};

/// Number of posts on the landing page.
pub const SHOWN_POSTS: usize = 5;

#[derive(Debug, Template)]
#[template(path = "homes/landing.html")]
pub struct LandingPage {
    layout: Layout,
    /// The newest public posts.
    feed: Feed,
    trending: Trending,
}

impl LandingPage {
    pub fn new(visit: &Visit, posts: Vec<VisibleStatus>, trends: &Trends) -> Self {
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
        let posts = Page {
            items: posts,
            next: None,
        };
        Self {
            layout,
            feed: Feed::new(visit, "Newest posts", routes::EVERYBODY, None, &posts),
            trending: Trending::few(trends),
        }
    }
}
