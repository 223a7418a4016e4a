//! The id of a user's repost, the original's side of it, and hidden reposts.

use redwing::store::calls::SetRelation;

use super::{
    Bench,
    calls::{clear, hide_reposts, mirror_repost, unfollow, unmirror_repost},
};

const CLAIM: &str = "claim_repost user:{1} own_reposts:{1} auth:{1} , DEADLINE";
const HOLD: &str = "hold_repost own_reposts:{1} , DEADLINE";
const RELEASE: &str = "release_repost own_reposts:{1} ,";

/// An epoch of ids in a future year, so that ids are drawn in sequence.
const FAR: &str = "99999999999999";

fn alice_and_a_status() -> Bench {
    let mut redis = Bench::start();
    redis.given(
        "HSET user:{1} id 1 login alice last 40
         HSET auth:{1} epoch e1
         ZADD following:{1} 10 2
         HSET status:{5} id 5 uid 2 login bob message hi posted 1 idempotency_key n5",
    );
    redis
}

#[test]
fn an_id_is_claimed_once_and_found_again() {
    let mut redis = alice_and_a_status();
    let claim = format!("{CLAIM} 5 7 {FAR} e1");
    assert_eq!(redis.eval(&claim), "[drawn, 41, alice]");
    let before = redis.everything();
    assert_eq!(redis.eval(&claim), "[drawn, 41, alice]");
    assert_eq!(redis.everything(), before);
    assert_eq!(
        redis.run("ZRANGE own_reposts:{1} 0 -1 WITHSCORES"),
        "[5, -41]"
    );
    assert_eq!(redis.run("HGET user:{1} last"), "41");
}

#[test]
fn a_repost_has_a_larger_id_than_its_original_whatever_the_clocks_say() {
    let mut redis = alice_and_a_status();
    let original = "9007199254740000";
    let claimed = redis.eval(&format!("{CLAIM} {original} 7 {FAR} e1"));
    assert_eq!(claimed, "[drawn, 9007199254740001, alice]");
}

#[test]
fn an_ended_session_or_a_missing_user_claims_nothing() {
    let mut redis = alice_and_a_status();
    let before = redis.everything();
    assert_eq!(redis.eval(&format!("{CLAIM} 5 7 0 e2")), "[session_ended]");
    assert_eq!(redis.everything(), before);
    redis.given("DEL user:{1}");
    assert_eq!(redis.eval(&format!("{CLAIM} 5 7 0 ''")), "[unknown_author]");
}

#[test]
fn a_living_repost_is_recorded_if_no_other_is() {
    let mut redis = alice_and_a_status();
    assert_eq!(redis.eval(&format!("{HOLD} 5 8")), "8");
    assert_eq!(redis.eval(&format!("{HOLD} 5 8")), "8");
    assert_eq!(redis.eval(&format!("{HOLD} 5 9")), "8");
    assert_eq!(
        redis.run("ZRANGE own_reposts:{1} 0 -1 WITHSCORES"),
        "[5, -8]"
    );
}

#[test]
fn only_the_given_repost_is_released() {
    let mut redis = alice_and_a_status();
    redis.given("ZADD own_reposts:{1} -9007199254740991 5");
    let before = redis.everything();
    for other in ["9", "9007199254740990"] {
        assert_eq!(redis.eval(&format!("{RELEASE} 5 {other}")), "unchanged");
    }
    assert_eq!(redis.everything(), before);
    assert_eq!(
        redis.eval(&format!("{RELEASE} 5 9007199254740991")),
        "released"
    );
    assert_eq!(
        redis.eval(&format!("{RELEASE} 5 9007199254740991")),
        "unchanged"
    );
}

#[test]
fn the_side_of_the_original_is_written_and_counted_once() {
    let mut redis = alice_and_a_status();
    for _ in 0..2 {
        assert_eq!(redis.call(&mirror_repost(1, 8)), "done");
        assert_eq!(redis.run("HGET status:{5} repost_count"), "1");
    }
    assert_eq!(redis.call(&unmirror_repost(1, 9)), "1");
    assert_eq!(
        redis.run("ZRANGE reposted_by:{5} 0 -1 WITHSCORES"),
        "[1, -8]"
    );
    assert_eq!(redis.call(&unmirror_repost(1, 8)), "0");
    assert_eq!(redis.run("HGET status:{5} repost_count"), "0");
}

#[test]
fn nothing_is_counted_for_a_deleted_original() {
    for scene in ["DEL status:{5}", "HSET status:{5} deleted 7"] {
        let mut redis = alice_and_a_status();
        redis.given("ZADD reposted_by:{5} -8 1");
        redis.given(scene);
        let before = redis.everything();
        assert_eq!(redis.call(&mirror_repost(2, 9)), "deleted");
        assert_eq!(redis.everything(), before);
        assert_eq!(redis.call(&unmirror_repost(1, 8)), "0");
        assert_eq!(redis.run("HGET status:{5} repost_count"), "nil");
    }
}

#[test]
fn only_reposts_of_followed_people_can_be_hidden() {
    let mut redis = alice_and_a_status();
    for (whom, epoch, answer) in [(3, "e1", "not_found"), (2, "e2", "session_ended")] {
        let session_epoch = epoch.into();
        let hide = SetRelation {
            session_epoch,
            ..hide_reposts(whom)
        };
        assert_eq!(redis.call(&hide), answer);
    }
    assert_eq!(redis.run("EXISTS hidden_reposts:{1}"), "0");
    for _ in 0..2 {
        assert_eq!(redis.call(&hide_reposts(2)), "set");
        assert_eq!(redis.run("ZRANGE hidden_reposts:{1} 0 -1"), "[2]");
    }
    for answer in ["cleared", "unchanged"] {
        assert_eq!(redis.call(&clear("hidden_reposts:{1}", "2")), answer);
        assert_eq!(redis.run("EXISTS hidden_reposts:{1}"), "0");
    }
    redis.call(&hide_reposts(2));
    redis.call(&unfollow(2));
    assert_eq!(redis.run("EXISTS hidden_reposts:{1}"), "0");
}
