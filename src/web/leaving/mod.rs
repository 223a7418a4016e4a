//! The pages for leaving the site, and the page of a suspended or deactivated account.

pub(super) mod handlers;
mod view;
