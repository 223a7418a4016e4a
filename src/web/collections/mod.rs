//! Pages of favourites and of bookmarks.

pub(super) mod handlers;
mod view;
