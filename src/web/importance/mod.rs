//! The home timeline ranked by importance.

pub(super) mod handlers;
mod help;
pub(super) mod view;
pub(super) mod why;
