//! The cache of a connection: statuses, people and sessions that it has read. Redis keeps it current by
//! CLIENT TRACKING (OPTIN): it reports on the same connection which keys have changed. On a cluster each
//! primary has its own connection and cache ([`view`]).
//!
//! Redis sends an invalidation before the reply to any later command of the connection, and it is
//! applied when replies are read. So on a single node, after any round trip, the cache holds nothing that was changed or
//! deleted before that round trip. Every page makes one (its session, its timeline or a login) before it
//! reads the cache.
//!
//! A read can cross an invalidation: Redis replies, the key changes, and the reply would be cached after
//! the invalidation arrived. So a pending read holds a lease. An invalidation revokes it, and a value is
//! cached only if its lease survived.
//!
//! A cache belongs to one connection, ends with it, and is bounded in bytes. Of a row that all
//! connections use, it holds only the version ([`shared_rows`]). The cache knows keys and bytes. A type
//! that is cached is declared by its feature, as a [`CachedRow`] or as the value of a script.

mod cached;
pub(super) mod recording;
pub(super) mod shared_rows;
pub(super) mod view;

use std::{
    any::Any,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use foldhash::fast::RandomState;
use parking_lot::Mutex;
use quick_cache::{Weighter, unsync};
use redis::{Cmd, PushInfo, PushKind, Value};

use super::{Key, Result};
use shared_rows::{RowVersion, SharedRows};

/// Bytes per entry besides the row: key, place in the table, and bookkeeping.
const ENTRY_BYTES: u64 = 128;
/// Average bytes per entry, for the initial size of the table.
const USUAL_BYTES: u64 = 512;

/// The parsed result of a read of one key.
pub(super) trait CachedRow: Any + PartialEq + Send + Sync {
    /// The question that the read answers.
    type Question;

    /// Whether all connections use the same row. Such a row knows its version.
    const SHARED: bool = false;

    fn key(question: &Self::Question) -> Key;

    /// Builds the command that reads the key and nothing else.
    fn command(question: &Self::Question) -> Cmd;

    /// Parses the reply. `None` if the key does not exist.
    fn parse(question: &Self::Question, answer: Value) -> Result<Option<Self>>
    where
        Self: Sized;

    fn bytes(&self) -> usize;

    fn set_version(&mut self, _version: RowVersion) {}

    /// Returns whether the row answers this question. A key can have different questions.
    fn answers(&self, _question: &Self::Question) -> bool {
        true
    }
}

/// A row or value of any feature.
type AnyValue = Arc<dyn Any + Send + Sync>;

enum Entry {
    /// A pending read with the lease of this number.
    Leased(u64),
    /// The key of a shared row does not exist. So an absent row costs as much as a hidden one.
    Absent,
    /// A row that all connections use.
    Shared(RowVersion),
    /// A row or value of this connection, with its bytes and the lease of its read.
    Own {
        value: AnyValue,
        bytes: u64,
        lease: u64,
    },
}

/// Distinguishes an entry from later ones of the same key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stamp {
    Absent,
    Shared(RowVersion),
    Own(u64),
}

impl Entry {
    /// `None` for a pending read.
    fn stamp(&self) -> Option<Stamp> {
        match self {
            Self::Leased(_) => None,
            Self::Absent => Some(Stamp::Absent),
            Self::Shared(version) => Some(Stamp::Shared(*version)),
            Self::Own { lease, .. } => Some(Stamp::Own(*lease)),
        }
    }
}

/// The cached rows in the order of the questions, and the lease for the missing ones.
struct Lookup<R> {
    /// `None` if the row is missing here, or is known to be absent.
    rows: Vec<Option<Arc<R>>>,
    /// The places of the rows to read.
    missing: Vec<usize>,
    lease: u64,
}

pub(super) struct Cache(Mutex<Entries>);

/// Number of caches that this process has made. Each cache numbers its leases in its own range. So an entry of a closed
/// connection never matches an entry of a later one.
static CACHES: AtomicU64 = AtomicU64::new(0);

struct Entries {
    by_key: unsync::Cache<Key, Entry, Bytes, RandomState>,
    leases: u64,
    /// Number of invalidations that were applied.
    invalidations: u64,
}

impl Entries {
    fn next_lease(&mut self) -> u64 {
        self.leases += 1;
        self.leases
    }

    fn has_lease(&self, key: &Key, lease: u64) -> bool {
        matches!(self.by_key.peek(key), Some(Entry::Leased(number)) if *number == lease)
    }
}

#[derive(Clone)]
struct Bytes;

impl Weighter<Key, Entry> for Bytes {
    fn weight(&self, _: &Key, entry: &Entry) -> u64 {
        match entry {
            Entry::Own { bytes, .. } => ENTRY_BYTES + bytes,
            Entry::Leased(_) | Entry::Absent | Entry::Shared(_) => ENTRY_BYTES,
        }
    }
}

impl Cache {
    pub(super) fn of(bytes: usize) -> Self {
        let bytes = bytes as u64;
        let usual = usize::try_from(bytes / USUAL_BYTES).unwrap_or(usize::MAX);
        let (hasher, lifecycle) = (RandomState::default(), Default::default());
        Self(Mutex::new(Entries {
            by_key: unsync::Cache::with(usual, bytes, Bytes, hasher, lifecycle),
            leases: CACHES.fetch_add(1, Ordering::Relaxed) << 40,
            invalidations: 0,
        }))
    }

    /// Returns the cached rows, and calls `found` with the entry of each. Places a lease for the missing ones.
    fn look_up<'a, R: CachedRow>(
        &self,
        shared_rows: &SharedRows,
        questions: impl ExactSizeIterator<Item = &'a R::Question>,
        mut found: impl FnMut(Key, Stamp),
    ) -> Lookup<R>
    where
        R::Question: 'a,
    {
        let mut entries = self.0.lock();
        let lease = entries.next_lease();
        let (mut rows, mut missing) = (Vec::with_capacity(questions.len()), Vec::new());
        for (at, question) in questions.enumerate() {
            let key = R::key(question);
            let entry = entries.by_key.get(&key);
            let stamp = entry.and_then(Entry::stamp);
            let row = match entry {
                Some(Entry::Absent) => {
                    recording::note_entry(&key, Stamp::Absent);
                    found(key, Stamp::Absent);
                    rows.push(None);
                    continue;
                }
                None | Some(Entry::Leased(_)) => None,
                Some(Entry::Shared(version)) => shared_rows.get::<R>(&key, *version),
                Some(Entry::Own { value, .. }) => Arc::clone(value).downcast().ok(),
            };
            let row = row.filter(|row| row.answers(question));
            if let (Some(_), Some(stamp)) = (&row, stamp) {
                recording::note_entry(&key, stamp);
                found(key, stamp);
            } else {
                entries.by_key.insert(key, Entry::Leased(lease));
                missing.push(at);
            }
            rows.push(row);
        }
        Lookup {
            rows,
            missing,
            lease,
        }
    }

    /// Returns a value or row of this connection, with the stamp of its entry.
    fn value<V: Any + Send + Sync>(&self, key: &Key) -> Option<(Arc<V>, Stamp)> {
        match self.0.lock().by_key.get(key)? {
            Entry::Own { value, lease, .. } => {
                let stamp = Stamp::Own(*lease);
                recording::note_entry(key, stamp);
                Some((Arc::clone(value).downcast().ok()?, stamp))
            }
            Entry::Leased(_) | Entry::Absent | Entry::Shared(_) => None,
        }
    }

    /// Returns a row that all connections use, if this one may use it.
    fn shared_row<R: CachedRow>(
        &self,
        shared_rows: &SharedRows,
        question: &R::Question,
    ) -> Option<Arc<R>> {
        let (key, entries) = (R::key(question), self.0.lock());
        let Entry::Shared(version) = entries.by_key.get(&key)? else {
            return None;
        };
        recording::note_entry(&key, Stamp::Shared(*version));
        shared_rows.get(&key, *version)
    }

    /// Returns the number of invalidations so far if it holds all of these entries unchanged. They stay valid while
    /// that number stays the same, because only an invalidation says that Redis has another value.
    fn holds(&self, expected: &[(Key, Stamp)]) -> Option<u64> {
        let entries = self.0.lock();
        let stamp = |key: &Key| entries.by_key.peek(key).and_then(Entry::stamp);
        expected
            .iter()
            .all(|(key, expected)| stamp(key) == Some(*expected))
            .then_some(entries.invalidations)
    }

    fn invalidations(&self) -> u64 {
        self.0.lock().invalidations
    }

    /// Places a lease and returns its number.
    pub(super) fn lease(&self, key: Key) -> u64 {
        let mut entries = self.0.lock();
        let lease = entries.next_lease();
        entries.by_key.insert(key, Entry::Leased(lease));
        lease
    }

    /// Caches the value of a script that read several keys, if the lease survived.
    pub(super) fn insert_value(&self, key: Key, lease: u64, value: AnyValue, bytes: usize) {
        let mut entries = self.0.lock();
        if entries.has_lease(&key, lease) {
            recording::note_entry(&key, Stamp::Own(lease));
            let bytes = bytes as u64;
            let entry = Entry::Own {
                value,
                bytes,
                lease,
            };
            entries.by_key.insert(key, entry);
        } else {
            recording::note_uncached_read();
        }
    }

    /// Caches a row, or its absence, if the lease survived.
    pub(super) fn insert_row<R: CachedRow>(
        &self,
        shared_rows: &SharedRows,
        (key, lease): (Key, u64),
        row: Option<R>,
    ) -> Option<Arc<R>> {
        let mut entries = self.0.lock();
        if !entries.has_lease(&key, lease) {
            recording::note_uncached_read();
            return row.map(Arc::new);
        }
        let Some(row) = row else {
            // Only the key of a shared row has one question.
            if R::SHARED {
                recording::note_entry(&key, Stamp::Absent);
                entries.by_key.insert(key, Entry::Absent);
            } else {
                recording::note_uncached_read();
                entries.by_key.remove(&key);
            }
            return None;
        };
        let (entry, row) = if R::SHARED {
            let (version, row) = shared_rows.insert(key.clone(), row);
            (Entry::Shared(version), row)
        } else {
            let bytes = row.bytes() as u64;
            let row = Arc::new(row);
            let value = Arc::clone(&row) as AnyValue;
            let entry = Entry::Own {
                value,
                bytes,
                lease,
            };
            (entry, row)
        };
        if let Some(stamp) = entry.stamp() {
            recording::note_entry(&key, stamp);
        }
        entries.by_key.insert(key, entry);
        Some(row)
    }

    /// Applies an invalidation from Redis. An unknown message clears the cache.
    pub(super) fn invalidate(&self, push: &PushInfo) {
        if push.kind != PushKind::Invalidate {
            return;
        }
        let mut entries = self.0.lock();
        entries.invalidations += 1;
        let keys: Option<Vec<Key>> = match &push.data[..] {
            [Value::Array(names)] => names.iter().map(parse_key).collect(),
            _ => None,
        };
        match keys {
            Some(keys) => {
                for key in keys {
                    entries.by_key.remove(&key.cached_under());
                }
            }
            None => entries.by_key.clear(),
        }
    }
}

fn parse_key(name: &Value) -> Option<Key> {
    match name {
        Value::BulkString(name) => Key::parse(std::str::from_utf8(name).ok()?),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
