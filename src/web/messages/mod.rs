//! Direct messages: the lists of conversations and requests, a conversation, and the settings about them.

pub(super) mod changes;
mod compose;
mod conversation;
pub(super) mod edits;
pub(super) mod handlers;
mod list;
pub(super) mod search;
pub(super) mod settings;
pub(super) mod words;
