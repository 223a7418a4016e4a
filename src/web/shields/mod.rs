//! The form with which the owner sets the shields of the site.

pub(super) mod handlers;
mod view;
