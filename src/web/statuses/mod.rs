//! Statuses: cards, feeds, the form to post, and the page of one status.

pub(super) mod act;
pub(super) mod byline;
pub(super) mod card;
pub(super) mod compose;
pub(super) mod feed;
pub(super) mod handlers;
mod help;
pub(super) mod progress;
pub(super) mod reacted_people;
pub(super) mod status_card;
pub(super) mod view;
