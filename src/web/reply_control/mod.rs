//! Who can reply to a post and quote it, hidden replies, and posts that are removed from quotes.

pub(super) mod fields;
pub(super) mod handlers;
pub(super) mod view;
pub(super) mod words;
