//! Muting people, and the page of muted people.

pub(super) mod handlers;
pub(super) mod view;
