//! Rows that all threads share: one in memory per key, with its rendered parts. The cache of each
//! connection ([`crate::store::cache`]) holds numbers of rows that it may use. The rows are here, within
//! one limit for all threads.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use foldhash::fast::RandomState;
use quick_cache::{Weighter, sync};

use super::{Name, Row};

/// Bytes per row besides the row: key, number and place in the table.
const ENTRY_BYTES: u64 = 128;
/// Average bytes per row, for the initial size of the table.
const USUAL_BYTES: u64 = 2048;

/// The number of a row that was read. It is never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) struct Number(u64);

pub(in crate::store) struct SharedRows<R> {
    rows: sync::Cache<Name, (Number, Arc<R>), Bytes, RandomState>,
    numbers: AtomicU64,
}

#[derive(Clone)]
struct Bytes;

impl<R: Row> Weighter<Name, (Number, Arc<R>)> for Bytes {
    fn weight(&self, _: &Name, (_, row): &(Number, Arc<R>)) -> u64 {
        ENTRY_BYTES + row.bytes() as u64
    }
}

impl<R: Row + PartialEq> SharedRows<R> {
    pub(in crate::store) fn of(bytes: usize) -> Self {
        let bytes = bytes as u64;
        let usual = usize::try_from(bytes / USUAL_BYTES).unwrap_or(usize::MAX);
        let (hasher, lifecycle) = (RandomState::default(), Default::default());
        Self {
            rows: sync::Cache::with(usual, bytes, Bytes, hasher, lifecycle),
            numbers: AtomicU64::default(),
        }
    }

    /// Returns the row of this number if it is still the current one of the name.
    pub(in crate::store) fn get(&self, name: Name, number: Number) -> Option<Arc<R>> {
        let (standing, row) = self.rows.get(&name)?;
        (standing == number).then_some(row)
    }

    /// Returns the current row of this name if it is equal, else makes this one current.
    pub(in crate::store) fn one_of(&self, name: Name, row: R) -> (Number, Arc<R>) {
        if let Some(equal) = self.rows.get(&name).filter(|(_, there)| **there == row) {
            return equal;
        }
        let number = Number(self.numbers.fetch_add(1, Ordering::Relaxed));
        let row = (number, Arc::new(row));
        self.rows.insert(name, row.clone());
        row
    }
}

#[cfg(test)]
mod tests {
    use super::super::shared_rows::*;
    use crate::{
        domain::{Login, UserId},
        store::{Shown, UnixMs, User},
    };

    const ROOM: usize = 1 << 20;

    fn user(name: &str) -> User {
        User {
            id: UserId::new(7).expect("in range"),
            login: Login::parse("alice").expect("a login"),
            name: name.to_owned(),
            bio: String::new(),
            signup: UnixMs(0),
            posts: 0,
            followers: 0,
            following: 0,
            shown_avatar: Shown::default(),
            shown_byline: Shown::default(),
            shown_row: Shown::default(),
        }
    }

    #[test]
    fn rows_that_are_equal_are_one_with_what_was_made_of_them() {
        let rows = SharedRows::of(ROOM);
        let name = Name::User(user("Alice").id);
        let (number, one) = rows.one_of(name, user("Alice"));
        one.shown_byline.or_make(|| "made once".to_owned());
        let (same, other) = rows.one_of(name, user("Alice"));
        assert!(Arc::ptr_eq(&one, &other));
        assert_eq!(number, same);
        let made = other.shown_byline.or_make(|| "made twice".to_owned());
        assert_eq!(made, "made once");
    }

    #[test]
    fn a_row_that_has_changed_is_another_and_who_knows_the_old_one_finds_none() {
        let rows = SharedRows::of(ROOM);
        let name = Name::User(user("Alice").id);
        let (old, _) = rows.one_of(name, user("Alice"));
        let (new, _) = rows.one_of(name, user("Alicia"));
        assert!(rows.get(name, old).is_none());
        assert_eq!(rows.get(name, new).expect("it stands").name, "Alicia");
        let (again, _) = rows.one_of(name, user("Alice"));
        assert!(again != old && again != new);
    }

    #[test]
    fn what_is_kept_stays_within_its_bytes_and_what_is_used_stays_longest() {
        let bytes = 256 * user("Alice").bytes();
        let rows = SharedRows::of(bytes);
        let name = |id| Name::User(UserId::new(id).expect("in range"));
        let (used, _) = rows.one_of(name(1), user("used"));
        for id in 2..10_000 {
            rows.one_of(name(id), user("Alice"));
            assert!(rows.get(name(1), used).is_some());
        }
        assert!(rows.rows.weight() <= bytes as u64);
    }
}
