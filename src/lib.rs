//! Redwing: a social network that a community runs for itself.
//!
//! - [`config`]: every setting, typed, read once.
//! - [`logging`]: one line an event, for people or as JSON.
//! - [`embedded`]: the private Redis child of a site that names none.
//! - [`domain`]: what is valid, without I/O.
//! - [`actions`]: every write, as remind, truth, copies, done.
//! - [`live`]: the open streams of pages.
//! - [`memory`]: the allocator, and what it gives back.
//! - [`store`]: the only module that speaks Redis.
//! - [`worker`]: tasks, what is due later, reminders left by a crash.
//! - [`audit`]: the invariants of the data model, verified and mended.
//! - [`seed`]: demo people and real graphs, through the same actions.
//! - [`web`]: handlers that render pages.

pub mod actions;
pub mod audit;
pub mod config;
pub mod domain;
pub mod embedded;
pub mod live;
pub mod logging;
mod memory;
pub mod seed;
pub mod store;
pub mod web;
pub mod worker;
