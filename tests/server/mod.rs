//! The process: settings, start and stop, logs, metrics, memory, the embedded server, and an unavailable Redis.

mod configuration;
mod embedded;
mod full_memory;
pub mod logs;
pub mod memory;
pub mod metrics;
mod redis_url;
mod starting;
mod unavailable;
