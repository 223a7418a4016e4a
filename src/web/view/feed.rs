//! A page of a timeline: its statuses and the way on.

use std::collections::{HashMap, HashSet};

use askama::Template;

use crate::{
    domain::{Cursor, FoldedTag, Page, Ranked, StatusId},
    store::{News, VisibleStatus},
    web::routes,
};

use super::{
    StatusCard, Visit,
    act::Act,
    card::Card,
    news::{Line, lines},
    pager::Pager,
    why::{Kind, Why},
};

#[derive(Debug, Template)]
#[template(path = "statuses/_feed.html")]
pub(super) struct Feed {
    /// The heading, for those who hear the page.
    pub(super) name: String,
    pub(super) entries: Vec<Entry>,
    pub(super) pager: Pager,
    pub(super) act: Option<Act>,
}

/// A status, and the line before it.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) line: Option<Line>,
    pub(super) status: Card,
}

impl Feed {
    /// The page of the timeline at `path` that began at `before`.
    pub(super) fn new(
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

    /// Draws the lines between what is new and what was seen, on the page that this was made of.
    pub(super) fn draw_lines(
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

    /// The page at the path `here` of posts in the order of importance, each with its reasons.
    pub(super) fn ranked(
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

    /// Says of what tags brought by which: of those of which this was made.
    pub(super) fn say_what_brought<'a>(
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

    /// Neither a status nor a way on.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.pager.older.is_none()
    }
}

/// Each original that stands nowhere itself has its name once, at a repost, for whoever acts on it to
/// come back to.
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
