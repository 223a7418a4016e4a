//! Bookmarks.

pub(super) mod handlers;
