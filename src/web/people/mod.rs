//! Profiles, followers and followed people.

pub(super) mod counts;
pub(super) mod handlers;
pub(super) mod person_row;
mod profile;
mod view;
