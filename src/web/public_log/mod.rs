//! The public page with the numbers of decisions, without names.

pub(super) mod handlers;
mod view;
