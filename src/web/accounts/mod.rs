//! Sign-up.

pub(super) mod handlers;
pub(super) mod view;
