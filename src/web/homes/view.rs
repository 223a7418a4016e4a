//! The home page of a member.

use std::{collections::HashMap, sync::Arc};

use super::{
    new_posts::NewPostsSummary,
    side::{self, SuggestionStyle},
};
use crate::{
    actions::homes::HomeRead,
    domain::{Arrival, FoldedTag},
    store::{Suggestions, Trends},
    web::{
        importance::view::{HomeOrder, OrderTabs},
        parts::prelude::*,
        statuses::{compose::ComposeForm, feed::Feed},
        tags::view::Trending,
    },
};

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
    summary: Option<NewPostsSummary>,
    feed: Feed,
    first: bool,
    /// Where the stream of the first page continues.
    since: Arrival,
    order_tabs: OrderTabs,
    who_to_follow: side::WhoToFollow,
    /// Suggestions stay above the timeline until the reader follows a few people.
    is_newcomer: bool,
    trending: Trending,
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
        let following = home.user.as_deref().map(|user| user.following);
        let is_newcomer = home.before.is_none()
            && following.is_some_and(|following| following < side::NEWCOMER_FOLLOWS);
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
        let style = match is_newcomer || is_empty {
            true => SuggestionStyle::Full,
            false => SuggestionStyle::Compact,
        };
        let who_to_follow =
            side::WhoToFollow::new(visit, &here, &home.suggestions, (suggested, style));
        Self {
            layout: Layout::new(visit, Section::Home, title).wrong_if(home.compose.has_error()),
            profile_summary: home.user.as_deref().map(side::ProfileSummary::new),
            compose: home.compose.by(home.user.as_deref()),
            summary: summary.filter(|_| home.before.is_none()),
            feed,
            first: home.before.is_none(),
            since: arrival.unwrap_or(Arrival::NONE),
            order_tabs: OrderTabs(HomeOrder::Latest),
            who_to_follow,
            is_newcomer,
            trending: Trending::few(&home.trends),
            all_on_lists: home.all_on_lists,
        }
    }
}
