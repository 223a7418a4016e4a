//! Search for people and posts.

pub(super) mod handlers;
mod view;
