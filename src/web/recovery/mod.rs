//! Recovery of an account after its password is forgotten.

pub(super) mod handlers;
pub(super) mod view;
