//! The session of a request: its store, its cookie's content and the visitor.

pub(in crate::web) mod current_user;
pub(in crate::web) mod memory;
pub(in crate::web) mod pending_form;
pub(in crate::web) mod session_store;
pub(in crate::web) mod visitor;
