//! The set-up of a new site by its owner, and the settings of the site.

pub(super) mod handlers;
pub(super) mod view;
