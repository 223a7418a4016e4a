//! Timelines: which statuses belong on one, in which order, and how far it was read.

pub(super) mod arrival;
pub(super) mod importance;
pub(super) mod ranking;
pub(super) mod seen;
pub(super) mod status_header;
pub(super) mod timeline;
