//! Blocking people, and the page of blocked people.

pub(super) mod handlers;
pub(super) mod view;
