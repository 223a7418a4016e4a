//! The way to Redis: connections, scripts, deadlines and the subscription.

pub(super) mod call;
pub(super) mod clock;
pub(super) mod cluster;
pub(super) mod commands;
pub(super) mod connection;
#[cfg(feature = "failpoints")]
pub(super) mod failpoints;
pub(super) mod failures;
pub(super) mod health;
pub(super) mod link;
pub(super) mod memory;
pub(super) mod nodes;
mod open;
mod prelude;
pub(super) mod reply;
mod request_coalescing;
pub(super) mod scan;
pub(super) mod script_call;
pub(super) mod scripts;
pub(super) mod servers;
mod slots;
pub(super) mod subscription;
pub(super) mod throttle;
mod wire;
