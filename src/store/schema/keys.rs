//! Constructors of keys.

pub(in crate::store) use super::table::*;

use super::{ChatForm, Chunk, Key, RateLimitName, UserToken};
use crate::domain::{ChatId, Collection, IdempotencyKey, Term, Timeline, UserId};

pub fn collection(of: UserId, collection: Collection) -> String {
    Key::collection(of, collection).name()
}

pub fn postings(term: &Term, bound: u64) -> String {
    let term = term.clone();
    postings_of(Chunk { term, bound })
}

pub fn idempotency_key(of: UserId, key: &IdempotencyKey) -> String {
    idempotency(UserToken::new(of, key.as_str()))
}

/// Returns the key of the message that a form became.
pub fn message_of_form(chat: ChatId, author: UserId, key: &IdempotencyKey) -> String {
    let key = key.as_str().to_owned();
    sent_message(ChatForm { chat, author, key })
}

pub fn session(of: UserId, digest: &str) -> String {
    session_of(UserToken::new(of, digest))
}

pub fn rate(limit: &str, who: &str) -> String {
    rate_limit(RateLimitName(format!("{limit}:{who}")))
}

/// Returns the key of the sightings of a shield.
pub fn seen(shield: &str, of: &str) -> String {
    sightings(RateLimitName(format!("{shield}:{of}")))
}

/// Returns the channel of a user's open streams: a message there says that a page has changed. It is no
/// key, but lies in the slot of the user's keys.
pub fn live(of: UserId) -> String {
    format!("live:{{{of}}}")
}

/// Returns the name of a key that is never written, in the slot of another key. It is not in the schema.
pub fn absent_beside(key: &str) -> String {
    let tag = key
        .split_once('{')
        .and_then(|(_, rest)| rest.split_once('}'));
    let tag = tag.map_or(key, |(tag, _)| tag);
    format!("absent:{{{tag}}}")
}

pub fn channel_owner(channel: &str) -> Option<UserId> {
    let tag = channel.strip_prefix("live:{")?.strip_suffix('}')?;
    tag.parse().ok()
}

pub fn timeline(timeline: Timeline) -> String {
    match timeline {
        Timeline::Home(of) => home(of),
        Timeline::List(list) => list_timeline(list),
    }
}

pub fn active_mark(timeline: Timeline) -> String {
    match timeline {
        Timeline::Home(of) => active(of),
        Timeline::List(list) => list_active(list),
    }
}
