//! Sessions and sockets under load. Whatever clients do, and however many there are, the site
//! continues to answer, ends requests and connections that never end by themselves, and does
//! nothing for an ended session.

mod bodies;
mod handlers;
pub mod idle;
mod log_ins;
mod overload;
mod pipelining;
mod revocation;
mod slow;
mod stopping;
mod streams;
pub mod wire;
