//! The settings about who sees a member's posts, and private accounts.

pub(super) mod handlers;
pub(super) mod requests;
pub(super) mod view;
