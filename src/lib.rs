//! Redwing: a social network that a community runs for itself.
//!
//! - [`command_line`]: the program's arguments: what starts and stops, in which order.
//! - [`config`]: every setting, typed, read once.
//! - [`logging`]: one line per event, for people or as JSON.
//! - [`embedded`]: the private Redis child of a site that names none.
//! - [`domain`]: valid values and rules, without I/O.
//! - [`actions`]: every write: outbox entry, source of truth, derived copies.
//! - [`export`]: the archive of an account.
//! - [`live`]: the open streams of pages.
//! - [`memory`]: the allocator, and the return of memory.
//! - [`processor_time`]: the processor time that work takes.
//! - [`status`]: the health of a site for a person in a terminal.
//! - [`store`]: the only module that speaks Redis.
//! - [`worker`]: tasks, and outbox entries that are due.
//! - [`admin`]: the commands for the people who run a site.
//! - [`audit`]: the invariants of the data model, verified and repaired.
//! - [`seed`]: demo people and real graphs, through the same actions.
//! - [`web`]: handlers that render pages.

pub mod actions;
pub mod admin;
pub mod audit;
pub mod command_line;
pub mod config;
pub mod domain;
pub mod embedded;
pub mod export;
pub mod live;
pub mod logging;
mod memory;
mod output;
mod processor_time;
pub mod seed;
pub mod status;
pub mod store;
pub mod web;
pub mod worker;
