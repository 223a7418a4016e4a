//! The bytes of the statuses of a person.

use redwing::store::calls::{CountTombstone, DrawStatus, FileStatus, ReserveEdit, SetCountedBytes};

use super::{author, draw, file, unfile};
use crate::scripts::Bench;

const POST_BYTES: &str = "HMGET post_bytes:{1} sum 5 6";

/// A status of user 1 is filed with so many bytes beyond the base.
fn file_large(status_id: u64, extra_bytes: u64) -> FileStatus {
    FileStatus {
        extra_bytes,
        ..file(status_id)
    }
}

#[test]
fn the_bytes_of_statuses_are_counted_once_corrected_and_removed() {
    let mut redis = author();
    for (status_id, extra_bytes, counted) in [
        (5, 70, "[70, 70, nil]"),
        (5, 70, "[70, 70, nil]"),
        (6, 0, "[70, 70, nil]"),
        (6, 30, "[100, 70, 30]"),
        (5, 20, "[50, 20, 30]"),
        (5, 0, "[30, nil, 30]"),
    ] {
        redis.call(&file_large(status_id, extra_bytes));
        assert_eq!(redis.run(POST_BYTES), counted, "{status_id} {extra_bytes}");
    }
    for _ in 0..2 {
        redis.call(&unfile(6));
        assert_eq!(redis.run("EXISTS post_bytes:{1}"), "0");
    }
}

#[test]
fn a_tombstone_counts_while_it_has_replies_and_its_author_exists() {
    let mut redis = author();
    let count = |bytes| CountTombstone {
        user: "user:{1}".into(),
        post_bytes: "post_bytes:{1}".into(),
        status_id: 5,
        bytes,
    };
    for _ in 0..2 {
        redis.call(&count(700));
        assert_eq!(redis.run(POST_BYTES), "[700, 700, nil]");
    }
    redis.call(&count(600));
    assert_eq!(redis.run(POST_BYTES), "[600, 600, nil]");
    redis.call(&count(0));
    assert_eq!(redis.run("EXISTS post_bytes:{1}"), "0");
    redis.run("DEL user:{1}");
    redis.run("HSET user:{1} gone 5");
    redis.call(&count(700));
    assert_eq!(redis.run("EXISTS post_bytes:{1}"), "0");
}

#[test]
fn an_id_is_drawn_only_if_all_statuses_and_reservations_leave_room() {
    let draw = |key: &str, extra_bytes: u64| DrawStatus {
        extra_bytes,
        quota_bytes: 500,
        ..draw(key, "aa")
    };
    let mut redis = author();
    let is_drawn = |redis: &mut Bench, call: &DrawStatus| redis.call(call) != "[over_quota]";
    redis.call(&file_large(5, 50));
    assert!(!is_drawn(&mut redis, &draw("a", 251)));
    assert_eq!(redis.run("EXISTS idempotency:{1}:a"), "0");
    assert!(is_drawn(&mut redis, &draw("a", 150)), "400 of 500");
    assert!(!is_drawn(&mut redis, &draw("b", 1)));
    assert!(is_drawn(&mut redis, &draw("b", 0)), "500 of 500");
    assert!(is_drawn(&mut redis, &draw("a", 150)), "the same form again");
    assert!(!is_drawn(&mut redis, &draw("c", 0)));
    redis.call(&unfile(5));
    assert!(is_drawn(&mut redis, &draw("c", 50)));
}

#[test]
fn a_reservation_ends_when_the_status_is_counted_or_its_time_is_over() {
    let mut redis = author();
    let full = |key: &str| DrawStatus {
        quota_bytes: 100,
        ..draw(key, "aa")
    };
    for (reserved, is_drawn) in [
        ("7:100:1", true),
        ("7:100:99999999999999", true),
        ("nonsense", true),
    ] {
        redis.given("UNLINK idempotency:{1}:a");
        redis.given(&format!("HSET post_bytes:{{1}} reserved {reserved}"));
        let drawn = redis.call(&full("a")) != "[over_quota]";
        assert_eq!(drawn, is_drawn, "{reserved}");
    }
    assert_eq!(redis.call(&full("b")), "[over_quota]");
    let id = redis.run("HGET post_bytes:{1} reserved");
    let id = id.split(':').next().and_then(|id| id.parse().ok());
    redis.call(&file(id.expect("an id")));
    assert_eq!(redis.run("EXISTS post_bytes:{1}"), "0");
    assert_eq!(redis.call(&full("b")), "[over_quota]", "it is filed now");
    redis.call(&unfile(id.expect("an id")));
    assert_ne!(redis.call(&full("b")), "[over_quota]");
}

#[test]
fn an_edit_needs_room_for_what_it_adds() {
    let mut redis = author();
    redis.call(&file_large(5, 50));
    let edit = |status_id: u64, extra_bytes: u64| ReserveEdit {
        profile: "profile:{1}".into(),
        post_bytes: "post_bytes:{1}".into(),
        status_id,
        extra_bytes,
        base_bytes: 100,
        quota_bytes: 300,
    };
    for (status_id, extra_bytes, reply) in [
        (5, 201, "over_quota"),
        (5, 200, "reserved"),
        (5, 40, "reserved"),
        (6, 50, "reserved"),
        (6, 51, "over_quota"),
    ] {
        redis.given("HDEL post_bytes:{1} reserved");
        let answer = redis.call(&edit(status_id, extra_bytes));
        assert_eq!(answer, reply, "{status_id} {extra_bytes}");
    }
}

#[test]
fn a_sum_is_corrected_only_if_it_did_not_change() {
    let mut redis = author();
    redis.call(&file_large(5, 50));
    let set = |found_sum: &str, sum: u64| SetCountedBytes {
        counted: "post_bytes:{1}".into(),
        found_sum: found_sum.into(),
        sum,
    };
    assert_eq!(redis.call(&set("40", 60)), "outdated");
    assert_eq!(redis.run(POST_BYTES), "[50, 50, nil]");
    assert_eq!(redis.call(&set("50", 60)), "set");
    assert_eq!(redis.run(POST_BYTES), "[60, 50, nil]");
    assert_eq!(redis.call(&set("60", 0)), "set");
    assert_eq!(redis.call(&set("0", 0)), "set");
    assert_eq!(redis.run(POST_BYTES), "[nil, 50, nil]");
}
