//! The positions of replies under their parents, the newest replies to a user, and the profile of the author.

use redwing::store::calls::{FileStatus, MirrorSource, PlaceReply, RecordReply};

use crate::scripts::{
    Bench,
    calls::{DEADLINE, mirror_follow},
    statuses::{file, unfile},
};

/// Puts a reply into its place under status 5.
pub fn place(reply_id: u64, place: &'static str) -> PlaceReply {
    PlaceReply {
        replies: "replies:{5}".into(),
        gaps: "gaps:{5}".into(),
        parent: "status:{5}".into(),
        deadline_ms: DEADLINE,
        reply_id,
        place,
        tombstone_ttl_s: 60,
    }
}

/// Records a reply to user 1, who has room for 10.
pub fn record(reply_id: u64) -> RecordReply {
    RecordReply {
        received_replies: "received_replies:{1}".into(),
        user: "user:{1}".into(),
        deadline_ms: DEADLINE,
        reply_id,
        max_replies: 10,
    }
}

fn below(redis: &mut Bench) -> [String; 2] {
    ["replies:{5}", "gaps:{5}"].map(|key| redis.run(&format!("ZRANGE {key} 0 -1 WITHSCORES")))
}

#[test]
fn a_reply_is_entered_once_however_often_it_is_written() {
    let mut redis = Bench::start();
    redis.given("HSET status:{5} id 5 uid 1 message hi");
    for (position, replies, gaps) in [
        ("reply", "[7, -7]", "[]"),
        ("gap", "[]", "[7, -7]"),
        ("reply", "[7, -7]", "[]"),
        ("nowhere", "[]", "[]"),
    ] {
        for _ in 0..2 {
            assert_eq!(redis.call(&place(7, position)), "placed");
            assert_eq!(below(&mut redis), [replies, gaps], "{position}");
            let counts = redis.run("HMGET status:{5} reply_count gap_count");
            let count = |shown: &str| u8::from(shown != "[]");
            assert_eq!(counts, format!("[{}, {}]", count(replies), count(gaps)));
        }
    }
}

#[test]
fn a_tombstone_ends_only_without_replies_and_gaps() {
    let mut redis = Bench::start();
    redis.given(
        "HSET status:{5} uid 1 deleted 9
         EXPIRE status:{5} 30",
    );
    for (position, word) in [("reply", "parent_deleted"), ("gap", "tombstone_unchanged")] {
        assert_eq!(redis.call(&place(7, position)), word);
        assert_eq!(redis.ttl_ms("status:{5}"), -1, "{position}");
    }
    for word in ["parent_deleted", "tombstone_unchanged"] {
        assert_eq!(redis.call(&place(7, "nowhere")), word);
        assert!((1..=60_000).contains(&redis.ttl_ms("status:{5}")));
    }
    redis.run("DEL status:{5}");
    assert_eq!(redis.call(&place(7, "gap")), "parent_deleted");
    assert_eq!(redis.run("EXISTS status:{5}"), "0");
}

#[test]
fn a_reply_to_a_deleted_status_stays_and_does_not_change_the_tombstone() {
    let mut redis = Bench::start();
    redis.given("HSET status:{5} uid 1 deleted 9 idempotency_key n");
    assert_eq!(redis.call(&place(7, "reply")), "parent_deleted");
    assert_eq!(
        redis.run("HGETALL status:{5}"),
        "[uid, 1, deleted, 9, idempotency_key, n]"
    );
    redis.given("DEL status:{5}");
    assert_eq!(redis.call(&place(8, "reply")), "tombstone_unchanged");
    assert_eq!(redis.run("EXISTS status:{5}"), "0");
    assert_eq!(redis.run("ZRANGE replies:{5} 0 -1"), "[8, 7]");
}

#[test]
fn the_newest_replies_to_a_person_are_stored_with_the_last_dropped_one() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} id 1 login alice");
    for id in 11..34 {
        assert_eq!(redis.call(&record(id)), "kept");
    }
    assert_eq!(redis.run("ZCARD received_replies:{1}"), "23");
    assert_eq!(redis.run("HGET user:{1} dropped_reply"), "nil");
    for id in 34..=44 {
        redis.call(&record(id));
    }
    assert_eq!(redis.run("HGET user:{1} dropped_reply"), "34");
    assert_eq!(redis.run("ZRANGE received_replies:{1} 9 9"), "[35]");
    assert_eq!(redis.call(&record(34)), "too_old", "dropped once");
    assert_eq!(redis.run("ZCARD received_replies:{1}"), "10");
    assert_eq!(redis.call(&record(40)), "kept", "again");
    assert_eq!(redis.run("ZCARD received_replies:{1}"), "10");
}

#[test]
fn a_new_follower_learns_the_newest_reply_that_was_not_read() {
    let mirror = |max_statuses| MirrorSource {
        max_statuses,
        ..mirror_follow(1, 2)
    };
    let mut redis = Bench::start();
    redis.given("HSET user:{1} id 1 login alice\nZADD received_replies:{1} -7 7 -8 8 -9 9");
    let reply = redis.call(&mirror(3));
    assert_eq!(reply, "[1, 0, [], [9, 8, 7]]");
    let reply = redis.call(&mirror(2));
    assert_eq!(reply, "[1, 0, [], [9, 8], 7]");
    redis.given("HSET user:{1} dropped_reply 5");
    let reply = redis.call(&mirror(3));
    assert_eq!(reply, "[1, 0, [], [9, 8, 7], 5]");
}

#[test]
fn a_reply_is_filed_under_all_and_a_post_under_posts_too() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} id 1 login alice posts 0");
    redis.call(&FileStatus {
        posts: Some("posts:{1}".into()),
        ..file(5)
    });
    redis.call(&file(6));
    assert_eq!(redis.run("ZRANGE profile:{1} 0 -1"), "[6, 5]");
    assert_eq!(redis.run("ZRANGE posts:{1} 0 -1 WITHSCORES"), "[5, -5]");
    redis.call(&unfile(5));
    assert_eq!(redis.run("EXISTS posts:{1}"), "0");
}
