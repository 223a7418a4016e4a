//! The contract of each Lua script, as its header states it, on a Redis of its own. Every script
//! has such a header and uses only one slot.

mod administration;
mod bench;
mod blocks;
mod calls;
mod collections;
mod device_log_ins;
mod edges;
mod edits;
mod exports;
mod invitations;
mod limits;
mod lists;
mod live;
mod messages;
mod moderation;
mod mutes;
mod newest_posts;
mod notifications;
mod people;
mod polls;
mod queue;
mod recovery;
mod rename;
mod repairs;
mod replies;
mod reply_control;
mod reposts;
mod rules;
mod search;
mod site_days;
mod statuses;
mod tag_index;
mod tasks;
mod timelines;

pub use bench::Bench;
