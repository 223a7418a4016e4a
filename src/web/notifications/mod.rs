//! Notifications.

pub(super) mod handlers;
pub(super) mod view;
