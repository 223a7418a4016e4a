//! Favourites and bookmarks.

pub(super) mod handlers;
mod view;
