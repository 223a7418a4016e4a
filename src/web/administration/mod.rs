//! The pages of the people who run the site.

mod charts;
pub(super) mod handlers;
pub(super) mod reset_links;
pub(super) mod suspension;
pub(super) mod view;
pub(super) mod vouching;
