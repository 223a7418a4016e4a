//! The notification log: additions, removals, and the read marker.

use super::{
    Bench,
    calls::{mirror_follow, mirror_membership, unmirror, unmirror_follow},
};

const NOTIFY: &str =
    "notify notifications:{1} read_marker:{1} user:{1} arrivals:{1} live:{1} , DEADLINE 1000";
const UNNOTIFY: &str =
    "unnotify notifications:{1} read_marker:{1} arrivals:{1} live:{1} , DEADLINE 1000";
const READ: &str = "read_notifications notifications:{1} read_marker:{1} arrivals:{1} live:{1} ,";
const SESSION: &str = "load_session session:{1}:d auth:{1} notifications:{1} read_marker:{1} ,";
const UNFILE: &str = "unfile_status profile:{1} user:{1} home:{1} arrivals:{1} live:{1} posts:{1} notifications:{1} ,";

/// A score beyond the clock.
const AHEAD: u64 = 9_000_000_000_000_000;

fn alice() -> Bench {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} id 1 login alice");
    redis
}

/// Returns the unread count of a session.
fn unread(redis: &mut Bench) -> u64 {
    let answer = redis.eval(SESSION);
    let number = answer.trim_end_matches(']').rsplit(", ").next();
    number
        .and_then(|number| number.parse().ok())
        .expect("a number")
}

#[test]
fn a_repeated_notification_is_stored_once_and_keeps_its_place() {
    let mut redis = alice();
    assert_eq!(redis.eval(&format!("{NOTIFY} favourite:5:2 7")), "notified");
    assert_eq!(redis.eval(&format!("{NOTIFY} favourite:5:3 7")), "notified");
    let before = redis.everything();
    assert_eq!(
        redis.eval(&format!("{NOTIFY} favourite:5:2 7")),
        "unchanged"
    );
    assert_eq!(redis.everything(), before);
}

#[test]
fn a_missing_user_gets_no_notification() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} gone 5");
    let before = redis.everything();
    assert_eq!(
        redis.eval(&format!("{NOTIFY} favourite:5:2 7")),
        "unchanged"
    );
    assert_eq!(redis.everything(), before);
    redis.call(&mirror_follow(1, 3));
    assert_eq!(redis.run("EXISTS notifications:{1}"), "0");
}

#[test]
fn a_read_and_removed_notification_returns_to_its_place_as_read() {
    let mut redis = alice();
    for by in [2, 3] {
        redis.eval(&format!("{NOTIFY} favourite:5:{by} 7"));
    }
    let before = redis.eval(&format!("{READ} ''"));
    assert_eq!(
        redis.eval(&format!("{UNNOTIFY} favourite:5:2 retracted")),
        "removed"
    );
    assert_eq!(
        redis.eval(&format!("{UNNOTIFY} favourite:5:2 retracted")),
        "unchanged"
    );
    let seen = redis.eval(&format!("{READ} ''"));
    assert!(!seen.contains("favourite:5:2"), "{seen}");
    assert_eq!(
        redis.eval(&format!("{NOTIFY} favourite:5:2 9")),
        "unchanged"
    );
    assert_eq!(redis.eval(&format!("{READ} ''")), before);
    assert_eq!(unread(&mut redis), 0);
}

#[test]
fn an_unread_or_unrepeatable_notification_is_removed_for_good() {
    let mut redis = alice();
    redis.eval(&format!("{NOTIFY} favourite:5:2 7"));
    assert_eq!(
        redis.eval(&format!("{UNNOTIFY} favourite:5:2 retracted")),
        "removed"
    );
    assert_eq!(redis.run("EXISTS notifications:{1}"), "0");
    redis.eval(&format!("{NOTIFY} reply:5:2 7"));
    redis.eval(&format!("{READ} ''"));
    assert_eq!(redis.eval(&format!("{UNNOTIFY} reply:5:2 gone")), "removed");
    assert_eq!(redis.run("EXISTS notifications:{1}"), "0");
}

#[test]
fn a_thousand_removed_notifications_are_remembered_and_use_no_space_of_others() {
    let mut redis = alice();
    for by in 1..=1000 {
        redis.eval(&format!("{NOTIFY} favourite:5:{by} {AHEAD}"));
    }
    redis.eval(&format!("{READ} ''"));
    for by in 1..=1000 {
        redis.eval(&format!("{UNNOTIFY} favourite:5:{by} retracted"));
    }
    assert_eq!(redis.run("ZCOUNT notifications:{1} -inf (0"), "1000");
    for by in 1..=1001 {
        redis.eval(&format!("{NOTIFY} favourite:6:{by} {AHEAD}"));
    }
    redis.eval(&format!("{READ} ''"));
    assert_eq!(redis.run("ZCARD notifications:{1}"), "2000");
    assert_eq!(redis.run("ZSCORE notifications:{1} favourite:6:1"), "nil");
    redis.eval(&format!("{UNNOTIFY} favourite:6:7 retracted"));
    assert_eq!(redis.run("ZCOUNT notifications:{1} -inf (0"), "1000");
    assert_eq!(
        redis.run("ZSCORE notifications:{1} favourite:5:1"),
        "nil",
        "the oldest"
    );
    assert_eq!(
        redis.eval(&format!("{NOTIFY} favourite:5:2 {AHEAD}")),
        "unchanged"
    );
}

#[test]
fn the_newest_thousand_are_stored_and_older_ones_are_not_repeated() {
    let mut redis = alice();
    for by in 1..=1003 {
        assert_eq!(
            redis.eval(&format!("{NOTIFY} favourite:5:{by} {AHEAD}")),
            "notified"
        );
    }
    assert_eq!(redis.run("ZCARD notifications:{1}"), "1000");
    assert_eq!(redis.run("ZSCORE notifications:{1} favourite:5:3"), "nil");
    let before = redis.everything();
    assert_eq!(
        redis.eval(&format!("{NOTIFY} favourite:5:3 7")),
        "unchanged"
    );
    assert_eq!(redis.everything(), before);
}

#[test]
fn new_notifications_are_above_the_read_marker_even_with_a_slow_clock() {
    let mut redis = alice();
    redis.given(&format!(
        "HSET read_marker:{{1}} read {AHEAD} before 0 at 1"
    ));
    for by in [2, 3] {
        redis.eval(&format!("{NOTIFY} favourite:5:{by} 7"));
    }
    assert_eq!(unread(&mut redis), 2);
    let rows = redis.run("ZRANGE notifications:{1} 0 -1 WITHSCORES");
    let (one, two) = (AHEAD + 1, AHEAD + 2);
    assert_eq!(
        rows,
        format!("[favourite:5:2, {one}, favourite:5:3, {two}]")
    );
}

#[test]
fn a_new_follower_is_notified_with_the_mirror_and_once() {
    let mut redis = alice();
    redis.call(&mirror_follow(1, 3));
    let before = redis.everything();
    redis.call(&mirror_follow(1, 3));
    assert_eq!(redis.everything(), before);
    assert_eq!(unread(&mut redis), 1);
    redis.call(&unmirror_follow(1, 3));
    assert_eq!(redis.run("EXISTS notifications:{1}"), "0");
    redis.call(&mirror_follow(1, 3));
    redis.eval(&format!("{READ} ''"));
    redis.call(&unmirror_follow(1, 3));
    redis.call(&mirror_follow(1, 3));
    assert_eq!(unread(&mut redis), 0, "it was read");
}

#[test]
fn a_list_membership_is_not_notified() {
    let mut redis = alice();
    redis.call(&mirror_membership(1, "2:1"));
    redis.call(&unmirror("list_memberships:{1}", "2:1"));
    assert_eq!(redis.run("EXISTS notifications:{1}"), "0");
}

#[test]
fn a_deleted_status_removes_its_own_notifications_only() {
    for others in [0, 400] {
        let mut redis = alice();
        for by in 2..=3 {
            for kind in [
                "favourite:5",
                "repost:5",
                "favourite:55",
                "follow:0",
                "reply:5000",
            ] {
                redis.eval(&format!("{NOTIFY} {kind}:{by} 7"));
            }
        }
        for by in 0..others {
            redis.eval(&format!("{NOTIFY} favourite:{}:5 7", 100 + by));
        }
        redis.eval(&format!("{UNFILE} 5"));
        assert_eq!(
            redis.run("ZCARD notifications:{1}"),
            (6 + others).to_string()
        );
        for gone in ["favourite:5:2", "repost:5:3"] {
            let score = redis.run(&format!("ZSCORE notifications:{{1}} {gone}"));
            assert_eq!(score, "nil", "{gone}");
        }
    }
}

#[test]
fn a_visit_marks_all_as_read_and_a_prefetch_nothing() {
    let mut redis = alice();
    for by in 2..=4 {
        redis.eval(&format!("{NOTIFY} follow:0:{by} 7"));
    }
    assert_eq!(unread(&mut redis), 3);
    let before = redis.everything();
    let seen = redis.eval(&format!("{READ} prefetch"));
    assert!(seen.starts_with("[0, [follow:0:4, "), "{seen}");
    assert_eq!(redis.everything(), before);
    assert_eq!(redis.eval(&format!("{READ} ''")), seen);
    assert_eq!(unread(&mut redis), 0);
}

#[test]
fn new_notifications_stay_new_until_the_visit_ends() {
    let mut redis = alice();
    redis.eval(&format!("{NOTIFY} follow:0:2 7"));
    let first = redis.eval(&format!("{READ} ''"));
    assert_eq!(redis.eval(&format!("{READ} ''")), first, "loaded again");
    redis.eval(&format!("{NOTIFY} follow:0:3 7"));
    let more = redis.eval(&format!("{READ} ''"));
    assert!(more.starts_with("[0, [follow:0:3, "), "{more}");
    redis.given("HSET read_marker:{1} at 1");
    let read = redis.run("HGET read_marker:{1} read");
    let later = redis.eval(&format!("{READ} ''"));
    assert!(later.starts_with(&format!("[{read}, ")), "{later}");
}

#[test]
fn reading_again_within_a_minute_writes_nothing() {
    let mut redis = alice();
    redis.eval(&format!("{NOTIFY} follow:0:2 7"));
    redis.eval(&format!("{READ} ''"));
    let before = redis.everything();
    redis.eval(&format!("{READ} ''"));
    assert_eq!(redis.everything(), before);
}

#[test]
fn the_read_marker_never_falls() {
    let mut redis = alice();
    redis.given(&format!(
        "HSET read_marker:{{1}} read {AHEAD} before 0 at 1"
    ));
    redis.given("ZADD notifications:{1} 10 follow:0:4");
    redis.eval(&format!("{READ} ''"));
    assert_eq!(redis.run("HGET read_marker:{1} read"), AHEAD.to_string());
}

#[test]
fn notifications_are_readable_while_redis_refuses_writes() {
    let mut redis = alice();
    redis.eval(&format!("{NOTIFY} follow:0:2 7"));
    redis.given("CONFIG SET maxmemory 1");
    let seen = redis.eval(&format!("{READ} ''"));
    assert!(seen.starts_with("[0, [follow:0:2, "), "{seen}");
    assert_eq!(unread(&mut redis), 1);
}
