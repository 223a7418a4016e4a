//! The only module that speaks Redis: keys, scripts and the reads and single steps that actions
//! are made of. Knows no HTTP.
#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "the store is where Redis is spoken"
)]

mod accounts;
mod actor;
mod answers;
mod backlog;
mod cache;
mod cache_name;
mod cached;
mod call;
mod clock;
mod cluster;
mod collections;
mod connection;
mod conversations;
mod deliveries;
mod edits;
mod error;
#[cfg(feature = "failpoints")]
mod failpoints;
mod failures;
mod favourites;
mod follows;
mod grouping;
mod homes;
mod importance;
mod interests;
mod kept_session;
mod key_names;
mod keys;
mod link;
mod listings;
mod lists;
mod live;
mod mend;
mod merge;
mod model;
mod names;
mod notifications;
mod open;
mod pace;
mod paging;
mod people;
mod polls;
mod postings;
mod prelude;
mod presence;
mod profiles;
mod progress;
mod rate;
mod reading;
mod records;
mod reposts;
mod rounds;
mod rows;
mod scripts;
mod search;
mod sessions;
mod shared_rows;
mod shown;
mod slots;
mod status_row;
mod statuses;
mod subscription;
mod suggestions;
mod survey;
mod tasks;
mod trends;
mod visible;
mod visited_home;
mod walk;
mod weights;
mod wire;

use std::sync::Arc;

pub use accounts::{Auth, Claim, Draft, Turn};
pub use actor::Actor;
pub use backlog::{Entry, Queue, Reading};
pub use call::Call;
pub use collections::Collect;
pub use conversations::{Branch, Conversation, More, Turn as ConversationTurn};
pub use deliveries::Delivery;
pub use edits::Edit;
pub use error::{Error, Result};
#[cfg(feature = "failpoints")]
pub use failpoints::Fuse;
pub use favourites::{Favour, MirrorFavourite};
pub use follows::{Edge, HushEdge, Mirror, Reposts, SetEdge};
pub use grouping::ShownOnce;
pub use homes::{Begin, Left, Look, Mark, TimelineSlice};
pub use importance::{Candidates, Echo, Traces};
pub use interests::Interests;
pub use lists::{CreateList, DeleteList, EditList};
pub use live::{Arrivals, Counts, Glance, Glimpse, Reach};
pub use merge::Merged;
pub use model::*;
pub use names::Names;
pub use notifications::{Notified, Withdrawal};
pub use paging::{PageInProgress, Rest};
pub use people::PEOPLE_KEPT;
pub use polls::{Cast, Count};
pub use postings::{Chunk, Text};
pub use progress::{NotePass, Progress};
pub use rate::RateLimit;
pub use reading::{News, Oldest, Regard};
pub use records::Heading;
pub use reposts::MirrorRepost;
pub use rows::{Pages, Place, Row};
pub use sessions::{Loaded, State as SessionState};
pub use shown::{Halves, Shown};
pub use statuses::{Bury, Create, Draw, Life};
pub use subscription::{Subscription, Told, Wish};
pub use survey::{Estate, Fate, Record, Standing, Suggested};
pub use tasks::{Finish, Reminder, Taken};
pub use trends::{Trend, Trends};
pub use walk::{Key, KeyKind, ListPart, Part, TagPart, Walk, Worth};
pub use weights::SetWeight;

use crate::config::Config;

/// A handle to Redis, one node or a cluster. Cheap to clone; [`Store::fork`] opens a connection.
#[derive(Clone)]
pub struct Store {
    connection: connection::Connection,
    config: Arc<Config>,
    clock: Arc<clock::Clock>,
    shared: Arc<cache::Shared>,
    pace: Arc<pace::Pace>,
    /// Whether it leaves the first place to pages.
    gives_way: bool,
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
    pub fn is_cluster(&self) -> bool {
        self.connection.is_cluster()
    }

    /// The same, for what goes on beside an operation and is no part of it.
    fn aside(&self) -> Self {
        Self {
            connection: self.connection.aside(),
            ..self.clone()
        }
    }

    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }
}
