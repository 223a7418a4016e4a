//! Sessions and sockets under fire: whatever clients do, and however many there are, the site goes
//! on answering, ends what never ends by itself, and does nothing for a session that was ended.

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
