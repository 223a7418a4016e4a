//! Every write: outbox entry, source of truth, derived copies, removal of the entry. The web, the worker
//! and the seed call the same actions.

pub mod account_deletion;
pub mod account_states;
pub mod accounts;
pub mod administration;
pub mod blocks;
pub mod bookmarks;
mod derived_copies;
pub mod edits;
pub mod fan_out;
pub mod favourites;
pub mod follow_requests;
pub mod follows;
pub mod homes;
pub mod importance;
mod index_entries;
pub mod invitations;
pub mod lists;
pub mod muted_conversations;
pub mod muted_texts;
pub mod mutes;
mod notifications;
mod operations;
pub mod passwords;
pub mod people_files;
pub mod polls;
mod prelude;
pub mod reconcile;
pub mod recovery;
pub mod replies;
pub mod reply_control;
pub mod reposts;
pub mod search;
pub mod statuses;
pub mod tag_follows;
mod timelines;
