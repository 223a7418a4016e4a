//! See more or see less of a followed person.

pub(super) mod handlers;
pub(super) mod view;
