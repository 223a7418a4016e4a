//! How pages look in one browser.

pub(super) mod handlers;
mod view;
