//! The indexes of statuses: a status enters and leaves in one step, and each user of a tag counts
//! once.

use redwing::store::calls::{AddIndexEntry, AddMention, MirrorSource, RemoveIndexEntry, SetTagUse};

use super::{
    Bench,
    calls::{DEADLINE, mirror_tag_follow, unmirror},
};

/// A status of a past time, and statuses of a future time.
const OLD: u64 = 5;
const NEW: [u64; 3] = [
    9_007_199_254_740_001,
    9_007_199_254_740_002,
    9_007_199_254_740_003,
];

const EPOCH_MS: u64 = 1_767_225_600_000;

/// A status enters the index of the tag birds.
pub fn add(status_id: u64, author_id: u64) -> AddIndexEntry {
    AddIndexEntry {
        statuses: "tag_index:{birds}".into(),
        tag_uses: "tag_uses:{birds}".into(),
        deadline_ms: DEADLINE,
        status_id,
        author_id,
        epoch_ms: EPOCH_MS,
        is_used: 1,
    }
}

/// A status counts as a use of the tag birds (1), or no longer (0).
pub fn set_use(status_id: u64, author_id: u64, is_used: u64) -> SetTagUse {
    SetTagUse {
        tag_uses: "tag_uses:{birds}".into(),
        deadline_ms: DEADLINE,
        status_id,
        author_id,
        epoch_ms: EPOCH_MS,
        is_used,
    }
}

/// A status enters the mention index of a user.
pub fn add_mention(user: u64, status_id: u64) -> AddMention {
    AddMention {
        statuses: format!("mention_index:{{{user}}}"),
        owner: format!("user:{{{user}}}"),
        deadline_ms: DEADLINE,
        status_id,
    }
}

/// A status leaves the index of the tag birds.
fn remove(status_id: u64, author_id: u64) -> RemoveIndexEntry {
    RemoveIndexEntry {
        statuses: "tag_index:{birds}".into(),
        tag_uses: Some("tag_uses:{birds}".into()),
        status_id,
        author_id,
        epoch_ms: EPOCH_MS,
    }
}

#[test]
fn a_status_is_indexed_under_its_tag_and_each_author_counts_once() {
    let mut redis = Bench::start();
    assert_eq!(redis.call(&add(NEW[0], 7)), "1");
    assert_eq!(redis.call(&add(NEW[0], 7)), "1", "twice counts once");
    assert_eq!(
        redis.call(&add(NEW[1], 7)),
        "1",
        "another one by the same author too"
    );
    assert_eq!(redis.call(&add(NEW[2], 8)), "2");
    let newest_first = format!("[{}, {}, {}]", NEW[2], NEW[1], NEW[0]);
    assert_eq!(redis.run("ZRANGE tag_index:{birds} 0 -1"), newest_first);
    let scores = redis.run("ZRANGE tag_index:{birds} 0 0 WITHSCORES");
    assert!(scores.contains(&format!("-{}", NEW[2])), "{scores}");
    let ttl: u64 = redis.run("TTL tag_uses:{birds}").parse().expect("a number");
    assert!((86_000..=86_400).contains(&ttl), "{ttl}");
    assert_eq!(redis.run("TTL tag_index:{birds}"), "-1");
}

#[test]
fn a_status_older_than_a_day_is_indexed_and_does_not_count() {
    let mut redis = Bench::start();
    assert_eq!(redis.call(&add(OLD, 7)), "0");
    assert_eq!(redis.run("ZRANGE tag_index:{birds} 0 -1"), "[5]");
    redis.given("ZADD tag_uses:{birds} 6 9");
    assert_eq!(redis.call(&add(NEW[0], 8)), "1", "old users do not count");
    assert_eq!(redis.run("ZRANGE tag_uses:{birds} 0 -1"), "[8]");
}

#[test]
fn removing_the_newest_status_uncounts_its_author_and_an_older_one_changes_nothing() {
    let mut redis = Bench::start();
    for (id, author) in [(NEW[0], 7), (NEW[1], 7), (NEW[2], 8)] {
        redis.call(&add(id, author));
    }
    for _ in 0..2 {
        assert_eq!(redis.call(&remove(NEW[0], 7)), "2");
    }
    for _ in 0..2 {
        assert_eq!(redis.call(&remove(NEW[1], 7)), "1");
    }
    let left = format!("[{}]", NEW[2]);
    assert_eq!(redis.run("ZRANGE tag_index:{birds} 0 -1"), left);
    assert_eq!(redis.run("ZRANGE tag_uses:{birds} 0 -1"), "[8]");
}

#[test]
fn a_status_that_not_everyone_sees_is_indexed_and_does_not_count() {
    let mut redis = Bench::start();
    let hidden = |id, author| AddIndexEntry {
        is_used: 0,
        ..add(id, author)
    };
    redis.call(&add(NEW[0], 7));
    assert_eq!(redis.call(&hidden(NEW[1], 7)), "1", "the other one counts");
    assert_eq!(redis.call(&hidden(NEW[0], 7)), "0");
    let both = format!("[{}, {}]", NEW[1], NEW[0]);
    assert_eq!(redis.run("ZRANGE tag_index:{birds} 0 -1"), both);
}

#[test]
fn a_use_of_a_tag_begins_and_ends_without_a_change_of_its_index() {
    let mut redis = Bench::start();
    redis.call(&add(NEW[0], 7));
    assert_eq!(redis.call(&set_use(NEW[1], 8, 1)), "2");
    assert_eq!(redis.call(&set_use(NEW[0], 8, 0)), "2", "of a newer status");
    assert_eq!(redis.call(&set_use(NEW[1], 8, 0)), "1");
    assert_eq!(redis.call(&set_use(NEW[0], 7, 0)), "0");
    let indexed = format!("[{}]", NEW[0]);
    assert_eq!(redis.run("ZRANGE tag_index:{birds} 0 -1"), indexed);
}

#[test]
fn a_mention_leaves_the_index_and_counts_no_one() {
    let mut redis = Bench::start();
    redis.given("ZADD mention_index:{9} -5 5");
    for _ in 0..2 {
        let remove = RemoveIndexEntry {
            statuses: "mention_index:{9}".into(),
            tag_uses: None,
            ..remove(5, 7)
        };
        assert_eq!(redis.call(&remove), "0");
        assert_eq!(redis.run("KEYS *"), "[]");
    }
}

#[test]
fn a_tag_follow_is_written_and_its_statuses_read_in_one_step() {
    let mut redis = Bench::start();
    redis.given("ZADD tag_index:{birds} -5 5 -6 6 -7 7");
    let call = |follower| MirrorSource {
        max_statuses: 2,
        ..mirror_tag_follow(follower)
    };
    assert_eq!(redis.call(&call("9")), "[1, 3, [7, 6]]");
    let since = redis.run("ZSCORE tag_followers:{birds} 9");
    assert_eq!(redis.call(&call("9")), "[1, 3, [7, 6]]");
    assert_eq!(
        redis.run("ZSCORE tag_followers:{birds} 9"),
        since,
        "it is stored"
    );
    redis.call(&call("8"));
    assert_eq!(
        redis.run("ZRANGE tag_followers:{birds} 0 -1"),
        "[9, 8]",
        "oldest first"
    );
    assert_eq!(redis.call(&unmirror("tag_followers:{birds}", "9")), "1");
}

#[test]
fn a_deleted_user_has_no_mentions() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} login alice\nHSET user:{2} gone 5");
    for user in [1, 2] {
        assert_eq!(redis.call(&add_mention(user, 6)), "0");
    }
    let entries = redis.run("ZRANGE mention_index:{1} 0 -1 WITHSCORES");
    assert_eq!(entries, "[6, -6]");
    assert_eq!(redis.run("EXISTS mention_index:{2}"), "0");
}
