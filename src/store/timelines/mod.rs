//! Homes and timelines of lists: sources, delivery, rebuilding, reading and paging.

pub(super) mod cached_home;
pub(super) mod calls;
pub(super) mod deliveries;
pub(super) mod first_read;
pub(super) mod homes;
pub(super) mod importance;
pub(super) mod merge;
pub(super) mod newest_posts;
pub(super) mod paging;
pub(super) mod profiles;
pub(super) mod reading;
pub(super) mod sources;
