//! Edits of a status and its earlier versions.

mod deleted;
pub(super) mod handlers;
pub(super) mod view;
