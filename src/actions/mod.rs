//! Every write, as remind, truth, copies, done. Called by the web, the worker and the seed alike.

pub mod accounts;
pub mod answers;
pub mod bookmarks;
pub mod edits;
pub mod fan_out;
pub mod favourites;
pub mod follows;
mod headings;
pub mod homes;
pub mod importance;
pub mod interests;
pub mod lists;
mod notifications;
pub mod passwords;
pub mod polls;
mod records;
pub mod reposts;
pub mod search;
pub mod statuses;
mod timelines;
pub mod weights;
