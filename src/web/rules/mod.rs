//! The public page of the rules of the site.

pub(super) mod handlers;
mod view;
