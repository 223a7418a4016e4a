//! The notification log: additions, removals, and the read marker.

use super::Bench;

const NOTIFY: &str =
    "notify notifications:{1} noticed:{1} user:{1} arrivals:{1} live:{1} , DEADLINE 1000";
const UNNOTIFY: &str =
    "unnotify notifications:{1} noticed:{1} arrivals:{1} live:{1} , DEADLINE 1000";
const READ: &str = "read_notifications notifications:{1} noticed:{1} arrivals:{1} live:{1} ,";
const SESSION: &str = "load_session session:{1}:d auth:{1} notifications:{1} noticed:{1} ,";
const UNFILE: &str = "unfile_status profile:{1} user:{1} home:{1} arrivals:{1} live:{1} posts:{1} notifications:{1} ,";
const MIRROR: &str = "mirror_edge followers:{1} user:{1} profile:{1} answered:{1} arrivals:{1} live:{1} notifications:{1} noticed:{1} , DEADLINE";
const UNMIRROR: &str = "unmirror_edge followers:{1} user:{1} arrivals:{1} live:{1} notifications:{1} noticed:{1} , DEADLINE";

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
fn the_same_is_told_once_and_stands_where_it_stood() {
    let mut redis = alice();
    assert_eq!(redis.eval(&format!("{NOTIFY} favourite:5:2 7")), "1");
    assert_eq!(redis.eval(&format!("{NOTIFY} favourite:5:3 7")), "1");
    let before = redis.everything();
    assert_eq!(redis.eval(&format!("{NOTIFY} favourite:5:2 7")), "0");
    assert_eq!(redis.everything(), before);
}

#[test]
fn somebody_who_is_not_there_is_told_nothing() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} gone 5");
    let before = redis.everything();
    assert_eq!(redis.eval(&format!("{NOTIFY} favourite:5:2 7")), "0");
    assert_eq!(redis.everything(), before);
    redis.eval(&format!("{MIRROR} 3 1 followers follow:0:3 1000"));
    assert_eq!(redis.run("EXISTS notifications:{1}"), "0");
}

#[test]
fn what_was_read_and_undone_comes_back_to_its_place_and_is_no_news() {
    let mut redis = alice();
    for by in [2, 3] {
        redis.eval(&format!("{NOTIFY} favourite:5:{by} 7"));
    }
    let before = redis.eval(&format!("{READ} visit"));
    assert_eq!(redis.eval(&format!("{UNNOTIFY} favourite:5:2 undone")), "1");
    assert_eq!(redis.eval(&format!("{UNNOTIFY} favourite:5:2 undone")), "0");
    let seen = redis.eval(&format!("{READ} visit"));
    assert!(!seen.contains("favourite:5:2"), "{seen}");
    assert_eq!(redis.eval(&format!("{NOTIFY} favourite:5:2 9")), "0");
    assert_eq!(redis.eval(&format!("{READ} visit")), before);
    assert_eq!(unread(&mut redis), 0);
}

#[test]
fn what_was_not_read_or_cannot_be_again_leaves_the_log() {
    let mut redis = alice();
    redis.eval(&format!("{NOTIFY} favourite:5:2 7"));
    assert_eq!(redis.eval(&format!("{UNNOTIFY} favourite:5:2 undone")), "1");
    assert_eq!(redis.run("EXISTS notifications:{1}"), "0");
    redis.eval(&format!("{NOTIFY} reply:5:2 7"));
    redis.eval(&format!("{READ} visit"));
    assert_eq!(redis.eval(&format!("{UNNOTIFY} reply:5:2 gone")), "1");
    assert_eq!(redis.run("EXISTS notifications:{1}"), "0");
}

#[test]
fn a_thousand_that_were_undone_stay_known_and_take_no_place_of_others() {
    let mut redis = alice();
    for by in 1..=1000 {
        redis.eval(&format!("{NOTIFY} favourite:5:{by} {AHEAD}"));
    }
    redis.eval(&format!("{READ} visit"));
    for by in 1..=1000 {
        redis.eval(&format!("{UNNOTIFY} favourite:5:{by} undone"));
    }
    assert_eq!(redis.run("ZCOUNT notifications:{1} -inf (0"), "1000");
    for by in 1..=1001 {
        redis.eval(&format!("{NOTIFY} favourite:6:{by} {AHEAD}"));
    }
    redis.eval(&format!("{READ} visit"));
    assert_eq!(redis.run("ZCARD notifications:{1}"), "2000");
    assert_eq!(redis.run("ZSCORE notifications:{1} favourite:6:1"), "nil");
    redis.eval(&format!("{UNNOTIFY} favourite:6:7 undone"));
    assert_eq!(redis.run("ZCOUNT notifications:{1} -inf (0"), "1000");
    assert_eq!(
        redis.run("ZSCORE notifications:{1} favourite:5:1"),
        "nil",
        "the oldest"
    );
    assert_eq!(redis.eval(&format!("{NOTIFY} favourite:5:2 {AHEAD}")), "0");
}

#[test]
fn the_newest_thousand_are_kept_and_what_was_before_them_is_not_told_again() {
    let mut redis = alice();
    for by in 1..=1003 {
        assert_eq!(
            redis.eval(&format!("{NOTIFY} favourite:5:{by} {AHEAD}")),
            "1"
        );
    }
    assert_eq!(redis.run("ZCARD notifications:{1}"), "1000");
    assert_eq!(redis.run("ZSCORE notifications:{1} favourite:5:3"), "nil");
    let before = redis.everything();
    assert_eq!(redis.eval(&format!("{NOTIFY} favourite:5:3 7")), "0");
    assert_eq!(redis.everything(), before);
}

#[test]
fn what_is_new_is_newer_than_what_was_read_even_where_the_clock_stands_behind() {
    let mut redis = alice();
    redis.given(&format!("HSET noticed:{{1}} read {AHEAD} before 0 at 1"));
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
fn a_new_follower_is_told_with_the_mirror_and_once() {
    let mut redis = alice();
    redis.eval(&format!("{MIRROR} 3 1 followers follow:0:3 1000"));
    let before = redis.everything();
    redis.eval(&format!("{MIRROR} 3 1 followers follow:0:3 1000"));
    assert_eq!(redis.everything(), before);
    assert_eq!(unread(&mut redis), 1);
    redis.eval(&format!("{UNMIRROR} 3 followers follow:0:3 1000"));
    assert_eq!(redis.run("EXISTS notifications:{1}"), "0");
    redis.eval(&format!("{MIRROR} 3 1 followers follow:0:3 1000"));
    redis.eval(&format!("{READ} visit"));
    redis.eval(&format!("{UNMIRROR} 3 followers follow:0:3 1000"));
    redis.eval(&format!("{MIRROR} 3 1 followers follow:0:3 1000"));
    assert_eq!(unread(&mut redis), 0, "it was read");
}

#[test]
fn a_list_that_somebody_is_put_on_is_not_told() {
    let mut redis = alice();
    redis.eval("mirror_edge listed:{1} user:{1} profile:{1} answered:{1} , DEADLINE 2:1 9 ''");
    redis.eval("unmirror_edge listed:{1} user:{1} , DEADLINE 2:1 ''");
    assert_eq!(redis.run("EXISTS notifications:{1}"), "0");
}

#[test]
fn a_status_takes_all_that_was_told_about_it_with_it_and_no_more() {
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
fn a_visit_reads_all_and_a_glance_nothing() {
    let mut redis = alice();
    for by in 2..=4 {
        redis.eval(&format!("{NOTIFY} follow:0:{by} 7"));
    }
    assert_eq!(unread(&mut redis), 3);
    let before = redis.everything();
    let seen = redis.eval(&format!("{READ} glance"));
    assert!(seen.starts_with("[0, [follow:0:4, "), "{seen}");
    assert_eq!(redis.everything(), before);
    assert_eq!(redis.eval(&format!("{READ} visit")), seen);
    assert_eq!(unread(&mut redis), 0);
}

#[test]
fn what_was_new_stays_so_until_the_visit_ends() {
    let mut redis = alice();
    redis.eval(&format!("{NOTIFY} follow:0:2 7"));
    let first = redis.eval(&format!("{READ} visit"));
    assert_eq!(redis.eval(&format!("{READ} visit")), first, "loaded again");
    redis.eval(&format!("{NOTIFY} follow:0:3 7"));
    let more = redis.eval(&format!("{READ} visit"));
    assert!(more.starts_with("[0, [follow:0:3, "), "{more}");
    redis.given("HSET noticed:{1} at 1");
    let read = redis.run("HGET noticed:{1} read");
    let later = redis.eval(&format!("{READ} visit"));
    assert!(later.starts_with(&format!("[{read}, ")), "{later}");
}

#[test]
fn reading_again_within_a_minute_writes_nothing() {
    let mut redis = alice();
    redis.eval(&format!("{NOTIFY} follow:0:2 7"));
    redis.eval(&format!("{READ} visit"));
    let before = redis.everything();
    redis.eval(&format!("{READ} visit"));
    assert_eq!(redis.everything(), before);
}

#[test]
fn how_far_one_read_never_falls() {
    let mut redis = alice();
    redis.given(&format!("HSET noticed:{{1}} read {AHEAD} before 0 at 1"));
    redis.given("ZADD notifications:{1} 10 follow:0:4");
    redis.eval(&format!("{READ} visit"));
    assert_eq!(redis.run("HGET noticed:{1} read"), AHEAD.to_string());
}

#[test]
fn it_can_be_read_where_redis_takes_no_writes() {
    let mut redis = alice();
    redis.eval(&format!("{NOTIFY} follow:0:2 7"));
    redis.given("CONFIG SET maxmemory 1");
    let seen = redis.eval(&format!("{READ} visit"));
    assert!(seen.starts_with("[0, [follow:0:2, "), "{seen}");
    assert_eq!(unread(&mut redis), 1);
}
