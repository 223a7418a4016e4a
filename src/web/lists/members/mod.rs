//! Members of a list.

pub mod handlers;
pub mod view;
