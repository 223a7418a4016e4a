//! Every write, as remind, truth, copies, done. Called by the web, the worker and the seed alike.

pub mod accounts;
pub mod answers;
pub mod bookmarks;
pub mod fan_out;
pub mod favourites;
pub mod follows;
mod headings;
pub mod homes;
pub mod interests;
pub mod lists;
pub mod passwords;
mod records;
pub mod reposts;
pub mod search;
pub mod statuses;
mod timelines;
