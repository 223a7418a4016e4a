//! Both sides of an edge, their counts and their scores.

use redwing::store::calls::{AcceptRequest, ClearRelation, MirrorSource, ReadMembers, SetRelation};

use super::{
    Bench,
    calls::{accept_request, ask, follow, mirror_follow, unfollow, unmirror_follow},
};

/// A score beyond the clock, so that the next score must be increased.
const AHEAD: u64 = 9_000_000_000_000_000;

fn two() -> Bench {
    let mut redis = Bench::start();
    redis.given(
        "HSET user:{1} id 1 login alice following 0
         HSET user:{2} id 2 login bob followers 0",
    );
    redis
}

#[test]
fn an_edge_is_set_once_and_counted() {
    let mut redis = two();
    assert_eq!(redis.call(&follow(2)), "set");
    let before = redis.everything();
    assert_eq!(redis.call(&follow(2)), "set");
    assert_eq!(redis.everything(), before);
    assert_eq!(redis.run("HGET user:{1} following"), "1");
}

#[test]
fn one_too_many_is_refused_but_not_one_that_is_there() {
    let mut redis = two();
    redis.call(&SetRelation {
        limit: 1,
        ..follow(2)
    });
    let before = redis.everything();
    assert_eq!(
        redis.call(&SetRelation {
            limit: 1,
            ..follow(3)
        }),
        "too_many"
    );
    assert_eq!(
        redis.call(&SetRelation {
            limit: 1,
            ..follow(2)
        }),
        "set"
    );
    assert_eq!(redis.everything(), before);
}

#[test]
fn an_ended_session_changes_no_edge() {
    let mut redis = two();
    redis.given("HSET auth:{1} epoch e2");
    redis.call(&SetRelation {
        session_epoch: "e2".into(),
        ..follow(2)
    });
    let before = redis.everything();
    assert_eq!(
        redis.call(&SetRelation {
            session_epoch: "e1".into(),
            ..follow(3)
        }),
        "session_ended"
    );
    assert_eq!(
        redis.call(&ClearRelation {
            session_epoch: "e1".into(),
            ..unfollow(2)
        }),
        "session_ended"
    );
    assert_eq!(redis.everything(), before);
    assert_eq!(
        redis.call(&ClearRelation {
            session_epoch: "e2".into(),
            ..unfollow(2)
        }),
        "cleared"
    );
}

#[test]
fn a_missing_user_follows_no_one() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} gone 5");
    let before = redis.everything();
    assert_eq!(redis.call(&follow(2)), "not_found");
    assert_eq!(redis.everything(), before);
}

#[test]
fn an_edge_is_cleared_once_and_counted() {
    let mut redis = two();
    redis.call(&follow(2));
    redis.call(&follow(3));
    assert_eq!(redis.call(&unfollow(2)), "cleared");
    assert_eq!(redis.call(&unfollow(2)), "unchanged");
    assert_eq!(redis.run("ZRANGE following:{1} 0 -1"), "[3]");
    assert_eq!(redis.run("HGET user:{1} following"), "1");
}

#[test]
fn scores_are_unique_and_rise_even_with_a_slow_clock() {
    let mut redis = two();
    redis.given(&format!(
        "ZADD following:{{1}} {AHEAD} 9
         ZADD followers:{{2}} {AHEAD} 9"
    ));
    for id in [3, 4] {
        redis.call(&follow(id));
        redis.call(&mirror_follow(2, id));
    }
    for key in ["following:{1}", "followers:{2}"] {
        let rows = redis.run(&format!("ZRANGE {key} 0 -1 WITHSCORES"));
        let (one, two) = (AHEAD + 1, AHEAD + 2);
        assert_eq!(rows, format!("[9, {AHEAD}, 3, {one}, 4, {two}]"), "{key}");
    }
}

#[test]
fn a_score_is_in_microseconds_and_stays_while_its_member_exists() {
    let mut redis = two();
    redis.call(&mirror_follow(2, 1));
    let score = redis.run("ZSCORE followers:{2} 1");
    let seconds: u64 = score.parse::<u64>().expect("whole µs") / 1_000_000;
    let time = redis.run("TIME");
    let now: u64 = time[1..]
        .split(',')
        .next()
        .expect("seconds")
        .parse()
        .expect("a number");
    assert!((now - 60..=now).contains(&seconds), "{score}");
    redis.call(&mirror_follow(2, 1));
    assert_eq!(redis.run("ZSCORE followers:{2} 1"), score);
}

#[test]
fn a_mirror_answers_with_the_count_and_the_newest_of_the_profile() {
    let mut redis = two();
    redis.given("ZADD profile:{2} -5 5 -7 7 -6 6\nZADD received_replies:{2} -9 9");
    assert_eq!(
        redis.call(&MirrorSource {
            max_statuses: 2,
            ..mirror_follow(2, 1)
        }),
        "[1, 3, [7, 6], [9]]"
    );
    assert_eq!(
        redis.call(&MirrorSource {
            max_statuses: 9,
            ..mirror_follow(2, 4)
        }),
        "[2, 3, [7, 6, 5], [9]]"
    );
    assert_eq!(redis.run("HGET user:{2} followers"), "2");
}

#[test]
fn a_mirror_can_be_removed_repeatedly() {
    let mut redis = two();
    redis.call(&MirrorSource {
        max_statuses: 2,
        ..mirror_follow(2, 1)
    });
    redis.call(&MirrorSource {
        max_statuses: 2,
        ..mirror_follow(2, 4)
    });
    for _ in 0..2 {
        assert_eq!(redis.call(&unmirror_follow(2, 1)), "1");
        assert_eq!(redis.run("ZRANGE followers:{2} 0 -1"), "[4]");
        assert_eq!(redis.run("HGET user:{2} followers"), "1");
    }
}

#[test]
fn removing_the_mirror_of_a_missing_user_creates_no_user() {
    let mut redis = Bench::start();
    assert_eq!(redis.call(&unmirror_follow(2, 1)), "0");
    assert_eq!(redis.run("KEYS *"), "[]");
}

#[test]
fn a_follow_replaces_a_request_and_prevents_one() {
    let mut redis = two();
    assert_eq!(redis.call(&ask(2)), "set");
    assert_eq!(redis.run("ZCARD requested:{1}"), "1");
    assert_eq!(redis.call(&follow(2)), "set");
    assert_eq!(redis.run("ZCARD requested:{1}"), "0");
    assert_eq!(redis.call(&ask(2)), "set");
    assert_eq!(redis.run("ZCARD requested:{1}"), "0");
    redis.given("ZADD requested:{1} 5 2");
    assert_eq!(redis.call(&follow(2)), "set");
    assert_eq!(redis.run("ZCARD requested:{1}"), "0");
}

#[test]
fn a_request_is_accepted_once_and_only_while_it_waits() {
    let mut redis = two();
    assert_eq!(redis.call(&accept_request()), "not_found");
    redis.call(&ask(2));
    redis.given("ZADD blocked_by:{1} 5 2");
    assert_eq!(redis.call(&accept_request()), "not_found");
    redis.given("DEL blocked_by:{1}");
    let full = AcceptRequest {
        limit: 0,
        ..accept_request()
    };
    assert_eq!(redis.call(&full), "too_many");
    assert_eq!(redis.run("ZCARD requested:{1}"), "1");
    assert_eq!(redis.call(&accept_request()), "accepted");
    let after = redis.everything();
    assert_eq!(redis.call(&accept_request()), "accepted");
    assert_eq!(redis.everything(), after);
    assert_eq!(redis.run("ZCARD requested:{1}"), "0");
    assert_eq!(redis.run("ZRANGE following:{1} 0 -1"), "[2]");
    assert_eq!(redis.run("HGET user:{1} following"), "1");
    assert_eq!(redis.run("ZRANGE notifications:{1} 0 -1"), "[accepted:0:2]");
}

#[test]
fn a_small_set_is_read_completely_and_a_larger_one_is_asked() {
    let read = |max_ids, ids: &[u64]| ReadMembers {
        set: "following:{1}".into(),
        max_ids,
        ids: ids.to_vec(),
    };
    let mut redis = two();
    assert_eq!(redis.call(&read(2, &[7])), "[all, ]");
    redis.given("ZADD following:{1} 10 7 20 8");
    assert_eq!(redis.call(&read(2, &[9])), "[all, 7 8]");
    redis.given("ZADD following:{1} 30 9");
    assert_eq!(redis.call(&read(2, &[6, 7, 9])), "[asked, 7 9]");
    assert_eq!(redis.call(&read(2, &[])), "[asked, ]");
}
