//! Rebuilding a home: a valid or expired token, and the floor at the end.

use crate::scripts::Bench;

const BEGIN: &str = "begin_rebuild home:{1} active:{1} user:{1} arrivals:{1} live:{1} ,";
const FILL: &str = "fill_rebuild home:{1} following:{1} active:{1} excluded:{1} hidden_reposts:{1} followed_tags:{1} ,";
const FINISH: &str = "finish_rebuild home:{1} active:{1} arrivals:{1} live:{1} ,";

/// Creates a home with one status and that activity mark.
fn home(mark: &str) -> Bench {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} login alice\nZADD following:{1} 10 2\nZADD home:{1} -5 5");
    if !mark.is_empty() {
        redis.given(&format!("SET active:{{1}} {mark} EX 5000"));
    }
    redis
}

#[test]
fn a_visit_rebuild_needs_no_mark_and_others_need_a_floor() {
    // The home has one status: 2 is more than that, and 1 is not.
    for (mark, visit, wrong, short) in [
        ("", "begun", "not_needed", "not_needed not_needed"),
        ("7", "not_needed", "begun", "begun not_needed"),
        ("0", "not_needed", "begun", "not_needed not_needed"),
        ("07", "not_needed", "begun", "not_needed not_needed"),
        (
            "building:abc:3",
            "not_needed",
            "not_needed",
            "not_needed not_needed",
        ),
    ] {
        let (short, full) = short.split_once(' ').expect("two answers");
        let each = [
            ("visit", 2, visit),
            ("wrong", 2, wrong),
            ("short", 2, short),
            ("short", 1, full),
        ];
        for (why, few, answer) in each {
            let mut redis = home(mark);
            let before = redis.everything();
            let told = redis.eval(&format!("{BEGIN} def 60 {why} login {few}"));
            assert_eq!(told, answer, "{why} {few} {mark}");
            if answer == "not_needed" {
                assert_eq!(redis.everything(), before, "{why} {mark}");
            } else {
                assert_eq!(redis.run("EXISTS home:{1}"), "0");
                assert_eq!(redis.run("GET active:{1}"), "building:def:0");
                assert!((1..=60_000).contains(&redis.ttl_ms("active:{1}")));
            }
        }
    }
}

#[test]
fn filling_adds_own_statuses_and_those_of_followed_people() {
    let mut redis = home("building:abc:0");
    assert_eq!(
        redis.eval(&format!("{FILL} abc 1000 '1 0 0' 7 '2 0 0' 8 '3 0 0' 9")),
        "added"
    );
    assert_eq!(
        redis.run("ZRANGE home:{1} 0 -1 WITHSCORES"),
        "[8, -8, 7, -7, 5, -5]"
    );
    assert_eq!(redis.run("GET active:{1}"), "building:abc:0");
}

#[test]
fn filling_skips_statuses_below_a_trimmed_floor() {
    let mut redis = home("building:abc:6");
    assert_eq!(
        redis.eval(&format!("{FILL} abc 1000 '2 0 0' 6 '2 0 0' 4 '2 0 0' 8")),
        "added"
    );
    assert_eq!(redis.run("ZRANGE home:{1} 0 -1"), "[8, 5]");
}

#[test]
fn filling_trims_an_overfull_home_and_keeps_the_token() {
    let mut redis = home("building:abc:0");
    let pairs: Vec<String> = (11..=50).map(|id| format!("'2 0 0' {id}")).collect();
    assert_eq!(
        redis.eval(&format!("{FILL} abc 10 {}", pairs.join(" "))),
        "added"
    );
    assert_eq!(redis.run("ZCARD home:{1}"), "10");
    assert_eq!(redis.run("GET active:{1}"), "building:abc:41");
}

#[test]
fn nothing_is_written_after_the_token_expired() {
    for mark in ["", "0", "7", "building:def:0"] {
        let mut redis = home(mark);
        let before = redis.everything();
        assert_eq!(
            redis.eval(&format!("{FILL} abc 1000 '2 0 0' 8")),
            "superseded",
            "{mark}"
        );
        assert_eq!(
            redis.eval(&format!("{FINISH} abc 3 5000 0")),
            "superseded",
            "{mark}"
        );
        assert_eq!(redis.everything(), before, "{mark}");
    }
}

#[test]
fn finishing_sets_the_floor_and_removes_entries_below() {
    let mut redis = home("building:abc:0");
    redis.given("ZADD home:{1} -8 8 -6 6 -4 4");
    assert_eq!(redis.eval(&format!("{FINISH} abc 5 7200 3")), "finished");
    assert_eq!(redis.run("ZRANGE home:{1} 0 -1"), "[8, 6, 5]");
    assert_eq!(redis.run("GET active:{1}"), "5");
    assert!((5_000_001..=7_200_000).contains(&redis.ttl_ms("active:{1}")));
}

#[test]
fn the_floor_is_the_higher_of_the_merges_and_a_trims() {
    for (own, merged, floor) in [(7, 5, "7"), (5, 7, "7"), (0, 0, "0")] {
        let mut redis = home(&format!("building:abc:{own}"));
        assert_eq!(
            redis.eval(&format!("{FINISH} abc {merged} 60 0")),
            "finished"
        );
        assert_eq!(redis.run("GET active:{1}"), floor);
    }
}

#[test]
fn a_missing_timeline_is_not_rebuilt() {
    let mut redis = home("");
    redis.given("HDEL user:{1} login");
    let before = redis.everything();
    assert_eq!(
        redis.eval(&format!("{BEGIN} def 60 visit login 1")),
        "not_needed"
    );
    let list = "begin_rebuild list:{1}:3:timeline list:{1}:3:active lists:{1} ,";
    assert_eq!(
        redis.eval(&format!("{list} def 60 visit 3 1")),
        "not_needed"
    );
    assert_eq!(redis.everything(), before);
    redis.given("HSET lists:{1} last 3 3 0:Boats");
    assert_eq!(redis.eval(&format!("{list} def 60 visit 3 1")), "begun");
}

#[test]
fn filling_skips_members_of_exclusive_lists() {
    let mut redis = home("building:abc:0");
    redis.given("ZADD excluded:{1} 1 2");
    assert_eq!(
        redis.eval(&format!("{FILL} abc 1000 '1 0 0' 7 '2 0 0' 8")),
        "added"
    );
    assert_eq!(redis.run("ZRANGE home:{1} 0 -1"), "[7, 5]");
}

#[test]
fn a_floor_with_few_entries_above_is_final_until_it_rises() {
    let mut redis = home("building:abc:0");
    assert_eq!(redis.eval(&format!("{FINISH} abc 5 60 2")), "finished");
    assert_eq!(redis.run("GET active:{1}"), "05");
    let withdraw = "withdraw home:{1} active:{1} , 2 5";
    assert_eq!(
        redis.eval(withdraw),
        "enough",
        "another rebuild would find no more"
    );
    let merge = "merge_timeline home:{1} following:{1} active:{1} excluded:{1} hidden_reposts:{1} followed_tags:{1} , DEADLINE 1000 2 7 '2 0 0' 8";
    assert_eq!(redis.eval(merge), "merged");
    assert_eq!(redis.run("GET active:{1}"), "7");
    assert_eq!(redis.eval(withdraw), "short");
    let mut complete = home("building:abc:0");
    assert_eq!(complete.eval(&format!("{FINISH} abc 0 60 2")), "finished");
    assert_eq!(complete.run("GET active:{1}"), "0");
}
