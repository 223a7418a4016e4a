//! Constructors of keys, and the lists of keys that several scripts take.

pub(in crate::store) use super::table::*;

use super::{Chunk, Key, RateLimitName, UserToken};
use crate::domain::{Collection, IdempotencyKey, StatusHeader, Term, Timeline, UserId};

pub(in crate::store) fn collection(of: UserId, collection: Collection) -> String {
    Key::collection(of, collection).name()
}

pub(in crate::store) fn postings(term: &Term, bound: u64) -> String {
    let term = term.clone();
    postings_of(Chunk { term, bound })
}

pub(in crate::store) fn idempotency_key(of: UserId, key: &IdempotencyKey) -> String {
    idempotency(UserToken::new(of, key.as_str()))
}

pub(in crate::store) fn session(of: UserId, digest: &str) -> String {
    session_of(UserToken::new(of, digest))
}

pub(in crate::store) fn rate(limit: &str, who: &str) -> String {
    rate_limit(RateLimitName(format!("{limit}:{who}")))
}

/// Returns the channel of a user's open streams: a message there says that a page has changed. It is no
/// key, but lies in the slot of the user's keys.
pub(in crate::store) fn live(of: UserId) -> String {
    format!("live:{{{of}}}")
}

/// Returns the user of a channel.
pub(in crate::store) fn channel_owner(channel: &str) -> Option<UserId> {
    let tag = channel.strip_prefix("live:{")?.strip_suffix('}')?;
    tag.parse().ok()
}

/// Returns the statuses of a timeline and its active mark.
pub(in crate::store) fn timeline(timeline: Timeline) -> [String; 2] {
    match timeline {
        Timeline::Home(of) => [home(of), active(of)],
        Timeline::List(list) => [list_timeline(list), list_active(list)],
    }
}

/// Returns a timeline with all keys that decide which statuses belong on it: the timeline, its sources, its
/// active mark and, for a home, excluded people, hidden reposts and followed tags.
pub(in crate::store) fn timeline_with_sources(timeline: Timeline) -> Vec<String> {
    timeline_keys(timeline, None)
}

/// Returns the same keys, or those that can decide about the status with this header.
fn timeline_keys(timeline: Timeline, header: Option<&StatusHeader>) -> Vec<String> {
    let of = match timeline {
        Timeline::Home(of) => of,
        Timeline::List(list) => {
            return vec![list_timeline(list), list_members(list), list_active(list)];
        }
    };
    let mut keys = vec![home(of), following(of), active(of), excluded(of)];
    if header.is_none_or(|header| header.repost_of.is_some()) {
        keys.push(hidden_reposts(of));
    }
    if header.is_none_or(|header| header.stands_alone() && !header.tags.is_empty()) {
        keys.push(followed_tags(of));
    }
    keys
}

/// Returns the keys of a delivery of this status to a timeline: those that decide and, for a home, the read
/// ranges, the arrivals and the channel.
pub(in crate::store) fn delivery(to: Timeline, header: &StatusHeader) -> Vec<String> {
    let mut keys = timeline_keys(to, Some(header));
    if let Timeline::Home(of) = to {
        keys.push(reading(of));
    }
    with_channel(keys, to)
}

/// Adds the keys by which open streams of a home learn of a change.
pub(in crate::store) fn with_channel(keys: impl Into<Vec<String>>, of: Timeline) -> Vec<String> {
    let mut keys = keys.into();
    if let Timeline::Home(of) = of {
        keys.extend([arrivals(of), live(of)]);
    }
    keys
}
