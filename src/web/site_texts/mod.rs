//! The pages "About" and "Privacy", which the owner writes in Markdown, as the rules and the contact.

pub(super) mod handlers;
pub(super) mod markdown;
mod view;
