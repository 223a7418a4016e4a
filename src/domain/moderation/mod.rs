//! Reports, and decisions about them.

pub(super) mod decision;
pub(super) mod report;
pub(super) mod shields;
