//! Invariants of statuses, and of the indexes of them.

pub(super) mod favourites;
pub(super) mod indexes;
pub(super) mod newest_posts;
pub(super) mod polls;
pub(super) mod post_bytes;
pub(super) mod replies;
pub(super) mod reposts;
pub(super) mod search;
