//! The tests of the whole site: the production server, a temporary Redis, people over HTTP. There
//! is one file for each noun; `support` holds the shared parts.

#![expect(
    clippy::disallowed_methods,
    reason = "tests read variables of CI, and wait in one place"
)]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "some tests print what they measured"
)]

mod support;

mod accounts;
mod administration;
mod backup;
mod blocks;
mod bookmarks;
mod browser;
mod cache;
mod chaos;
mod check;
mod clock;
mod cluster;
mod compression;
mod conflicts;
mod costs;
mod crash;
mod data_version;
mod demo;
mod device_log_ins;
mod edits;
mod entrance;
mod exports;
mod fan_out;
mod faults;
mod favourites;
mod follow_requests;
mod follows;
mod group_posts;
mod groups;
mod homes;
mod importance;
mod leaving;
mod limits;
mod lists;
mod live;
mod markup;
mod messages;
mod model;
mod moderation;
mod mutes;
mod nginx;
mod notifications;
mod pages;
mod pending_forms;
mod people_files;
mod pinned_posts;
mod polls;
mod profiles;
mod races;
mod reading;
mod recovery;
mod rename;
mod replies;
mod reply_control;
mod reposts;
mod routes;
mod scripts;
mod search;
mod security;
mod seed;
pub mod server;
mod sessions;
mod status;
mod statuses;
mod stress;
mod tags;
mod text_browsers;
mod time_zones;
mod visibility;
