//! The home timeline ranked by importance.

pub(super) mod handlers;
mod help;
pub(super) mod ranking_reasons;
pub(super) mod view;
