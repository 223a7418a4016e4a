//! Tags: followed tags, trends, and the index of statuses by tag and by mention.

pub(super) mod index;
pub(super) mod tag_follows;
pub(super) mod trends;
