//! The public page of the moderation: the rules and the numbers of decisions, without names.

pub(super) mod handlers;
mod view;
