//! The pages "About" and "Privacy", which the owner writes in Markdown.

pub(super) mod handlers;
mod view;
