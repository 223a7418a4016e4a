//! The page of posts that mention the member.

use crate::web::{parts::prelude::*, statuses::feed::Feed};

#[derive(Debug, Template)]
#[template(path = "mentions/mentions.html")]
pub struct MentionsPage {
    layout: Layout,
    feed: Feed,
    first: bool,
}

impl MentionsPage {
    pub fn new(visit: &Visit, before: Option<Cursor>, page: &Page<VisibleStatus>) -> Self {
        let name = "Mentions";
        Self {
            layout: Layout::new(visit, Section::Profile, name),
            feed: Feed::new(visit, name, routes::MENTIONS, before, page),
            first: before.is_none(),
        }
    }
}
