//! The stream of an open page.

pub(super) mod handlers;
