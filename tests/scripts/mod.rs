//! Each Lua script's contract, as its header states it, on a Redis of its own; and that every
//! script has such a header and keeps to one slot.

mod answers;
mod bench;
mod collections;
mod edges;
mod edits;
mod limits;
mod lists;
mod live;
mod notifications;
mod people;
mod polls;
mod queue;
mod records;
mod repairs;
mod reposts;
mod rules;
mod search;
mod statuses;
mod tasks;
mod timelines;

use bench::Bench;
