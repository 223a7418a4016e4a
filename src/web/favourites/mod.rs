//! Favourites.

pub(super) mod handlers;
