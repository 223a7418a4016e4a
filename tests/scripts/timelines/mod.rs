//! Scripts that fill, rebuild and read timelines.

mod deliveries;
mod importance;
mod reading;
mod rebuilds;
