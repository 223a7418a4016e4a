//! Reading the new statuses of a home in order of importance, and author preferences.

use redwing::store::calls::{ClearRelation, ReadImportant, SetPreference};

use super::{EPOCH_MS, read_home};
use crate::scripts::{
    Bench,
    calls::{DEADLINE, unfollow},
};

/// Sets the preference of user 1 for an author.
pub fn set_preference(author_id: u64, preference: &str) -> SetPreference {
    SetPreference {
        author_preferences: "author_preferences:{1}".into(),
        following: "following:{1}".into(),
        user: "user:{1}".into(),
        auth: "auth:{1}".into(),
        deadline_ms: DEADLINE,
        author_id,
        preference: preference.into(),
        session_epoch: "e1".into(),
    }
}

/// Reads up to so many statuses for a page of four, as of this time (0: now). Returns the reply without the
/// time. A read as of the epoch of ids ends with the last id of its first millisecond.
fn read(redis: &mut Bench, as_of_ms: u64, max_ids: usize) -> String {
    let reply = redis.call(&ReadImportant {
        home: "home:{1}".into(),
        active_mark: "active:{1}".into(),
        reading: "reading:{1}".into(),
        profile: "profile:{1}".into(),
        muted: "muted:{1}".into(),
        muted_texts: "muted_texts:{1}".into(),
        as_of_ms,
        max_ids,
        max_seen_ids: 4,
        mark_ttl_s: 9000,
        epoch_ms: EPOCH_MS,
        page_size: 4,
        mode: "",
    });
    let (mark, rest) = reply.split_once(", ").expect("a mark");
    let (_, rest) = rest.split_once(", ").expect("a time");
    format!("{mark}, {rest}")
}

fn come(redis: &mut Bench, ids: impl Iterator<Item = u64>) {
    let members: Vec<String> = ids.map(|id| format!("-{id} {id}")).collect();
    redis.given(&format!("ZADD home:{{1}} {}", members.join(" ")));
}

/// Creates a reader who has seen ten statuses, the fifth of them their own.
fn reader() -> Bench {
    let mut redis = Bench::start();
    redis.given("SET active:{1} 0 EX 9000");
    redis.given("ZADD profile:{1} -5 5");
    come(&mut redis, 1..=10);
    redis.call(&read_home("-inf", 5, 0));
    redis
}

fn shown(redis: &mut Bench) -> String {
    redis.run("HGET reading:{1} shown")
}

fn pause(redis: &mut Bench) {
    redis.given("HSET reading:{1} at 1");
}

#[test]
fn new_statuses_are_read_except_own_ones() {
    let mut redis = reader();
    come(&mut redis, 11..=15);
    redis.given("ZADD profile:{1} -13 13 -15 15");
    assert_eq!(read(&mut redis, 0, 200), "[0, [14, 12, 11], 3]");
    assert_eq!(read(&mut redis, 0, 2), "[0, [14, 12], 3]");
}

#[test]
fn statuses_between_seen_ones_are_read_newest_first() {
    let mut redis = reader();
    come(&mut redis, 11..=20);
    redis.given("HSET reading:{1} before 0-10,13-14,17-17 shown 0-10,13-14,17-17");
    let all = "[20, 19, 18, 16, 15, 12, 11]";
    assert_eq!(read(&mut redis, 0, 200), format!("[0, {all}, 7]"));
    assert_eq!(read(&mut redis, 0, 4), "[0, [20, 19, 18, 16], 7]");
}

#[test]
fn a_page_with_all_new_statuses_marks_them_as_shown() {
    let mut redis = reader();
    come(&mut redis, 11..=14);
    assert_eq!(read(&mut redis, 0, 200), "[0, [14, 13, 12, 11], 4]");
    assert_eq!(shown(&mut redis), "0-14");
    assert_eq!(
        read(&mut redis, 0, 200),
        "[0, [14, 13, 12, 11], 4]",
        "it is new until the visit ends"
    );
    pause(&mut redis);
    assert_eq!(
        read(&mut redis, 0, 200),
        "[0, [14, 13, 12, 11], 0]",
        "a page of seen statuses"
    );
}

#[test]
fn more_than_a_page_of_new_statuses_marks_nothing_as_shown() {
    let mut redis = reader();
    come(&mut redis, 11..=15);
    for at in [0, EPOCH_MS] {
        assert_eq!(read(&mut redis, at, 200), "[0, [15, 14, 13, 12, 11], 5]");
        assert_eq!(shown(&mut redis), "0-10");
    }
    pause(&mut redis);
    assert_eq!(read(&mut redis, 0, 200), "[0, [15, 14, 13, 12, 11], 5]");
}

#[test]
fn a_later_page_marks_nothing_as_shown() {
    let mut redis = reader();
    come(&mut redis, 4097..=4098);
    assert_eq!(read(&mut redis, EPOCH_MS, 200), "[0, [], 0]");
    assert_eq!(shown(&mut redis), "0-10", "newer statuses are not on it");
    assert_eq!(read(&mut redis, 0, 200), "[0, [4098, 4097], 2]");
}

#[test]
fn it_starts_and_extends_a_visit() {
    let mut redis = reader();
    come(&mut redis, 11..=15);
    redis.call(&read_home("-inf", 2, 0));
    assert_eq!(shown(&mut redis), "0-10,15-15");
    pause(&mut redis);
    assert_eq!(read(&mut redis, 0, 200), "[0, [14, 13, 12, 11], 4]");
    let begun = redis.run("HGET reading:{1} at");
    assert_ne!(begun, "1");
    assert_eq!(redis.run("HGET reading:{1} before"), "0-10,15-15");
    let before = redis.everything();
    read(&mut redis, 0, 200);
    assert_eq!(
        redis.everything(),
        before,
        "nothing is written for a minute"
    );
    let a_while = begun.parse::<u64>().expect("a moment") - 5 * 60_000;
    redis.given(&format!("HSET reading:{{1}} at {a_while}"));
    read(&mut redis, EPOCH_MS, 200);
    assert_ne!(redis.run("HGET reading:{1} at"), a_while.to_string());
    let before_the_clock_was_set_back = "99999999999999";
    redis.given(&format!(
        "HSET reading:{{1}} at {before_the_clock_was_set_back}"
    ));
    read(&mut redis, 0, 200);
    let at = redis.run("HGET reading:{1} at");
    assert_ne!(at, before_the_clock_was_set_back);
}

#[test]
fn below_the_floor_nothing_is_new_and_a_first_visit_sees_all_as_read() {
    let mut redis = Bench::start();
    redis.given("SET active:{1} 8 EX 9000");
    come(&mut redis, 5..=12);
    assert_eq!(read(&mut redis, 0, 200), "[8, [12, 11, 10, 9], 0]");
    redis.given("HSET reading:{1} before 0-3 shown 0-3");
    assert_eq!(read(&mut redis, 0, 200), "[8, [12, 11, 10, 9, 8], 5]");
}

#[test]
fn a_missing_or_unfinished_home_is_left_unchanged() {
    let mut redis = Bench::start();
    assert_eq!(read(&mut redis, 0, 200), "[nil, [], 0]");
    assert_eq!(redis.run("KEYS *"), "[]");
    redis.given("SET active:{1} building:abc:0 EX 50");
    assert_eq!(read(&mut redis, 0, 200), "[building:abc:0, [], 0]");
    assert_eq!(redis.run("KEYS *"), "[active:{1}]");
}

/// Creates alice, who follows 2.
fn follower_of_2() -> Bench {
    let mut redis = Bench::start();
    redis.given(
        "HSET user:{1} id 1 login alice following 1
         HSET auth:{1} epoch e1
         ZADD following:{1} 10 2",
    );
    redis
}

#[test]
fn preferences_are_stored_for_followed_authors_and_normal_is_not_stored() {
    let mut redis = follower_of_2();
    assert_eq!(redis.call(&set_preference(2, "more")), "set");
    assert_eq!(redis.run("HGET author_preferences:{1} 2"), "more");
    assert_eq!(redis.call(&set_preference(2, "less")), "set");
    assert_eq!(redis.run("HGET author_preferences:{1} 2"), "less");
    assert_eq!(redis.call(&set_preference(2, "normal")), "set");
    assert_eq!(redis.run("EXISTS author_preferences:{1}"), "0");
    assert_eq!(redis.call(&set_preference(3, "more")), "not_following");
    assert_eq!(
        redis.call(&SetPreference {
            session_epoch: "e0".into(),
            ..set_preference(2, "more")
        }),
        "session_ended"
    );
    assert_eq!(redis.run("EXISTS author_preferences:{1}"), "0");
}

#[test]
fn a_preference_is_deleted_with_the_edge() {
    let mut redis = follower_of_2();
    redis.call(&set_preference(2, "more"));
    let clear = |epoch: &str| ClearRelation {
        session_epoch: epoch.into(),
        ..unfollow(2)
    };
    assert_eq!(redis.call(&clear("e0")), "session_ended");
    assert_eq!(redis.run("HGET author_preferences:{1} 2"), "more");
    assert_eq!(redis.call(&clear("e1")), "cleared");
    assert_eq!(redis.run("EXISTS author_preferences:{1}"), "0");
}
