//! The id of a user's repost, the original's side of it, and hidden reposts.

use redwing::store::calls::{ClaimRepost, HoldRepost, ReleaseRepost, SetRelation};

use crate::scripts::{
    Bench,
    calls::{DEADLINE, clear, hide_reposts, mirror_repost, unfollow, unmirror_repost},
};

/// User 1 claims an id for the repost of a status. Ids are drawn in sequence, because their epoch is in a
/// future year.
pub fn claim(original_id: u64) -> ClaimRepost {
    ClaimRepost {
        user: "user:{1}".into(),
        own_reposts: "own_reposts:{1}".into(),
        auth: "auth:{1}".into(),
        profile: "profile:{1}".into(),
        post_bytes: "post_bytes:{1}".into(),
        deadline_ms: DEADLINE,
        original_id,
        random_bits: 7,
        epoch_ms: 99_999_999_999_999,
        session_epoch: "e1".into(),
        base_bytes: 100,
        quota_bytes: 1000,
        age_ms: 0,
    }
}

/// User 1 claims a status for a repost that exists.
pub fn hold(original_id: u64, repost_id: u64) -> HoldRepost {
    HoldRepost {
        own_reposts: "own_reposts:{1}".into(),
        deadline_ms: DEADLINE,
        original_id,
        repost_id,
    }
}

fn release(original_id: u64, repost_id: u64) -> ReleaseRepost {
    ReleaseRepost {
        own_reposts: "own_reposts:{1}".into(),
        original_id,
        repost_id,
    }
}

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
    assert_eq!(redis.call(&claim(5)), "[drawn, 41, alice]");
    let before = redis.everything();
    assert_eq!(redis.call(&claim(5)), "[drawn, 41, alice]");
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
    let claimed = redis.call(&claim(9_007_199_254_740_000));
    assert_eq!(claimed, "[drawn, 9007199254740001, alice]");
}

#[test]
fn an_ended_session_or_a_missing_user_claims_nothing() {
    let mut redis = alice_and_a_status();
    let before = redis.everything();
    let claim = |session_epoch: &str| ClaimRepost {
        session_epoch: session_epoch.into(),
        ..claim(5)
    };
    assert_eq!(redis.call(&claim("e2")), "[session_ended]");
    assert_eq!(redis.everything(), before);
    redis.given("DEL user:{1}");
    assert_eq!(redis.call(&claim("")), "[unknown_author]");
}

#[test]
fn a_living_repost_is_recorded_if_no_other_is() {
    let mut redis = alice_and_a_status();
    assert_eq!(redis.call(&hold(5, 8)), "8");
    assert_eq!(redis.call(&hold(5, 8)), "8");
    assert_eq!(redis.call(&hold(5, 9)), "8");
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
    for other in [9, 9_007_199_254_740_990] {
        assert_eq!(redis.call(&release(5, other)), "unchanged");
    }
    assert_eq!(redis.everything(), before);
    for reply in ["released", "unchanged"] {
        assert_eq!(redis.call(&release(5, 9_007_199_254_740_991)), reply);
    }
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
    for (author, epoch, reply) in [(3, "e1", "not_found"), (2, "e2", "session_ended")] {
        let session_epoch = epoch.into();
        let hide = SetRelation {
            session_epoch,
            ..hide_reposts(author)
        };
        assert_eq!(redis.call(&hide), reply);
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

#[test]
fn a_repost_beyond_the_quota_is_not_claimed() {
    let mut redis = alice_and_a_status();
    let claim = ClaimRepost {
        quota_bytes: 99,
        ..claim(5)
    };
    assert_eq!(redis.call(&claim), "[over_quota]");
    assert_eq!(redis.run("EXISTS own_reposts:{1}"), "0");
}
