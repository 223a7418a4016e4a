//! The cache of a connection: statuses, people and sessions that it has read. Redis keeps it current by
//! CLIENT TRACKING (OPTIN): it reports on the same connection which keys have changed.
//!
//! Redis sends an invalidation before the reply to any later command of the connection, and it is
//! applied when replies are read. So after any round trip, the cache holds nothing that was changed or
//! deleted before that round trip. Every page makes one (its session, its timeline or a login) before it
//! reads the cache.
//!
//! A read can cross an invalidation: Redis replies, the key changes, and the reply would be cached after
//! the invalidation arrived. So a pending read holds a lease. An invalidation revokes it, and a value is
//! cached only if its lease survived.
//!
//! A cache belongs to one connection, ends with it, and is bounded in bytes. It holds only the numbers
//! of statuses and people; their rows are shared in memory by all connections ([`shared_rows`]).

mod cache_name;
mod cached;
mod shared_rows;
pub(super) mod shown;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use foldhash::fast::RandomState;
use quick_cache::{Weighter, unsync};
use redis::{Cmd, PushInfo, PushKind, Value};

use super::{
    Result, User,
    follows::presence::Present,
    people::suggestions::Top,
    polls::OwnBallot,
    sessions::kept_session::KeptSession,
    statuses::status_row::StatusRow,
    tags::{tag_follows::FollowedTags, trends::Trends},
    timelines::visited_home::VisitedHome,
};
pub(super) use cache_name::Name;
use shared_rows::{Number, SharedRows};

/// Bytes per entry besides the row: key, place in the table, and bookkeeping.
const ENTRY_BYTES: u64 = 128;
/// Average bytes per entry, for the initial size of the table.
const USUAL_BYTES: u64 = 512;

/// The parsed result of a read of one key.
pub(super) trait Row: Sized {
    /// The question that the read answers.
    type Question: Clone;

    fn name(question: &Self::Question) -> Name;

    /// Builds the command that reads the key and nothing else.
    fn command(question: &Self::Question) -> Cmd;

    /// Parses the reply. `None` if the key does not exist.
    fn parse(question: &Self::Question, answer: Value) -> Result<Option<Self>>;

    /// Returns the bytes that it occupies.
    fn bytes(&self) -> usize;

    /// Stores the row and returns it with its cache entry.
    fn hold(self, shared: &Shared, name: Name) -> (Arc<Self>, Held);

    /// Returns the row if it answers this question.
    fn find(held: &Held, shared: &Shared, question: &Self::Question) -> Option<Arc<Self>>;
}

/// Rows that all connections use.
pub(super) struct Shared {
    pub(super) statuses: SharedRows<StatusRow>,
    pub(super) users: SharedRows<User>,
}

impl Shared {
    /// Creates the shared rows. Homes show more statuses than people, so statuses get more room.
    pub(super) fn of(bytes: usize) -> Self {
        Self {
            statuses: SharedRows::of(bytes / 4 * 3),
            users: SharedRows::of(bytes / 4),
        }
    }
}

/// A cache entry.
#[derive(Clone)]
pub(super) enum Held {
    /// A pending read with the lease of this number.
    Leased(u64),
    /// A status or a person.
    Shared(Number),
    Top(Arc<Top>),
    Present(Arc<Present>),
    Ballot(Arc<OwnBallot>),
    FollowedTags(Arc<FollowedTags>),
    Trends(Arc<Trends>),
    Home(Arc<VisitedHome>),
    Session(Arc<KeptSession>),
}

/// The cached rows in the order of the questions, and the lease for the missing ones.
pub(super) struct Look<R> {
    pub(super) rows: Vec<Option<Arc<R>>>,
    pub(super) lease: u64,
}

pub(super) struct Cache(Mutex<Shelf>);

struct Shelf {
    entries: unsync::Cache<Name, (Held, u64), Bytes, RandomState>,
    leases: u64,
}

impl Shelf {
    /// Returns whether the lease is still in place.
    fn stands(&self, name: Name, lease: u64) -> bool {
        matches!(
            self.entries.peek(&name),
            Some((Held::Leased(number), _)) if *number == lease
        )
    }
}

#[derive(Clone)]
struct Bytes;

impl Weighter<Name, (Held, u64)> for Bytes {
    fn weight(&self, _: &Name, (_, bytes): &(Held, u64)) -> u64 {
        ENTRY_BYTES + bytes
    }
}

impl Cache {
    pub(super) fn of(bytes: usize) -> Self {
        let bytes = bytes as u64;
        let usual = usize::try_from(bytes / USUAL_BYTES).unwrap_or(usize::MAX);
        Self(Mutex::new(Shelf {
            entries: unsync::Cache::with(
                usual,
                bytes,
                Bytes,
                RandomState::default(),
                Default::default(),
            ),
            leases: 0,
        }))
    }

    /// Returns the cached rows. Places a lease for the missing ones.
    pub(super) fn look<R: Row>(&self, shared: &Shared, questions: &[R::Question]) -> Look<R> {
        let mut shelf = self.shelf();
        shelf.leases += 1;
        let lease = shelf.leases;
        let find = |question: &R::Question| {
            let name = R::name(question);
            let held = shelf.entries.get(&name);
            let row = held.and_then(|(held, _)| R::find(held, shared, question));
            if row.is_none() {
                shelf.entries.insert(name, (Held::Leased(lease), 0));
            }
            row
        };
        Look {
            rows: questions.iter().map(find).collect(),
            lease,
        }
    }

    /// Returns the entry under a name.
    pub(super) fn held(&self, name: Name) -> Option<Held> {
        self.shelf()
            .entries
            .get(&name)
            .map(|(held, _)| held.clone())
    }

    /// Places a lease and returns its number.
    pub(super) fn lease(&self, name: Name) -> u64 {
        let mut shelf = self.shelf();
        shelf.leases += 1;
        let lease = shelf.leases;
        shelf.entries.insert(name, (Held::Leased(lease), 0));
        lease
    }

    /// Caches the result of a script that read several keys, if the lease survived.
    pub(super) fn keep_held(&self, name: Name, lease: u64, held: Held, bytes: usize) {
        let mut shelf = self.shelf();
        if shelf.stands(name, lease) {
            shelf.entries.insert(name, (held, bytes as u64));
        }
    }

    /// Caches a row, or its absence, if the lease survived.
    pub(super) fn keep<R: Row>(
        &self,
        shared: &Shared,
        (name, lease): (Name, u64),
        row: Option<R>,
    ) -> Option<Arc<R>> {
        let mut shelf = self.shelf();
        if !shelf.stands(name, lease) {
            return row.map(Arc::new);
        }
        let Some(row) = row else {
            shelf.entries.remove(&name);
            return None;
        };
        let (row, held) = row.hold(shared, name);
        let bytes = match held {
            Held::Shared(_) => 0,
            _ => row.bytes() as u64,
        };
        shelf.entries.insert(name, (held, bytes));
        Some(row)
    }

    /// Applies an invalidation from Redis. An unknown message clears the cache.
    pub(super) fn hear(&self, push: &PushInfo) {
        if push.kind != PushKind::Invalidate {
            return;
        }
        let mut shelf = self.shelf();
        let keys = match &push.data[..] {
            [Value::Array(keys)] => keys.iter().map(name_of).collect(),
            _ => None,
        };
        let names: Option<Vec<Name>> = keys;
        match names {
            Some(names) => {
                for name in names {
                    shelf.entries.remove(&name);
                }
            }
            None => shelf.entries.clear(),
        }
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn name_of(key: &Value) -> Option<Name> {
    match key {
        Value::BulkString(key) => Name::of(key),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::cache::*;
    use crate::{
        domain::{StatusId, UserId},
        store::{Shown, UnixMs, cache::shown::ShownHalves},
    };

    fn id(number: u64) -> StatusId {
        StatusId::new(number).expect("in range")
    }

    fn row(message: &str) -> StatusRow {
        StatusRow {
            author: UserId::new(1).expect("in range"),
            message: message.to_owned(),
            posted: UnixMs(0),
            repost_of: None,
            quote_of: None,
            favourite_count: 0,
            repost_count: 0,
            quote_count: 0,
            reply_to: None,
            reply_count: 0,
            gap_count: 0,
            delivered_to: None,
            warning: None,
            poll: None,
            edited: None,
            revision: 0,
            shown_time: Shown::default(),
            shown_message: Shown::default(),
            shown_card: ShownHalves::default(),
        }
    }

    fn news_of(name: Name) -> PushInfo {
        let keys = vec![Value::BulkString(name.key().into_bytes())];
        PushInfo {
            kind: PushKind::Invalidate,
            data: vec![Value::Array(keys)],
        }
    }

    /// A connection's cache with the shared rows.
    struct Kept(Cache, Arc<Shared>);

    impl Kept {
        fn of(bytes: usize) -> Self {
            Self(Cache::of(bytes), Arc::new(Shared::of(bytes)))
        }

        fn another(&self) -> Self {
            Self(Cache::of(1 << 20), Arc::clone(&self.1))
        }

        fn lease(&self, number: u64) -> u64 {
            self.0.look::<StatusRow>(&self.1, &[id(number)]).lease
        }

        fn keep(&self, number: u64, lease: u64, message: &str) {
            let place = (Name::Status(id(number)), lease);
            let row = self.0.keep(&self.1, place, Some(row(message)));
            assert_eq!(row.expect("it was read").message, message);
        }

        fn held(&self, number: u64) -> Option<String> {
            let rows = self.0.look::<StatusRow>(&self.1, &[id(number)]).rows;
            rows[0].as_ref().map(|row| row.message.clone())
        }

        fn put(&self, number: u64, message: &str) {
            self.keep(number, self.lease(number), message);
        }
    }

    #[test]
    fn what_was_read_is_found_until_it_changes() {
        let kept = Kept::of(1 << 20);
        kept.put(7, "one");
        kept.put(8, "two");
        assert_eq!(kept.held(7).as_deref(), Some("one"));
        kept.0.hear(&news_of(Name::Status(id(7))));
        assert_eq!(kept.held(7), None);
        assert_eq!(kept.held(8).as_deref(), Some("two"));
    }

    #[test]
    fn an_answer_that_crossed_the_news_of_a_change_is_not_kept() {
        let kept = Kept::of(1 << 20);
        let lease = kept.lease(7);
        kept.0.hear(&news_of(Name::Status(id(7))));
        kept.keep(7, lease, "old");
        assert_eq!(kept.held(7), None);
    }

    #[test]
    fn of_two_who_read_the_same_the_one_who_was_told_of_no_change_keeps_it() {
        let kept = Kept::of(1 << 20);
        let first = kept.lease(7);
        kept.0.hear(&news_of(Name::Status(id(7))));
        let second = kept.lease(7);
        kept.keep(7, first, "old");
        assert_eq!(kept.held(8), None, "another look changes nothing");
        kept.keep(7, second, "new");
        assert_eq!(kept.held(7).as_deref(), Some("new"));
    }

    #[test]
    fn what_another_connection_read_is_not_found_before_this_one_has_read_it_too() {
        let one = Kept::of(1 << 20);
        let other = one.another();
        one.put(7, "one");
        assert_eq!(other.held(7), None);
        other.put(7, "one");
        one.0.hear(&news_of(Name::Status(id(7))));
        assert_eq!(one.held(7), None);
        assert_eq!(other.held(7).as_deref(), Some("one"), "not told yet");
        one.put(7, "two");
        assert_eq!(other.held(7), None, "one row stands for all");
    }

    #[test]
    fn when_everything_was_flushed_nothing_is_left() {
        for data in [
            vec![Value::Nil],
            vec![Value::Array(vec![Value::Int(1)])],
            vec![],
        ] {
            let kept = Kept::of(1 << 20);
            kept.put(7, "one");
            let kind = PushKind::Invalidate;
            kept.0.hear(&PushInfo { kind, data });
            assert_eq!(kept.held(7), None);
        }
    }

    #[test]
    fn it_stays_within_its_bytes() {
        let entries = Kept(Cache::of(64 << 10), Arc::new(Shared::of(64 << 20)));
        let rows = Kept(Cache::of(64 << 20), Arc::new(Shared::of(64 << 10)));
        for (kept, most) in [(entries, 512), (rows, 64)] {
            for number in 1..=1000 {
                kept.put(number, &"x".repeat(1000));
            }
            let found = (1..=1000).filter(|number| kept.held(*number).is_some());
            assert!((1..=most).contains(&found.count()));
        }
    }
}
