//! Reports, and decisions about them.

pub(super) mod block_list;
pub(super) mod copies;
pub(super) mod decision;
pub(super) mod report;
pub(super) mod reported;
pub(super) mod shields;
