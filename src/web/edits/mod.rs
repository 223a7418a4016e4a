//! Edits of a status and its earlier versions.

pub(super) mod deleted;
pub(super) mod handlers;
pub(super) mod view;
