//! The home timeline, and the first page of a visitor.

pub(super) mod handlers;
mod landing;
pub(super) mod new_posts;
pub(super) mod side;
mod view;
