//! Hostile and numerous clients. The site continues to answer, and ends requests and connections
//! that never end by themselves. It does nothing for an ended session.

mod bodies;
mod handlers;
pub mod idle;
mod log_ins;
mod overload;
mod pipelining;
pub mod raw_connection;
mod revocation;
mod slow;
mod stopping;
mod streams;
mod unread;
