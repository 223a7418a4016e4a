//! Conversations: a status, what it replies to, and its replies.

pub(super) mod handlers;
pub(super) mod view;
