//! Export and import of followed, blocked and muted people as CSV.

pub(super) mod handlers;
pub(super) mod view;
