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
    /// A heading of the page has the same words, so the feed has none.
    is_named_by_heading: bool,
    /// Its address, for parsers.
    url: String,
    /// The author of all its statuses, for parsers.
    author: Option<FeedAuthor>,
    pub(super) entries: Vec<Entry>,
    /// The line below the last status.
    line_below: Option<LinePart>,
    /// The anchor at which the person returns, if it is below the last status.
    anchor_below: Option<StatusId>,
    pub pager: Pager,
    pub action_form: Option<ActionForm>,
    /// The text of a page without statuses that is not the last one.
    pub nothing_shown: &'static str,
}

/// The text above the link of a page whose entries the viewer does not see. It does not say how many there are.
const NOTHING_SHOWN: &str = "No posts to show on this page.";

impl askama::filters::HtmlSafe for Feed {}

#[derive(Debug)]
struct FeedAuthor {
    name: String,
    profile: String,
}

/// A status, and the parts above it.
#[derive(Debug)]
pub(super) struct Entry {
    pub line: Option<LinePart>,
    /// The place of a status that is no longer on the page, at which the person returns.
    pub anchor: Option<StatusId>,
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
        let cards = page.items.iter().map(|status| Card::new(visit, status));
        let mut pager = Pager::new(path, before, page.next);
        if page.items.is_empty() {
            pager.onward = "Older posts";
        }
        Self {
            name: name.into(),
            is_named_by_heading: false,
            url: path.to_owned(),
            author: None,
            entries: entries(cards),
            line_below: None,
            anchor_below: None,
            pager,
            action_form: ActionForm::new(visit, &routes::page(path, before)),
            nothing_shown: NOTHING_SHOWN,
        }
        .returning_to(visit.place)
    }

    /// Leaves out its heading, because a heading of the page has the same words.
    #[must_use]
    pub fn named_by_heading(self) -> Self {
        Self {
            is_named_by_heading: true,
            ..self
        }
    }

    /// Adds the pinned posts above the others.
    pub fn below_pinned(mut self, visit: &Visit, pinned: &[VisibleStatus]) -> Self {
        let card = |status| StatusCard::new(visit, status).pinned().into();
        let others = std::mem::take(&mut self.entries);
        let others = others.into_iter().map(|entry| entry.status);
        let cards = pinned.iter().map(card).chain(others);
        Self {
            entries: entries(cards),
            ..self
        }
        .returning_to(visit.place)
    }

    /// Adds the anchor at which the person returns, if the page no longer shows the status.
    fn returning_to(mut self, place: Option<StatusId>) -> Self {
        self.anchor_below = None;
        let Some(place) = place.filter(|place| !names(&self.entries).contains(place)) else {
            return self;
        };
        let is_by_id = is_by_id(&self.entries);
        let mut others = self.entries.iter_mut();
        let next = others.find(|entry| {
            let is_below = is_by_id && entry.status.place() < place;
            is_below && !entry.status.is_pinned()
        });
        match next {
            Some(entry) => entry.anchor = Some(place),
            None => self.anchor_below = Some(place),
        }
        self
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
        let card = |post: &Ranked<VisibleStatus>| {
            let card = StatusCard::new(visit, &post.item);
            card.with_ranking_reasons(RankingReasons::new(post, kind))
                .into()
        };
        Self {
            name: name.into(),
            is_named_by_heading: false,
            url: routes::IMPORTANT.to_owned(),
            author: None,
            entries: entries(posts.iter().map(card)),
            line_below: None,
            anchor_below: None,
            pager,
            action_form: ActionForm::new(visit, here),
            nothing_shown: NOTHING_SHOWN,
        }
        .returning_to(visit.place)
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

/// Returns the entries of these cards.
fn entries(cards: impl Iterator<Item = Card>) -> Vec<Entry> {
    let entry = |status| Entry {
        line: None,
        anchor: None,
        status,
    };
    let mut entries: Vec<Entry> = cards.map(entry).collect();
    name_originals(&mut entries);
    if !is_by_id(&entries) {
        name_next(&mut entries);
    }
    entries
}

/// Gives each original an anchor on the first of its reposts, unless it has its own place on the
/// page. Buttons return to this anchor.
fn name_originals(entries: &mut [Entry]) {
    if entries.iter().all(|entry| !entry.status.is_repost()) {
        return;
    }
    let mut named: HashSet<StatusId> = entries.iter().map(|entry| entry.status.place()).collect();
    for card in entries.iter_mut().map(|entry| &mut entry.status) {
        if let Some((original, repost)) = card.repost() {
            repost.anchor = named.insert(original).then_some(original);
        }
    }
}

/// Returns whether the entries below the pinned ones are in the order of their ids, the newest first.
fn is_by_id(entries: &[Entry]) -> bool {
    let entries = entries.iter().filter(|entry| !entry.status.is_pinned());
    entries.is_sorted_by(|above, below| above.status.place() > below.status.place())
}

/// Names in each menu the next status, or the next one that stays when the author is muted.
fn name_next(entries: &mut [Entry]) {
    let place = |entry: &Entry| (entry.status.place(), entry.status.other_author());
    let places: Vec<_> = entries.iter().map(place).collect();
    for (entry, at) in entries.iter_mut().zip(1..) {
        let author = entry.status.other_author();
        let mut below = places.iter().skip(at);
        let next = below.find(|(_, other)| author.is_none() || *other != author);
        if let Some((next, _)) = next {
            entry.status.set_below(*next);
        }
    }
}

/// Returns the ids that are anchors of entries.
fn names(entries: &[Entry]) -> HashSet<StatusId> {
    let cards = entries.iter().map(|entry| &entry.status);
    cards.flat_map(Card::anchors).collect()
}
