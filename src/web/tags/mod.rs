//! Tags.

pub(super) mod handlers;
pub(super) mod link;
pub(super) mod view;
