//! Reads and single repair steps of `redwing check`.

mod repair;
pub(super) mod rows;
pub(super) mod survey;
pub(super) mod walk;
