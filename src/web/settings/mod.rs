//! Settings of the member.

pub(super) mod agent;
pub(super) mod handlers;
pub(super) mod related_people;
pub(super) mod view;
