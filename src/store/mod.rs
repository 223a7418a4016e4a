//! The only module that speaks Redis: keys, scripts and the reads and single steps that actions
//! are made of. Knows no HTTP.
#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "the store is where Redis is spoken"
)]

mod accounts;
mod call;
mod connection;
mod error;
#[cfg(feature = "failpoints")]
mod failpoints;
mod follows;
mod homes;
mod keys;
mod merge;
mod model;
mod open;
mod paging;
mod people;
mod profiles;
mod rate;
mod scripts;
mod sessions;
mod statuses;
mod survey;
mod tasks;

use std::sync::Arc;

pub use accounts::{Auth, Claim, Draft};
pub use call::Call;
pub use error::{Error, Result};
#[cfg(feature = "failpoints")]
pub use failpoints::Fuse;
pub use follows::{Mirror, SetEdge};
pub use homes::{Begin, Delivery, Forget, HomeSlice, Mark};
pub use model::*;
pub use paging::PageInProgress;
pub use rate::RateLimit;
pub use sessions::State as SessionState;
pub use statuses::{Bury, Create, Draw, Life};
pub use survey::{Estate, Key, KeyKind, Step};
pub use tasks::{Finish, Reminder, Taken};

use crate::config::Config;

/// A handle to Redis, one node or a cluster. Cheap to clone; [`Store::fork`] opens a connection.
#[derive(Clone)]
pub struct Store {
    connection: connection::Connection,
    config: Arc<Config>,
    clock: Arc<call::Clock>,
}

impl Store {
    /// A handle with a connection of its own, made at its first use: one per worker thread.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self {
            connection: self.connection.fork(),
            ..self.clone()
        }
    }

    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }
}
