//! The export of one's own account.

pub(super) mod handlers;
mod view;
