//! Muting words, phrases and tags, and the page of them.

pub(super) mod handlers;
pub(super) mod view;
