//! The page of a tag, trending tags and followed tags.

use super::link::TagLink;
use crate::{
    domain::{FoldedTag, Mute},
    store::{Trend, Trends},
    web::{
        muted_texts::view::unmute_button,
        mutes::view::{MuteForm, until},
        parts::{button_form::ButtonForm, prelude::*},
        people::person_row::FollowButton,
        statuses::feed::Feed,
    },
};

/// How many trends are shown beside other content.
const BESIDE: usize = 5;

#[derive(Debug, Template)]
#[template(path = "tags/_trending.html")]
pub struct Trending {
    trends: Vec<TrendRow>,
}

impl askama::filters::HtmlSafe for Trending {}

#[derive(Debug)]
struct TrendRow {
    link: TagLink,
    people: String,
}

impl Trending {
    pub fn all(trends: &Trends) -> Self {
        Self::of(trends.all())
    }

    /// Shows the first of them.
    pub fn few(trends: &Trends) -> Self {
        let all = trends.all();
        Self::of(all.get(..BESIDE).unwrap_or(all))
    }

    fn of(trends: &[Trend]) -> Self {
        let row = |trend: &Trend| TrendRow {
            link: TagLink::new(&trend.tag),
            people: format!("{} people", count(trend.people)),
        };
        Self {
            trends: trends.iter().map(row).collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.trends.is_empty()
    }
}

#[derive(Debug, Template)]
#[template(path = "tags/tag.html")]
pub struct TagPage {
    layout: Layout,
    tag: String,
    button: FollowButton,
    mute: Option<MuteOfTag>,
    feed: Feed,
    first: bool,
    is_member: bool,
}

/// How a member mutes the tag of the page, or lifts the mute.
#[derive(Debug)]
enum MuteOfTag {
    Form(Box<MuteForm>),
    /// The end of the mute, and the button that lifts it.
    Muted(String, ButtonForm),
}

impl TagPage {
    pub fn new(
        visit: &Visit,
        tag: &FoldedTag,
        (follows, mute): (bool, Option<Mute>),
        before: Option<Cursor>,
        page: &Page<VisibleStatus>,
    ) -> Self {
        let path = routes::tag(tag);
        let here = routes::page(&path, before);
        let name = format!("#{tag}");
        let layout = Layout {
            canonical: Some(here.clone()),
            unlisted: page.is_empty(),
            ..Layout::new(visit, Section::Elsewhere, name.clone())
        };
        Self {
            layout: layout.described(format!("Posts with {name} on {}.", visit.site.name)),
            button: FollowButton::of_tag(visit, &here, tag, follows),
            mute: visit.me().map(|_| match mute {
                None => MuteOfTag::Form(Box::new(MuteForm::of_tag(visit, &here, tag))),
                Some(mute) => {
                    let button = unmute_button(visit, &here, &name);
                    MuteOfTag::Muted(until(visit, mute, "it"), button)
                }
            }),
            feed: Feed::new(visit, format!("Posts with {name}"), &path, before, page),
            first: before.is_none(),
            is_member: visit.me().is_some(),
            tag: tag.to_string(),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "tags/tags.html")]
pub struct TagsPage {
    layout: Layout,
    trending: Trending,
    /// The reader's followed tags, if the reader is a member.
    followed: Option<Vec<Followed>>,
}

#[derive(Debug)]
struct Followed {
    link: TagLink,
    button: FollowButton,
}

impl TagsPage {
    pub fn new(visit: &Visit, trends: &Trends, followed: Option<&[FoldedTag]>) -> Self {
        let row = |tag: &FoldedTag| Followed {
            link: TagLink::new(tag),
            button: FollowButton::of_tag(visit, routes::TAGS, tag, true),
        };
        let layout = Layout::new(visit, Section::Elsewhere, "Tags")
            .described(format!("Trending tags on {}.", visit.site.name));
        Self {
            layout,
            trending: Trending::all(trends),
            followed: followed.map(|tags| tags.iter().map(row).collect()),
        }
    }
}
