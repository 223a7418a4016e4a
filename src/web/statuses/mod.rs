//! Statuses: cards, feeds, the form to post, and the page of one status.

pub(super) mod action_form;
pub(super) mod byline;
pub(super) mod card;
pub(super) mod character_counter;
pub(super) mod compose;
mod draft_typed;
pub(super) mod extras;
pub(super) mod feed;
pub(super) mod handlers;
mod help;
pub(super) mod line_actions;
pub(super) mod menu;
pub(super) mod new_post;
pub(super) mod press;
pub(super) mod preview;
pub(super) mod progress;
pub(super) mod state;
pub(super) mod status_card;
mod thread;
pub(super) mod view;
pub(super) mod visibility_select;
