//! Pinned posts of members.

pub(super) mod handlers;
