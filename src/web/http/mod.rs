//! Everything a request passes through, from the socket to the handler and back.

pub(super) mod activity;
pub(super) mod admission;
pub(super) mod answer;
pub(super) mod arrival;
pub(super) mod body;
pub(super) mod client;
pub(super) mod compression;
pub(super) mod connections;
pub(super) mod cookies;
mod csrf;
mod entity_tag;
pub(super) mod errors;
pub(super) mod fair_share;
pub(super) mod forms;
mod gate;
mod headers;
pub(super) mod keys;
pub(super) mod listener;
pub(super) mod metrics;
pub(super) mod open_files;
mod page_body;
pub(super) mod page_cache;
pub(super) mod rate;
pub(super) mod request;
pub(super) mod return_to;
pub(super) mod session;
pub(super) mod socket;
