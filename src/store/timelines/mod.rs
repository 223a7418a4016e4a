//! Homes and timelines of lists: delivery, rebuilding, reading and paging.

pub(super) mod cached_home;
pub(super) mod deliveries;
pub(super) mod homes;
pub(super) mod importance;
pub(super) mod merge;
pub(super) mod paging;
pub(super) mod profiles;
pub(super) mod reading;
