//! The settings about who sees a member's posts.

pub(super) mod handlers;
pub(super) mod view;
