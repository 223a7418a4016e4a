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
mod author_preferences;
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
mod kept_session;
mod key_names;
mod keys;
mod link;
mod list_memberships;
mod lists;
mod live;
mod merge;
mod model;
mod names;
mod notifications;
mod open;
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
mod repair;
mod reposts;
mod request_coalescing;
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
mod tag_follows;
mod tasks;
mod throttle;
mod trends;
mod visible;
mod visited_home;
mod walk;
mod wire;

use std::sync::Arc;

pub use accounts::{Auth, Claim, Draft, Turn};
pub use actor::Actor;
pub use author_preferences::SetPreference;
pub use backlog::{Entry, Queue, Reading};
pub use call::Call;
pub use collections::Collect;
pub use conversations::{Branch, Conversation, More, Turn as ConversationTurn};
pub use deliveries::Delivery;
pub use edits::Edit;
pub use error::{Error, Result};
#[cfg(feature = "failpoints")]
pub use failpoints::Fuse;
pub use favourites::{FavouriteState, MirrorFavourite};
pub use follows::{Edge, HideReposts, Mirror, Reposts, SetEdge};
pub use grouping::ShownOnce;
pub use homes::{Begin, Left, Look, Mark, TimelineSlice};
pub use importance::{Candidates, Echo, Traces};
pub use lists::{CreateList, DeleteList, EditList};
pub use live::{Arrivals, Counts, LiveQuery, LiveState, Reach};
pub use merge::Merged;
pub use model::*;
pub use names::Names;
pub use notifications::{NotificationPage, Withdrawal};
pub use paging::{PageInProgress, Rest};
pub use people::PEOPLE_KEPT;
pub use polls::{Cast, Count};
pub use postings::{Chunk, Text};
pub use progress::{NotePass, Progress};
pub use rate::RateLimit;
pub use reading::{News, Oldest, ReadMode};
pub use records::IndexEntry;
pub use reposts::MirrorRepost;
pub use rows::{Pages, Place, Row};
pub use sessions::{Loaded, State as SessionState};
pub use shown::{Halves, Shown};
pub use statuses::{Bury, Create, Draw, Life};
pub use subscription::{Subscription, Told, Wish};
pub use survey::{Estate, Fate, Record, Standing, Suggested};
pub use tag_follows::FollowedTags;
pub use tasks::{Finish, OutboxEntry, Taken};
pub use trends::{Trend, Trends};
pub use walk::{Key, KeyKind, ListPart, Part, TagPart, Walk, Worth};

use crate::config::Config;

/// A handle to Redis, one node or a cluster. Cheap to clone; [`Store::fork`] opens a connection.
#[derive(Clone)]
pub struct Store {
    connection: connection::Connection,
    config: Arc<Config>,
    clock: Arc<clock::Clock>,
    shared: Arc<cache::Shared>,
    throttle: Arc<throttle::Throttle>,
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
