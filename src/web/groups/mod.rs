//! Groups: the directory and the member's groups, a group with its people, and the pages of those who run it.

pub(super) mod directory;
mod directory_view;
pub(super) mod found;
mod found_view;
pub(super) mod handlers;
pub(super) mod people;
mod people_view;
pub(super) mod person;
mod person_view;
pub(super) mod posts;
mod posts_view;
pub(super) mod settings;
mod shown_fields;
mod view;
pub(super) mod words;

pub use words::GroupDone;
