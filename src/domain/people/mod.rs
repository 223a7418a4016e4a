//! Relations between people.

pub mod author_preference;
pub mod home_filter;
pub mod mute;
pub mod people_file;
pub mod relation;
