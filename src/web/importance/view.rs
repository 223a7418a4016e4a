//! The ranked home, and the tabs Latest, Important and Everybody.

use std::collections::HashMap;

use super::ranking_reasons::Kind;
use crate::{
    actions::importance::{CANDIDATES, ImportantRead},
    domain::{FoldedTag, Further, PAGE_SIZE},
    web::{
        homes::side::{SIDE_SUGGESTIONS, SideColumn, SideContent, WhoToFollow},
        parts::prelude::*,
        statuses::{compose::ComposeForm, feed::Feed},
    },
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HomeOrder {
    Latest,
    Important,
    Everybody,
}

#[derive(Debug, Template)]
#[template(path = "homes/_order_tabs.html")]
pub struct OrderTabs(pub HomeOrder);

impl askama::filters::HtmlSafe for OrderTabs {}

#[derive(Debug)]
pub struct Important {
    pub side_content: SideContent,
    /// The form of the first page.
    pub compose: Option<ComposeForm>,
    /// Where this page began; `None` on the first.
    pub further: Option<Further>,
    pub read: ImportantRead,
    /// Statuses that only a followed tag brought, with their tags.
    pub by_tags: HashMap<StatusId, FoldedTag>,
}

#[derive(Debug, Template)]
#[template(path = "homes/important.html")]
pub struct ImportantPage {
    layout: Layout,
    /// The suggestions above the posts, for a newcomer.
    who_to_follow: Option<WhoToFollow>,
    side: SideColumn,
    order_tabs: OrderTabs,
    compose: Option<ComposeForm>,
    /// Which posts are ranked, in a sentence.
    ranked_posts_text: String,
    feed: Feed,
    first: bool,
}

impl ImportantPage {
    pub fn new(visit: &Visit, important: Important) -> Self {
        let Important {
            side_content,
            compose,
            further,
            read,
            by_tags,
        } = important;
        let kind = if read.new == 0 { Kind::Seen } else { Kind::New };
        let here = routes::important(further);
        let pager = Pager::of_important(further, read.next);
        let mut feed = Feed::ranked(visit, "Important posts", &here, &read.posts, kind, pager);
        let statuses = read.posts.iter().map(|post| &post.item);
        feed.add_tag_reasons(visit, &by_tags, statuses);
        let suggested = (further.is_none(), SIDE_SUGGESTIONS);
        let (who_to_follow, side) = side_content.place(visit, &here, suggested);
        Self {
            layout: Layout::new(visit, Section::Home, "Important"),
            who_to_follow,
            side,
            order_tabs: OrderTabs(HomeOrder::Important),
            compose: compose.map(|compose| compose.by(side_content.user.as_deref())),
            ranked_posts_text: ranked_posts_text(read.new),
            feed,
            first: further.is_none(),
        }
    }
}

/// Returns which posts are ranked if this many are new, and whether they stay new.
fn ranked_posts_text(new: u64) -> String {
    const ONE_PAGE: u64 = PAGE_SIZE as u64;
    const ALL: u64 = CANDIDATES as u64;
    let stays = "They stay new until Latest has shown them.";
    match new {
        0 => "No new posts since your last visit. These are the newest posts you have seen."
            .to_owned(),
        1 => "1 new post since your last visit.".to_owned(),
        2..=ONE_PAGE => format!("{new} new posts since your last visit."),
        _ if new <= ALL => format!("{new} new posts since your last visit. {stays}"),
        _ => format!(
            "The newest {ALL} of {} new posts since your last visit. {stays}",
            count(new)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::ranked_posts_text;

    #[test]
    fn the_page_states_the_counts_of_ranked_and_new_posts() {
        assert!(ranked_posts_text(0).starts_with("No new posts"));
        assert_eq!(ranked_posts_text(1), "1 new post since your last visit.");
        assert_eq!(ranked_posts_text(30), "30 new posts since your last visit.");
        assert!(ranked_posts_text(31).ends_with("They stay new until Latest has shown them."));
        assert!(ranked_posts_text(200).starts_with("200 new posts"));
        assert!(ranked_posts_text(1234).starts_with("The newest 200 of 1,234 new posts"));
    }
}
