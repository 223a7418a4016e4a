//! Follows and hidden reposts.

pub(super) mod handlers;
