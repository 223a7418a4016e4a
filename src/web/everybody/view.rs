//! The page of the newest public posts.

use crate::{
    store::Trends,
    web::{
        homes::side::{SIDE_SUGGESTIONS, SideColumn, SideContent, WhoToFollow},
        importance::view::{HomeOrder, OrderTabs},
        parts::prelude::*,
        statuses::{compose::ComposeForm, feed::Feed},
        tags::view::Trending,
    },
};

#[derive(Debug, Template)]
#[template(path = "homes/everybody.html")]
pub struct EverybodyPage {
    layout: Layout,
    /// The tabs of home, for members.
    order_tabs: Option<OrderTabs>,
    /// The form of the first page, for members.
    compose: Option<ComposeForm>,
    feed: Feed,
    first: bool,
    trending: Trending,
    /// The suggestions above the posts, for a newcomer.
    who_to_follow: Option<WhoToFollow>,
    /// The column of home, for members. Visitors see the trending tags alone.
    side: Option<SideColumn>,
    /// Number of posts of one person per hour.
    share: u32,
}

impl EverybodyPage {
    pub fn new(
        visit: &Visit,
        before: Option<Cursor>,
        page: &Page<VisibleStatus>,
        (trends, share): (&Trends, u32),
    ) -> Self {
        let name = "Everybody";
        let here = routes::page(routes::EVERYBODY, before);
        let layout = Layout {
            canonical: Some(here),
            unlisted: page.is_empty(),
            ..Layout::new(visit, Section::Home, name)
        };
        let layout = layout.offering_newer_if(visit, before.is_none());
        Self {
            layout: layout.described(format!("The newest public posts on {}.", visit.site.name)),
            order_tabs: visit.me().map(|_| OrderTabs(HomeOrder::Everybody)),
            compose: None,
            feed: Feed::new(visit, "Posts by everybody", routes::EVERYBODY, before, page),
            first: before.is_none(),
            trending: Trending::few(trends),
            who_to_follow: None,
            side: None,
            share,
        }
    }

    /// Adds the parts for members: the form, the suggestions, and the column beside the posts.
    #[must_use]
    pub fn for_member(
        self,
        visit: &Visit,
        before: Option<Cursor>,
        (compose, side_content): (Option<ComposeForm>, &SideContent),
    ) -> Self {
        let here = routes::page(routes::EVERYBODY, before);
        let (who_to_follow, side) =
            side_content.place(visit, &here, (self.first, SIDE_SUGGESTIONS));
        Self {
            compose: compose.map(|compose| compose.by(side_content.user.as_deref())),
            who_to_follow,
            side: Some(side),
            ..self
        }
    }
}
