//! Rows that all threads share: one in memory per key. The cache of each connection
//! ([`crate::store::cache`]) holds versions of rows that it may use. The rows are here, within one limit
//! for all threads.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use foldhash::fast::RandomState;
use quick_cache::{Weighter, sync};

use super::{AnyValue, CachedRow};
use crate::store::Key;

/// Bytes per row besides the row: key, version and place in the table.
const ENTRY_BYTES: u64 = 128;
/// Average bytes per row, for the initial size of the table.
const USUAL_BYTES: u64 = 512;

/// The version of a row. Each changed row gets another one, and none is used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowVersion(pub(crate) u64);

pub struct SharedRows {
    rows: sync::Cache<Key, SharedRow, Bytes, RandomState>,
    next_version: AtomicU64,
}

#[derive(Clone)]
struct SharedRow {
    version: RowVersion,
    row: AnyValue,
    bytes: u64,
}

#[derive(Clone)]
struct Bytes;

impl Weighter<Key, SharedRow> for Bytes {
    fn weight(&self, _: &Key, row: &SharedRow) -> u64 {
        ENTRY_BYTES + row.bytes
    }
}

impl SharedRows {
    pub fn of(bytes: usize) -> Self {
        let bytes = bytes as u64;
        let usual = usize::try_from(bytes / USUAL_BYTES).unwrap_or(usize::MAX);
        let (hasher, lifecycle) = (RandomState::default(), Default::default());
        Self {
            rows: sync::Cache::with(usual, bytes, Bytes, hasher, lifecycle),
            next_version: AtomicU64::default(),
        }
    }

    /// Returns the row of this version if it is still the current one of the key.
    pub(super) fn get<R: CachedRow>(&self, key: &Key, version: RowVersion) -> Option<Arc<R>> {
        let current = self.rows.get(key).filter(|row| row.version == version)?;
        current.row.downcast().ok()
    }

    /// Returns the current row of this key if it is equal, else makes this one current.
    pub(super) fn insert<R: CachedRow>(&self, key: Key, mut row: R) -> (RowVersion, Arc<R>) {
        if let Some(current) = self.rows.get(&key)
            && let Ok(equal) = current.row.downcast::<R>()
        {
            row.set_version(current.version);
            if *equal == row {
                return (current.version, equal);
            }
        }
        let version = RowVersion(self.next_version.fetch_add(1, Ordering::Relaxed));
        row.set_version(version);
        let (bytes, row) = (row.bytes() as u64, Arc::new(row));
        let any: AnyValue = Arc::clone(&row) as AnyValue;
        let shared = SharedRow {
            version,
            row: any,
            bytes,
        };
        self.rows.insert(key, shared);
        (version, row)
    }

    /// Counts the row of this version with so many bytes, because it has grown. If another row became current at this
    /// moment, the older one takes its place, and the next page reads the newer one again.
    pub(in crate::store) fn weigh(&self, key: &Key, version: RowVersion, bytes: usize) {
        let current = self.rows.get(key).filter(|row| row.version == version);
        if let Some(current) = current {
            let bytes = bytes as u64;
            self.rows
                .insert(key.clone(), SharedRow { bytes, ..current });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{shared_rows::*, tests::Text};

    const ROOM: usize = 1 << 20;

    #[test]
    fn equal_rows_are_one_row() {
        let rows = SharedRows::of(ROOM);
        let (version, one) = rows.insert(Text::key_of(7), Text::of("Alice"));
        let (same, other) = rows.insert(Text::key_of(7), Text::of("Alice"));
        assert!(Arc::ptr_eq(&one, &other));
        assert_eq!(version, same);
    }

    #[test]
    fn a_changed_row_has_a_new_version_and_the_old_version_finds_no_row() {
        let rows = SharedRows::of(ROOM);
        let (old, _) = rows.insert(Text::key_of(7), Text::of("Alice"));
        let (new, _) = rows.insert(Text::key_of(7), Text::of("Alicia"));
        let get = |version| rows.get::<Text>(&Text::key_of(7), version);
        assert!(get(old).is_none());
        assert_eq!(*get(new).expect("it is current"), Text::of("Alicia"));
        let (again, _) = rows.insert(Text::key_of(7), Text::of("Alice"));
        assert!(again != old && again != new);
    }

    #[test]
    fn a_row_that_has_grown_counts_with_its_new_bytes() {
        let rows = SharedRows::of(ROOM);
        let (old, _) = rows.insert(Text::key_of(7), Text::of("Alice"));
        let (new, _) = rows.insert(Text::key_of(7), Text::of("Alicia"));
        rows.weigh(&Text::key_of(7), old, 1000);
        let of_alicia = ENTRY_BYTES + Text::of("Alicia").bytes() as u64;
        assert_eq!(rows.rows.weight(), of_alicia, "it is not current");
        rows.weigh(&Text::key_of(7), new, 1000);
        assert_eq!(rows.rows.weight(), ENTRY_BYTES + 1000);
        assert!(rows.get::<Text>(&Text::key_of(7), new).is_some());
    }

    #[test]
    fn rows_stay_within_their_bytes_and_a_used_row_stays_longest() {
        let bytes = 256 * Text::of("Alice").bytes();
        let rows = SharedRows::of(bytes);
        let (used, _) = rows.insert(Text::key_of(1), Text::of("used"));
        for id in 2..10_000 {
            rows.insert(Text::key_of(id), Text::of("Alice"));
            assert!(rows.get::<Text>(&Text::key_of(1), used).is_some());
        }
        assert!(rows.rows.weight() <= bytes as u64);
    }
}
