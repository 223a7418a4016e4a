//! Each Lua script's contract, as its header states it, on a Redis of its own; and that every
//! script has such a header and keeps to one slot.

mod answers;
mod bench;
mod collections;
mod confirmations;
mod contracts;
mod deadlines;
mod deliveries;
mod edges;
mod edits;
mod importance;
mod limits;
mod lists;
mod live;
mod notifications;
mod people;
mod polls;
mod queue;
mod reading;
mod rebuilds;
mod records;
mod repairs;
mod reposts;
mod search;
mod statuses;
mod storm;
mod tasks;
mod truths;

use bench::Bench;
