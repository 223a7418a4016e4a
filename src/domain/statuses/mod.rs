//! Statuses: their parts, readers and permissions.

pub mod ballot;
pub mod collection;
pub mod draft;
pub mod pinned_posts;
pub mod poll;
pub mod post_bytes;
pub mod reply_control;
pub mod thread;
pub mod visibility;
