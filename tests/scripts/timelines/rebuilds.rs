//! Rebuilding a home: a valid or expired token, and the floor at the end.

use redwing::store::calls::{
    BeginRebuild, FillRebuild, FinishRebuild, HomeWatchers, Withdraw, timeline_with_sources,
};

use super::{home_of, merge, owned, withdraw};
use crate::scripts::Bench;

/// Begins to rebuild the home of user 1, for the token def.
pub fn begin(reason: &'static str, few: usize) -> BeginRebuild {
    BeginRebuild {
        timeline: "home:{1}".into(),
        active_mark: "active:{1}".into(),
        owner: "user:{1}".into(),
        watchers: HomeWatchers::of(home_of(1)),
        token: "def".into(),
        building_ttl_s: 60,
        reason,
        owner_field: "login".into(),
        few,
    }
}

/// Begins to rebuild list 3 of user 1.
fn begin_list() -> BeginRebuild {
    BeginRebuild {
        timeline: "list:{1}:3:timeline".into(),
        active_mark: "list:{1}:3:active".into(),
        owner: "lists:{1}".into(),
        watchers: None,
        owner_field: "3".into(),
        ..begin("visit", 1)
    }
}

/// Adds merged statuses to the home of user 1, with the token abc.
fn fill(statuses: &[(&str, u64)]) -> FillRebuild {
    FillRebuild {
        keys: timeline_with_sources(home_of(1)),
        token: "abc".into(),
        timeline_size: 1000,
        statuses: owned(statuses),
    }
}

/// Ends the rebuild of the home of user 1, with the token abc.
pub fn finish(merge_floor: u64, few: usize) -> FinishRebuild {
    FinishRebuild {
        timeline: "home:{1}".into(),
        active_mark: "active:{1}".into(),
        watchers: HomeWatchers::of(home_of(1)),
        token: "abc".into(),
        merge_floor,
        mark_ttl_s: 7200,
        few,
    }
}

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
        for (reason, few, expected) in each {
            let mut redis = home(mark);
            let before = redis.everything();
            let reply = redis.call(&begin(reason, few));
            assert_eq!(reply, expected, "{reason} {few} {mark}");
            if expected == "not_needed" {
                assert_eq!(redis.everything(), before, "{reason} {mark}");
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
        redis.call(&fill(&[("1 0 0", 7), ("2 0 0", 8), ("3 0 0", 9)])),
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
        redis.call(&fill(&[("2 0 0", 6), ("2 0 0", 4), ("2 0 0", 8)])),
        "added"
    );
    assert_eq!(redis.run("ZRANGE home:{1} 0 -1"), "[8, 5]");
}

#[test]
fn filling_trims_an_overfull_home_and_keeps_the_token() {
    let mut redis = home("building:abc:0");
    let statuses: Vec<(&str, u64)> = (11..=50).map(|id| ("2 0 0", id)).collect();
    let fill = FillRebuild {
        timeline_size: 10,
        ..fill(&statuses)
    };
    assert_eq!(redis.call(&fill), "added");
    assert_eq!(redis.run("ZCARD home:{1}"), "10");
    assert_eq!(redis.run("GET active:{1}"), "building:abc:41");
}

#[test]
fn nothing_is_written_after_the_token_expired() {
    for mark in ["", "0", "7", "building:def:0"] {
        let mut redis = home(mark);
        let before = redis.everything();
        assert_eq!(redis.call(&fill(&[("2 0 0", 8)])), "superseded", "{mark}");
        assert_eq!(redis.call(&finish(3, 0)), "superseded", "{mark}");
        assert_eq!(redis.everything(), before, "{mark}");
    }
}

#[test]
fn finishing_sets_the_floor_and_removes_entries_below() {
    let mut redis = home("building:abc:0");
    redis.given("ZADD home:{1} -8 8 -6 6 -4 4");
    assert_eq!(redis.call(&finish(5, 3)), "finished");
    assert_eq!(redis.run("ZRANGE home:{1} 0 -1"), "[8, 6, 5]");
    assert_eq!(redis.run("GET active:{1}"), "5");
    assert!((5_000_001..=7_200_000).contains(&redis.ttl_ms("active:{1}")));
}

#[test]
fn the_floor_is_the_higher_of_the_merges_and_a_trims() {
    for (own, merged, floor) in [(7, 5, "7"), (5, 7, "7"), (0, 0, "0")] {
        let mut redis = home(&format!("building:abc:{own}"));
        assert_eq!(redis.call(&finish(merged, 0)), "finished");
        assert_eq!(redis.run("GET active:{1}"), floor);
    }
}

#[test]
fn a_missing_timeline_is_not_rebuilt() {
    let mut redis = home("");
    redis.given("HDEL user:{1} login");
    let before = redis.everything();
    assert_eq!(redis.call(&begin("visit", 1)), "not_needed");
    assert_eq!(redis.call(&begin_list()), "not_needed");
    assert_eq!(redis.everything(), before);
    redis.given("HSET lists:{1} last 3 3 0:Boats");
    assert_eq!(redis.call(&begin_list()), "begun");
}

#[test]
fn filling_skips_members_of_exclusive_lists() {
    let mut redis = home("building:abc:0");
    redis.given("ZADD excluded:{1} 1 2");
    assert_eq!(redis.call(&fill(&[("1 0 0", 7), ("2 0 0", 8)])), "added");
    assert_eq!(redis.run("ZRANGE home:{1} 0 -1"), "[7, 5]");
}

#[test]
fn a_floor_with_few_entries_above_is_final_until_it_rises() {
    let mut redis = home("building:abc:0");
    assert_eq!(redis.call(&finish(5, 2)), "finished");
    assert_eq!(redis.run("GET active:{1}"), "05");
    let withdraw = Withdraw {
        few: 2,
        ..withdraw(5)
    };
    assert_eq!(
        redis.call(&withdraw),
        "enough",
        "another rebuild would find no more"
    );
    assert_eq!(redis.call(&merge(2, 7, &[("2 0 0", 8)])), "merged");
    assert_eq!(redis.run("GET active:{1}"), "7");
    assert_eq!(redis.call(&withdraw), "short");
    let mut complete = home("building:abc:0");
    assert_eq!(complete.call(&finish(0, 2)), "finished");
    assert_eq!(complete.run("GET active:{1}"), "0");
}
