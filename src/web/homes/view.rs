//! The home page of a member.

use std::collections::HashMap;

use super::{
    new_posts::NewPostsSummary,
    side::{self, SideColumn, WhoToFollow},
};
use crate::{
    actions::homes::HomeRead,
    domain::{Arrival, FoldedTag},
    web::{
        importance::view::{HomeOrder, OrderTabs},
        parts::prelude::*,
        statuses::{compose::ComposeForm, feed::Feed},
    },
};

#[derive(Debug)]
pub struct Home {
    pub side_content: side::SideContent,
    pub compose: ComposeForm,
    /// Where this page began; `None` on the first.
    pub before: Option<Cursor>,
    pub read: HomeRead,
    /// Statuses that only a followed tag brought, with their tags.
    pub by_tags: HashMap<StatusId, FoldedTag>,
    /// Home is empty because everyone its owner follows is on an exclusive list.
    pub all_on_lists: bool,
}

#[derive(Debug, Template)]
#[template(path = "homes/home.html")]
pub struct HomePage {
    layout: Layout,
    compose: ComposeForm,
    /// The summary of new posts on the first page.
    summary: Option<NewPostsSummary>,
    feed: Feed,
    first: bool,
    /// Where the stream of the first page continues.
    since: Arrival,
    order_tabs: OrderTabs,
    /// The suggestions above the timeline, for a newcomer.
    who_to_follow: Option<WhoToFollow>,
    side: SideColumn,
    all_on_lists: bool,
}

impl HomePage {
    pub fn new(visit: &Visit, home: Home) -> Self {
        let here = routes::page(routes::HOME, home.before);
        let HomeRead {
            page,
            new_posts,
            arrival,
        } = home.read;
        let is_empty = page.is_empty() && home.before.is_none();
        let suggested = match is_empty {
            true => usize::MAX,
            false => side::SIDE_SUGGESTIONS,
        };
        let summary = new_posts.as_ref().and_then(NewPostsSummary::new);
        let title = match &summary {
            Some(summary) => format!("({}) Home", summary.number),
            None => "Home".to_owned(),
        };
        let mut feed = Feed::new(visit, "Your timeline", routes::HOME, home.before, &page);
        if let Some(new_posts) = &new_posts {
            feed.draw_lines(new_posts, home.before, &page);
        }
        feed.add_tag_reasons(visit, &home.by_tags, &page.items);
        let suggested = (home.before.is_none(), suggested);
        let (who_to_follow, side) = home.side_content.place(visit, &here, suggested);
        Self {
            layout: Layout::new(visit, Section::Home, title).wrong_if(home.compose.has_error()),
            compose: home.compose.by(home.side_content.user.as_deref()),
            summary: summary.filter(|_| home.before.is_none()),
            feed,
            first: home.before.is_none(),
            since: arrival.unwrap_or(Arrival::NONE),
            order_tabs: OrderTabs(HomeOrder::Latest),
            who_to_follow,
            side,
            all_on_lists: home.all_on_lists,
        }
    }
}
