//! Follows and home filters.

pub(super) mod handlers;
pub(super) mod view;
