//! Members of a list.

pub(in crate::web) mod handlers;
pub(in crate::web) mod view;
