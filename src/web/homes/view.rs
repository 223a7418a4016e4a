//! The home page of a member.

use std::{collections::HashMap, sync::Arc};

use askama::Template;

use crate::{
    actions::homes::HomeRead,
    domain::{Arrival, Cursor, FoldedTag, StatusId},
    store::{Suggestions, Trends, User},
    web::{
        importance::view::{HomeOrder, OrderTabs},
        parts::{
            layout::{Layout, Section},
            visit::Visit,
        },
        routes,
        statuses::{compose::ComposeForm, feed::Feed},
        tags::view::Trending,
    },
};

use super::{news::Summary, side};

/// The content of a home page.
#[derive(Debug)]
pub struct Home {
    /// The reader, for the counts beside the timeline; `None` leaves them out.
    pub user: Option<Arc<User>>,
    pub compose: ComposeForm,
    /// Where this page began; `None` on the first.
    pub before: Option<Cursor>,
    pub read: HomeRead,
    /// All are shown on an empty home, a few beside other homes.
    pub suggestions: Suggestions,
    /// Statuses that only a followed tag brought, with their tags.
    pub by_tags: HashMap<StatusId, FoldedTag>,
    /// A few of them are shown beside the timeline.
    pub trends: Arc<Trends>,
    /// Home is empty because everyone its owner follows is on an exclusive list.
    pub all_on_lists: bool,
}

#[derive(Debug, Template)]
#[template(path = "homes/home.html")]
pub struct HomePage {
    layout: Layout,
    profile_summary: Option<side::ProfileSummary>,
    compose: ComposeForm,
    /// The summary of new posts on the first page.
    summary: Option<Summary>,
    feed: Feed,
    first: bool,
    /// Where the stream of the first page continues.
    since: Arrival,
    order_tabs: OrderTabs,
    who_to_follow: side::WhoToFollow,
    trending: Trending,
    all_on_lists: bool,
}

impl HomePage {
    #[must_use]
    pub fn new(visit: &Visit, home: Home) -> Self {
        let here = routes::page(routes::HOME, home.before);
        let HomeRead {
            page,
            news,
            arrival,
        } = home.read;
        let who_to_follow = if page.is_empty() && home.before.is_none() {
            side::WhoToFollow::all(visit, &here, &home.suggestions)
        } else {
            side::WhoToFollow::shortened(visit, &here, &home.suggestions)
        };
        let summary = news.as_ref().and_then(Summary::new);
        let title = match &summary {
            Some(summary) => format!("({}) Home", summary.number),
            None => "Home".to_owned(),
        };
        let mut feed = Feed::new(visit, "Your timeline", routes::HOME, home.before, &page);
        if let Some(news) = &news {
            feed.draw_lines(news, home.before, &page);
        }
        feed.say_what_brought(visit, &home.by_tags, &page.items);
        Self {
            layout: Layout::new(visit, Section::Home, title).wrong_if(home.compose.has_error()),
            profile_summary: home.user.as_deref().map(side::ProfileSummary::new),
            compose: home.compose,
            summary: summary.filter(|_| home.before.is_none()),
            feed,
            first: home.before.is_none(),
            since: arrival.unwrap_or(Arrival::NONE),
            order_tabs: OrderTabs(HomeOrder::Latest),
            who_to_follow,
            trending: Trending::few(&home.trends),
            all_on_lists: home.all_on_lists,
        }
    }
}
