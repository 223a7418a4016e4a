//! Invitations of a member, and the page that an invitation opens.

pub(super) mod handlers;
pub(super) mod view;
