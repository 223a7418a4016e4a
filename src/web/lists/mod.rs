//! Lists of people.

pub(super) mod handlers;
pub(super) mod members;
pub(super) mod view;
