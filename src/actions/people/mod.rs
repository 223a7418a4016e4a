//! What one person does about another: follows, requests, blocks, mutes, and the files of them.

pub mod blocks;
pub mod follow_requests;
pub mod follows;
pub mod muted_texts;
pub mod mutes;
pub mod people_files;
