//! The timeline of everybody: the newest public posts of the site.

pub(super) mod handlers;
mod view;
