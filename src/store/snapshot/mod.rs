//! Reads and single repair steps of `redwing check`.

pub(super) mod calls;
pub(super) mod labels;
mod repair;
pub(super) mod rows;
pub(super) mod statuses;
pub(super) mod users;
pub(super) mod walk;
