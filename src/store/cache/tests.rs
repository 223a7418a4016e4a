//! Tests of the cache of a connection.

use super::super::cache::*;
use crate::{domain::UserId, store::redis::scripts::With};

/// A shared row in tests.
#[derive(Debug, PartialEq)]
pub(super) struct Text(String);

impl Text {
    pub(super) fn of(text: &str) -> Self {
        Self(text.to_owned())
    }

    pub(super) fn key_of(number: u64) -> Key {
        Key::User(UserId::new(number).expect("in range"))
    }
}

impl CachedRow for Text {
    type Question = u64;

    const SHARED: bool = true;

    fn key(number: &u64) -> Key {
        Self::key_of(*number)
    }

    fn command(number: &u64) -> Cmd {
        redis::cmd("GET").with(Self::key(number).name())
    }

    fn parse(_: &u64, _: Value) -> Result<Option<Self>> {
        Ok(None)
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.0.len()
    }
}

fn invalidation_of(number: u64) -> PushInfo {
    let name = Text::key_of(number).name();
    PushInfo {
        kind: PushKind::Invalidate,
        data: vec![Value::Array(vec![Value::BulkString(name.into_bytes())])],
    }
}

/// A connection's cache with the shared rows.
struct Caches(Cache, Arc<SharedRows>);

impl Caches {
    fn of(bytes: usize) -> Self {
        Self(Cache::of(bytes), Arc::new(SharedRows::of(bytes)))
    }

    fn another(&self) -> Self {
        Self(Cache::of(1 << 20), Arc::clone(&self.1))
    }

    fn lease(&self, number: u64) -> u64 {
        self.0
            .look_up::<Text>(&self.1, [number].iter(), |_, _| ())
            .lease
    }

    fn insert(&self, number: u64, lease: u64, text: &str) {
        let place = (Text::key_of(number), lease);
        let row = self.0.insert_row(&self.1, place, Some(Text::of(text)));
        assert_eq!(*row.expect("it was read"), Text::of(text));
    }

    fn get(&self, number: u64) -> Option<String> {
        let rows = self
            .0
            .look_up::<Text>(&self.1, [number].iter(), |_, _| ())
            .rows;
        rows[0].as_ref().map(|row| row.0.clone())
    }

    fn put(&self, number: u64, text: &str) {
        self.insert(number, self.lease(number), text);
    }
}

#[test]
fn a_row_is_cached_until_it_changes() {
    let caches = Caches::of(1 << 20);
    caches.put(7, "one");
    caches.put(8, "two");
    assert_eq!(caches.get(7).as_deref(), Some("one"));
    caches.0.invalidate(&invalidation_of(7));
    assert_eq!(caches.get(7), None);
    assert_eq!(caches.get(8).as_deref(), Some("two"));
}

#[test]
fn an_absent_row_is_read_again_only_after_it_was_created() {
    let caches = Caches::of(1 << 20);
    let missing = || {
        caches
            .0
            .look_up::<Text>(&caches.1, [7].iter(), |_, _| ())
            .missing
    };
    let insert_absence = |lease| {
        let row = caches
            .0
            .insert_row::<Text>(&caches.1, (Text::key_of(7), lease), None);
        assert!(row.is_none());
    };
    let crossed = caches.lease(7);
    caches.0.invalidate(&invalidation_of(7));
    insert_absence(crossed);
    assert_eq!(missing(), [0], "it was created while it was read");
    insert_absence(caches.lease(7));
    assert!(missing().is_empty());
    assert_eq!(caches.get(7), None);
    caches.0.invalidate(&invalidation_of(7));
    assert_eq!(missing(), [0]);
    caches.put(7, "one");
    assert_eq!(caches.get(7).as_deref(), Some("one"));
}

#[test]
fn a_reply_that_crossed_an_invalidation_is_not_cached() {
    let caches = Caches::of(1 << 20);
    let lease = caches.lease(7);
    caches.0.invalidate(&invalidation_of(7));
    caches.insert(7, lease, "old");
    assert_eq!(caches.get(7), None);
}

#[test]
fn of_two_reads_of_a_key_only_the_one_after_the_invalidation_is_cached() {
    let caches = Caches::of(1 << 20);
    let first = caches.lease(7);
    caches.0.invalidate(&invalidation_of(7));
    let second = caches.lease(7);
    caches.insert(7, first, "old");
    assert_eq!(
        caches.get(8),
        None,
        "a look-up of another key changes nothing"
    );
    caches.insert(7, second, "new");
    assert_eq!(caches.get(7).as_deref(), Some("new"));
}

#[test]
fn a_row_of_another_connection_is_not_used_before_this_one_has_read_it_too() {
    let one = Caches::of(1 << 20);
    let other = one.another();
    one.put(7, "one");
    assert_eq!(other.get(7), None);
    other.put(7, "one");
    one.0.invalidate(&invalidation_of(7));
    assert_eq!(one.get(7), None);
    assert_eq!(other.get(7).as_deref(), Some("one"), "no invalidation yet");
    one.put(7, "two");
    assert_eq!(other.get(7), None, "all connections share one row");
}

#[test]
fn an_unknown_message_clears_the_cache() {
    for data in [
        vec![Value::Nil],
        vec![Value::Array(vec![Value::Int(1)])],
        vec![],
    ] {
        let caches = Caches::of(1 << 20);
        caches.put(7, "one");
        let kind = PushKind::Invalidate;
        caches.0.invalidate(&PushInfo { kind, data });
        assert_eq!(caches.get(7), None);
    }
}

#[test]
fn it_stays_within_its_bytes() {
    let entries = Caches(Cache::of(64 << 10), Arc::new(SharedRows::of(64 << 20)));
    let rows = Caches(Cache::of(64 << 20), Arc::new(SharedRows::of(64 << 10)));
    for (caches, most) in [(entries, 512), (rows, 64)] {
        for number in 1..=1000 {
            caches.put(number, &"x".repeat(1000));
        }
        let found = (1..=1000).filter(|number| caches.get(*number).is_some());
        assert!((1..=most).contains(&found.count()));
    }
}
