//! Reposts and quotes.

pub(super) mod handlers;
pub(super) mod quote;
pub(super) mod view;
