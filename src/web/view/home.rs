//! The home timeline of a member.

use askama::Template;

use crate::{
    domain::{Cursor, Page},
    store::{Suggestions, User, VisibleStatus},
    web::routes,
};

use super::{ComposeForm, Layout, Section, Visit, feed::Feed, side};

/// What a home page is made of.
#[derive(Debug)]
pub struct Home {
    /// The reader, for the counts beside the timeline; `None` leaves them out.
    pub user: Option<User>,
    pub compose: ComposeForm,
    /// Where this page began; `None` on the first.
    pub before: Option<Cursor>,
    pub page: Page<VisibleStatus>,
    /// Shown in full on an empty home, a few of them beside a filled one.
    pub suggestions: Suggestions,
}

#[derive(Debug, Template)]
#[template(path = "homes/home.html")]
pub struct HomePage {
    layout: Layout,
    me: Option<side::Me>,
    compose: ComposeForm,
    feed: Feed,
    first: bool,
    who_to_follow: side::WhoToFollow,
}

impl HomePage {
    #[must_use]
    pub fn new(visit: &Visit, home: Home) -> Self {
        let here = routes::page(routes::HOME, home.before);
        let who_to_follow = if home.page.items.is_empty() && home.before.is_none() {
            side::WhoToFollow::all(visit, &here, &home.suggestions)
        } else {
            side::WhoToFollow::few(visit, &here, &home.suggestions)
        };
        Self {
            layout: Layout::new(visit, Section::Home, "Home").wrong_if(home.compose.has_error()),
            me: home.user.as_ref().map(side::Me::new),
            compose: home.compose,
            feed: Feed::new(
                visit,
                "Your timeline",
                routes::HOME,
                home.before,
                &home.page,
            ),
            first: home.before.is_none(),
            who_to_follow,
        }
    }
}
