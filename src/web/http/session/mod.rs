//! The session of a request: its store, its cookie's content and the visitor.

pub mod confirmation;
pub mod current_user;
mod group_fields;
pub mod known_device;
pub mod memory;
pub mod pending_form;
pub mod restriction;
pub mod sent_as_new;
pub mod session_store;
pub mod thread_fields;
pub mod visitor;
