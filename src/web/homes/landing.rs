//! The landing page for visitors.

use crate::{
    store::{RecentAuthors, Trends},
    web::{
        parts::{count, prelude::*},
        statuses::feed::Feed,
        tags::view::Trending,
    },
};

/// Number of posts on the landing page.
pub const SHOWN_POSTS: usize = 5;

#[derive(Debug, Template)]
#[template(path = "homes/landing.html")]
pub struct LandingPage {
    layout: Layout,
    /// The newest public posts.
    feed: Feed,
    /// The number of people who posted lately, in words.
    recent_authors: Option<String>,
    trending: Trending,
}

impl LandingPage {
    pub fn new(
        visit: &Visit,
        posts: Vec<VisibleStatus>,
        authors: RecentAuthors,
        trends: &Trends,
    ) -> Self {
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
            feed: Feed::new(visit, "Newest posts", routes::EVERYBODY, None, &posts)
                .named_by_heading(),
            recent_authors: recent_authors_sentence(authors),
            trending: Trending::few(trends),
        }
    }
}

fn recent_authors_sentence(authors: RecentAuthors) -> Option<String> {
    let number = count(authors.people as u64);
    let people = match authors.people {
        0 => return None,
        1 => "1 person".to_owned(),
        _ if authors.is_minimum => format!("More than {number} people"),
        _ => format!("{number} people"),
    };
    Some(format!("{people} posted in the last 24 hours."))
}
