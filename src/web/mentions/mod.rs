//! Mentions of the member.

pub(super) mod handlers;
mod view;
