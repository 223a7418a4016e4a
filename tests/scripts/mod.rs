//! The contract of each Lua script, as its header states it, on a Redis of its own. Every script
//! has such a header and uses only one slot.

mod bench;
mod blocks;
mod calls;
mod chat_reads;
mod collections;
mod conflicts;
mod edges;
mod groups;
mod lanes;
mod leases;
mod limits;
mod lists;
mod live;
mod messages;
mod mutes;
mod newest_posts;
mod notifications;
mod people;
mod queue;
mod repairs;
mod rules;
mod scores;
mod search;
mod site_days;
mod statuses;
mod tag_index;
mod tasks;
mod timelines;

pub use bench::Bench;
