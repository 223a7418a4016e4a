//! Log-in, log-out and the list of sessions.

pub(super) mod handlers;
