//! The home timeline, and the first page of a visitor.

pub(super) mod handlers;
mod landing;
pub(super) mod news;
pub(super) mod side;
mod view;
