//! The key schema: each key that Redis holds is one entry of [`table`]. The entry states the pattern of
//! the name, the owner, the Redis type, the class, the lifetime, and the meaning of members and scores.
//! Constructors, the parser of names, the keys of a user and docs/keys.md all follow from the entries.

mod declare;
pub(super) mod keys;
mod owner;
mod table;
#[cfg(test)]
mod tests;
mod version;

use std::fmt;

pub use self::{
    owner::{ChatForm, Chunk, KeyOwner, RateLimitName, UserToken},
    table::Key,
    version::{DATA_VERSION, DataVersion, DataVersionError, MigrationStep},
};
use crate::domain::{Collection, HomeFilter, Timeline, UserId};

/// The properties of the keys of one entry, apart from the owner of each.
#[derive(Debug)]
pub struct Entry {
    /// The name with placeholders, for example `following:{uid}`.
    pub pattern: &'static str,
    pub redis_type: RedisType,
    pub class: Class,
    pub lifetime: Lifetime,
    /// The contents, as docs/keys.md prints them.
    pub contents: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedisType {
    String,
    Hash,
    Zset,
    Set,
    List,
    Stream,
}

impl RedisType {
    /// Returns the word that the command TYPE answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Hash => "hash",
            Self::Zset => "zset",
            Self::Set => "set",
            Self::List => "list",
            Self::Stream => "stream",
        }
    }
}

/// Says what is lost with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Nothing else holds this: a loss is final.
    SourceOfTruth,
    /// `redwing check --repair` rebuilds it from sources of truth.
    Derived,
    /// It expires, and the site makes it again when it needs it.
    Ephemeral,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SourceOfTruth => "source of truth",
            Self::Derived => "derived",
            Self::Ephemeral => "ephemeral",
        })
    }
}

/// The time until a key expires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifetime {
    Permanent,
    /// This many seconds.
    Seconds(u64),
    /// The session time-out of the settings.
    Session,
    /// Some time, stated for readers of the docs. A key without an expiry can be deleted: the site
    /// makes it again.
    Recreated(&'static str),
}

impl fmt::Display for Lifetime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Permanent => f.write_str("permanent"),
            Self::Seconds(seconds) if seconds % 3600 == 0 => write!(f, "{} h", seconds / 3600),
            Self::Seconds(seconds) => write!(f, "{seconds} s"),
            Self::Session => f.write_str("session time-out"),
            Self::Recreated(time) => f.write_str(time),
        }
    }
}

impl Key {
    pub fn redis_type(&self) -> RedisType {
        self.entry().redis_type
    }

    pub fn class(&self) -> Class {
        self.entry().class
    }

    /// Returns the key whose cache entry depends on this key. One script reads a home, and one a session,
    /// from several keys.
    pub(super) fn cached_under(self) -> Self {
        match self {
            Self::Active(of) | Self::Reading(of) | Self::Profile(of) | Self::Arrivals(of) => {
                Self::Home(of)
            }
            Self::Notifications(of)
            | Self::ReadMarker(of)
            | Self::Requests(of)
            | Self::UnreadChats(of) => Self::Auth(of),
            Self::Session(session) => Self::Auth(session.user),
            key => key,
        }
    }

    /// Returns the key of one of a user's collections of statuses.
    pub fn collection(of: UserId, collection: Collection) -> Self {
        match collection {
            Collection::Favourites => Self::Favourites(of),
            Collection::Bookmarks => Self::Bookmarks(of),
        }
    }
}

impl Key {
    /// Returns the key of the followed people that a home filter is set for.
    pub fn home_filter(of: UserId, filter: HomeFilter) -> Self {
        match filter {
            HomeFilter::HiddenReposts => Self::HiddenReposts(of),
        }
    }
}

impl From<Timeline> for Key {
    fn from(timeline: Timeline) -> Self {
        match timeline {
            Timeline::Home(of) => Self::Home(of),
            Timeline::List(list) => Self::ListTimeline(list),
        }
    }
}
