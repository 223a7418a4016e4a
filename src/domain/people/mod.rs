//! Relations between people.

pub mod author_preference;
pub mod mute;
pub mod people_file;
pub mod relation;
