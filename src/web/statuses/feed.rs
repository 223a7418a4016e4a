//! A page of a timeline: its statuses and the pager.

use std::collections::{HashMap, HashSet};

use askama::Template;

use crate::{
    domain::{Cursor, FoldedTag, Page, Ranked, StatusId},
    store::{News, VisibleStatus},
    web::{
        homes::news::{Line, lines},
        importance::why::{Kind, Why},
        parts::{pager::Pager, visit::Visit},
        routes,
    },
};

use super::{act::Act, card::Card, status_card::StatusCard};

#[derive(Debug, Template)]
#[template(path = "statuses/_feed.html")]
pub(in crate::web) struct Feed {
    /// The heading for screen readers.
    pub(in crate::web) name: String,
    pub(super) entries: Vec<Entry>,
    pub(in crate::web) pager: Pager,
    pub(in crate::web) act: Option<Act>,
}

impl askama::filters::HtmlSafe for Feed {}

/// A status, and the line above it.
#[derive(Debug)]
pub(super) struct Entry {
    pub(in crate::web) line: Option<Line>,
    pub(in crate::web) status: Card,
}

impl Feed {
    /// Creates the page of the timeline at `path` that began at `before`.
    pub(in crate::web) fn new(
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
            entries: anchored(page.items.iter().map(entry).collect()),
            pager: Pager::new(path, before, page.next),
            act: Act::new(visit, &routes::page(path, before)),
        }
    }

    /// Adds the lines between new and seen statuses. `page` is the page that this feed was made of.
    pub(in crate::web) fn draw_lines(
        &mut self,
        news: &News,
        before: Option<Cursor>,
        page: &Page<VisibleStatus>,
    ) {
        let lines = lines(news, before, &page.items);
        for (entry, line) in self.entries.iter_mut().zip(lines) {
            entry.line = line;
        }
    }

    /// Creates the page at the path `here` of ranked posts, each with its reasons.
    pub(in crate::web) fn ranked(
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
                .because(Why::new(post, kind))
                .into(),
        };
        Self {
            name: name.into(),
            entries: anchored(posts.iter().map(entry).collect()),
            pager,
            act: Act::new(visit, here),
        }
    }

    /// Adds to each status the followed tag that brought it. `made_of` are the statuses of this
    /// feed.
    pub(in crate::web) fn say_what_brought<'a>(
        &mut self,
        visit: &Visit,
        by_tags: &HashMap<StatusId, FoldedTag>,
        made_of: impl IntoIterator<Item = &'a VisibleStatus>,
    ) {
        for (entry, status) in self.entries.iter_mut().zip(made_of) {
            if let Some(tag) = by_tags.get(&status.shown().id()) {
                entry.status.brought_by(visit, status, tag);
            }
        }
    }

    /// Returns whether there are neither statuses nor older pages.
    pub(in crate::web) fn is_empty(&self) -> bool {
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
