//! A status in a feed. Most statuses look the same to every member except for their age. Their HTML
//! is rendered once and cached.

use std::{fmt, sync::Arc};

use super::{byline::author_names, status_card::StatusCard};
use crate::{
    domain::{FoldedTag, UserId},
    web::{
        fragments::CardHalves,
        parts::{moment::Age, prelude::*},
        reposts::view::RepostLine,
    },
};

#[derive(Debug)]
pub enum Card {
    /// The same for every member, split around its age.
    Common(StatusId, Arc<CardHalves>, Age),
    /// Made for this page.
    Special(Box<StatusCard>),
}

impl askama::filters::HtmlSafe for Card {}

impl Card {
    pub fn new(visit: &Visit, status: &VisibleStatus) -> Self {
        let card = || StatusCard::new(visit, status);
        let common = visit.me().is_some() && status.is_common() && !status.is_muted();
        if !common {
            return card().into();
        }
        let row = status.row_version();
        let render = || card().around_its_age();
        let halves = visit
            .fragments
            .card(row, author_names(status.author()), render);
        Self::Common(status.id(), halves, Age::of(status.posted(), visit.now))
    }

    /// Returns the id under which it is on the page: for a repost, the repost's id.
    pub(super) fn place(&self) -> StatusId {
        match self {
            Self::Common(id, ..) => *id,
            Self::Special(card) => card.place,
        }
    }

    /// Returns the ids that are anchors on it.
    pub(super) fn anchors(&self) -> impl Iterator<Item = StatusId> + use<> {
        let original = match self {
            Self::Common(..) => None,
            Self::Special(card) => card.repost.as_ref().and_then(|repost| repost.anchor),
        };
        [self.place()].into_iter().chain(original)
    }

    /// Returns the author of the status of another person. A mute of that author hides it. `None` for a cached card.
    pub(super) fn other_author(&self) -> Option<UserId> {
        match self {
            Self::Special(card) if !card.status.is_own() => Some(card.author().id),
            _ => None,
        }
    }

    pub(super) fn is_pinned(&self) -> bool {
        matches!(self, Self::Special(card) if card.is_pinned)
    }

    /// Names the status below it in its menu.
    pub(super) fn set_below(&mut self, below: StatusId) {
        if let Self::Special(card) = self {
            card.below = Some(below);
        }
    }

    /// Adds the followed tag that brought the status.
    pub(super) fn add_tag_reason(
        &mut self,
        visit: &Visit,
        status: &VisibleStatus,
        tag: &FoldedTag,
    ) {
        let mut special = match self {
            Self::Special(card) => return card.add_tag_reason(tag),
            Self::Common(..) => StatusCard::new(visit, status),
        };
        special.add_tag_reason(tag);
        *self = special.into();
    }

    pub(super) fn is_repost(&self) -> bool {
        matches!(self, Self::Special(card) if card.repost.is_some())
    }

    /// Returns the original's id and the repost line of a repost.
    pub(super) fn repost(&mut self) -> Option<(StatusId, &mut RepostLine)> {
        match self {
            Self::Common(..) => None,
            Self::Special(card) => {
                let original = card.id();
                Some((original, card.repost.as_mut()?))
            }
        }
    }
}

impl From<StatusCard> for Card {
    fn from(card: StatusCard) -> Self {
        Self::Special(Box::new(card))
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Common(_, halves, age) => {
                let (before, after) = halves.both();
                f.write_str(before)?;
                age.fmt(f)?;
                f.write_str(after)
            }
            Self::Special(card) => card.fmt(f),
        }
    }
}
