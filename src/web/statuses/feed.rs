//! A page of a timeline: its statuses and the pager.

use std::collections::{HashMap, HashSet};

use super::{action_form::ActionForm, card::Card, status_card::StatusCard};
use crate::{
    domain::{FoldedTag, Ranked},
    store::NewPosts,
    web::{
        homes::new_posts::{LinePart, Lines},
        importance::ranking_reasons::{Kind, RankingReasons},
        parts::prelude::*,
    },
};

#[derive(Debug, Template)]
#[template(path = "statuses/_feed.html")]
pub struct Feed {
    /// The heading for screen readers.
    pub name: String,
    /// Its address, for parsers.
    url: String,
    /// The author of all its statuses, for parsers.
    author: Option<FeedAuthor>,
    pub(super) entries: Vec<Entry>,
    /// The line below the last status.
    line_below: Option<LinePart>,
    pub pager: Pager,
    pub action_form: Option<ActionForm>,
}

impl askama::filters::HtmlSafe for Feed {}

#[derive(Debug)]
struct FeedAuthor {
    name: String,
    profile: String,
}

/// A status, and the line above it.
#[derive(Debug)]
pub(super) struct Entry {
    pub line: Option<LinePart>,
    pub status: Card,
}

impl Feed {
    /// Creates the page of the timeline at `path` that began at `before`.
    pub fn new(
        visit: &Visit,
        name: impl Into<String>,
        path: &str,
        before: Option<Cursor>,
        page: &Page<VisibleStatus>,
    ) -> Self {
        let entry = |status: &VisibleStatus| Entry {
            line: None,
            status: Card::new(visit, status),
        };
        Self {
            name: name.into(),
            url: path.to_owned(),
            author: None,
            entries: anchored(page.items.iter().map(entry).collect()),
            line_below: None,
            pager: Pager::new(path, before, page.next),
            action_form: ActionForm::new(visit, &routes::page(path, before)),
        }
    }

    /// Adds the pinned posts above the others.
    pub fn below_pinned(mut self, visit: &Visit, pinned: &[VisibleStatus]) -> Self {
        let entry = |status: &VisibleStatus| Entry {
            line: None,
            status: StatusCard::new(visit, status).pinned().into(),
        };
        let others = std::mem::take(&mut self.entries);
        let entries = pinned.iter().map(entry).chain(others).collect();
        Self {
            entries: anchored(entries),
            ..self
        }
    }

    /// Names the author of all its statuses.
    pub fn by(self, author: &User) -> Self {
        let author = FeedAuthor {
            name: author.name.clone(),
            profile: routes::profile(&author.login),
        };
        Self {
            author: Some(author),
            ..self
        }
    }

    /// Adds the lines between new and seen statuses. `page` is the page that this feed was made of.
    pub fn draw_lines(
        &mut self,
        new_posts: &NewPosts,
        before: Option<Cursor>,
        page: &Page<VisibleStatus>,
    ) {
        let lines = Lines::new(new_posts, before, page);
        for (entry, line) in self.entries.iter_mut().zip(lines.above) {
            entry.line = line.map(LinePart);
        }
        let below = lines.below.filter(|_| !self.entries.is_empty());
        self.line_below = below.map(LinePart);
    }

    /// Creates the page at the path `here` of ranked posts, each with its reasons.
    pub fn ranked(
        visit: &Visit,
        name: impl Into<String>,
        here: &str,
        posts: &[Ranked<VisibleStatus>],
        kind: Kind,
        pager: Pager,
    ) -> Self {
        let entry = |post: &Ranked<VisibleStatus>| Entry {
            line: None,
            status: StatusCard::new(visit, &post.item)
                .with_ranking_reasons(RankingReasons::new(post, kind))
                .into(),
        };
        Self {
            name: name.into(),
            url: routes::IMPORTANT.to_owned(),
            author: None,
            entries: anchored(posts.iter().map(entry).collect()),
            line_below: None,
            pager,
            action_form: ActionForm::new(visit, here),
        }
    }

    /// Adds to each status the followed tag that brought it. `made_of` are the statuses of this
    /// feed.
    pub fn add_tag_reasons<'a>(
        &mut self,
        visit: &Visit,
        by_tags: &HashMap<StatusId, FoldedTag>,
        made_of: impl IntoIterator<Item = &'a VisibleStatus>,
    ) {
        for (entry, status) in self.entries.iter_mut().zip(made_of) {
            if let Some(tag) = by_tags.get(&status.shown().id()) {
                entry.status.add_tag_reason(visit, status, tag);
            }
        }
    }

    /// Returns whether there are neither statuses nor older pages.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.pager.older.is_none()
    }
}

/// Gives each original an anchor on the first of its reposts, unless it has its own place on the
/// page. Buttons return to this anchor.
fn anchored(mut entries: Vec<Entry>) -> Vec<Entry> {
    if entries.iter().all(|entry| !entry.status.is_repost()) {
        return entries;
    }
    let mut named: HashSet<StatusId> = entries.iter().map(|entry| entry.status.place()).collect();
    for card in entries.iter_mut().map(|entry| &mut entry.status) {
        if let Some((original, repost)) = card.repost() {
            repost.anchor = named.insert(original).then_some(original);
        }
    }
    entries
}
