//! The parts of the bench, one per file.

pub mod dormancy;
pub mod fan_out;
pub mod groups;
pub mod growth;
pub mod memory;
pub mod messages;
pub mod open;
pub mod pages;
pub mod posting;
pub mod scripts;
pub mod talking;
pub mod writes;
