//! Saved statuses of a user, favourites of a status, and their counts.

use redwing::store::calls::{ClearRelation, RecountStatus, SetRelation};

use super::{
    Bench,
    calls::{clear, mirror_favourite, set, unmirror_favourite},
    statuses::bury,
};

/// A score beyond the clock, so that the next score must be increased.
const AHEAD: u64 = 9_000_000_000_000_000;

fn save(id: u64) -> SetRelation {
    set("favourites:{1}", &id.to_string())
}

fn remove(id: u64) -> ClearRelation {
    clear("favourites:{1}", &id.to_string())
}

fn recount_status() -> RecountStatus {
    RecountStatus {
        favourited_by: "favourited_by:{5}".into(),
        status: "status:{5}".into(),
        replies: "replies:{5}".into(),
        gaps: "gaps:{5}".into(),
        reposts: "reposted_by:{5}".into(),
        quotes: "quotes:{5}".into(),
    }
}

fn alice_and_a_status() -> Bench {
    let mut redis = Bench::start();
    redis.given(
        "HSET user:{1} id 1 login alice
         HSET status:{5} id 5 uid 2 login bob message hi posted 1 idempotency_key n5",
    );
    redis
}

#[test]
fn a_status_is_saved_once() {
    let mut redis = alice_and_a_status();
    assert_eq!(redis.call(&save(5)), "set");
    let before = redis.everything();
    assert_eq!(redis.call(&save(5)), "set");
    assert_eq!(redis.everything(), before);
}

#[test]
fn one_too_many_is_refused_but_not_one_that_is_there() {
    let mut redis = alice_and_a_status();
    redis.call(&SetRelation {
        limit: 1,
        ..save(5)
    });
    let before = redis.everything();
    assert_eq!(
        redis.call(&SetRelation {
            limit: 1,
            ..save(6)
        }),
        "too_many"
    );
    assert_eq!(
        redis.call(&SetRelation {
            limit: 1,
            ..save(5)
        }),
        "set"
    );
    assert_eq!(redis.everything(), before);
}

#[test]
fn an_ended_session_saves_and_removes_nothing() {
    let mut redis = alice_and_a_status();
    redis.given("HSET auth:{1} epoch e2");
    redis.call(&SetRelation {
        session_epoch: "e2".into(),
        ..save(5)
    });
    let before = redis.everything();
    assert_eq!(
        redis.call(&SetRelation {
            session_epoch: "e1".into(),
            ..save(6)
        }),
        "session_ended"
    );
    assert_eq!(
        redis.call(&ClearRelation {
            session_epoch: "e1".into(),
            ..remove(5)
        }),
        "session_ended"
    );
    assert_eq!(redis.everything(), before);
    assert_eq!(
        redis.call(&ClearRelation {
            session_epoch: "e2".into(),
            ..remove(5)
        }),
        "cleared"
    );
}

#[test]
fn a_missing_user_saves_nothing() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} gone 5");
    let before = redis.everything();
    assert_eq!(redis.call(&save(5)), "not_found");
    assert_eq!(redis.everything(), before);
}

#[test]
fn a_status_is_taken_back_once_and_no_other() {
    let mut redis = alice_and_a_status();
    redis.call(&save(5));
    redis.call(&save(6));
    assert_eq!(redis.call(&remove(5)), "cleared");
    assert_eq!(redis.call(&remove(5)), "unchanged");
    assert_eq!(redis.run("ZRANGE favourites:{1} 0 -1"), "[6]");
}

#[test]
fn scores_are_unique_and_rise_even_with_a_slow_clock() {
    let mut redis = alice_and_a_status();
    redis.given(&format!(
        "ZADD favourites:{{1}} {AHEAD} 9
         ZADD favourited_by:{{5}} {AHEAD} 9"
    ));
    for id in [3, 4] {
        redis.call(&save(id));
        redis.call(&mirror_favourite(id));
    }
    for key in ["favourites:{1}", "favourited_by:{5}"] {
        let rows = redis.run(&format!("ZRANGE {key} 0 -1 WITHSCORES"));
        let (one, two) = (AHEAD + 1, AHEAD + 2);
        assert_eq!(rows, format!("[9, {AHEAD}, 3, {one}, 4, {two}]"), "{key}");
    }
}

#[test]
fn a_mirror_is_written_once_and_keeps_its_score() {
    let mut redis = alice_and_a_status();
    assert_eq!(redis.call(&mirror_favourite(1)), "done");
    let before = redis.everything();
    assert_eq!(redis.call(&mirror_favourite(1)), "done");
    assert_eq!(redis.everything(), before);
    assert_eq!(redis.run("HGET status:{5} favourite_count"), "1");
}

#[test]
fn a_mirror_can_be_removed_repeatedly() {
    let mut redis = alice_and_a_status();
    redis.call(&mirror_favourite(1));
    redis.call(&mirror_favourite(4));
    for _ in 0..2 {
        assert_eq!(redis.call(&unmirror_favourite(1)), "1");
        assert_eq!(redis.run("ZRANGE favourited_by:{5} 0 -1"), "[4]");
        assert_eq!(redis.run("HGET status:{5} favourite_count"), "1");
    }
}

#[test]
fn nothing_is_written_for_a_deleted_status() {
    let tombstone = "HSET status:{5} uid 2 idempotency_key n5 deleted 7";
    for scene in ["DEL status:{5}", &format!("DEL status:{{5}}\n{tombstone}")] {
        let mut redis = alice_and_a_status();
        redis.given(scene);
        let before = redis.everything();
        assert_eq!(redis.call(&mirror_favourite(1)), "deleted");
        assert_eq!(redis.call(&unmirror_favourite(1)), "0");
        assert_eq!(redis.call(&recount_status()), "not_found");
        assert_eq!(redis.everything(), before, "{scene}");
    }
}

#[test]
fn the_favourites_of_a_status_are_deleted_with_it() {
    let mut redis = alice_and_a_status();
    redis.call(&mirror_favourite(1));
    redis.call(&bury(5, 2));
    assert_eq!(redis.run("EXISTS favourited_by:{5}"), "0");
    assert_eq!(redis.run("HEXISTS status:{5} favourite_count"), "0");
}

#[test]
fn a_delete_by_another_user_leaves_the_favourites() {
    let mut redis = alice_and_a_status();
    redis.call(&mirror_favourite(1));
    let before = redis.everything();
    redis.call(&bury(5, 1));
    assert_eq!(redis.everything(), before);
}

#[test]
fn a_favourite_count_is_recounted() {
    let mut redis = alice_and_a_status();
    redis.call(&mirror_favourite(1));
    redis.given("HSET status:{5} favourite_count 77");
    assert_eq!(redis.call(&recount_status()), "counted");
    assert_eq!(redis.run("HGET status:{5} favourite_count"), "1");
}
