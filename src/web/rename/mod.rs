//! The change of one's login.

pub(super) mod handlers;
mod view;
