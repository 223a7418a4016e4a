//! Settings of the member.

mod agent;
pub(super) mod handlers;
pub(super) mod view;
