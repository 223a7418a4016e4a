//! Pinned posts: the effects of a pin, an unpin, a deletion and a repair.

use redwing::store::calls::{PinStatus, RepairPinned, UnpinStatus};

use super::{author, unfile};
use crate::scripts::{Bench, calls::DEADLINE};

/// User 1 pins this status. Two are possible.
pub fn pin(status_id: u64) -> PinStatus {
    PinStatus {
        user: "user:{1}".into(),
        auth: "auth:{1}".into(),
        profile: "profile:{1}".into(),
        deadline_ms: DEADLINE,
        status_id,
        max_pinned: 2,
        session_epoch: String::new(),
    }
}

pub fn unpin(status_id: u64) -> UnpinStatus {
    UnpinStatus {
        user: "user:{1}".into(),
        auth: "auth:{1}".into(),
        deadline_ms: DEADLINE,
        status_id,
        session_epoch: String::new(),
    }
}

fn with_three_posts() -> Bench {
    let mut redis = author();
    redis.given("ZADD profile:{1} -5 5 -6 6 -7 7");
    redis
}

fn pinned(redis: &mut Bench) -> String {
    redis.run("HGET user:{1} pinned")
}

#[test]
fn the_last_pinned_status_is_first_and_a_second_pin_changes_nothing() {
    let mut redis = with_three_posts();
    for (id, answer, after) in [
        (5, "pinned", "5"),
        (5, "pinned", "5"),
        (6, "pinned", "6 5"),
        (5, "pinned", "6 5"),
        (7, "too_many", "6 5"),
        (8, "not_found", "6 5"),
    ] {
        assert_eq!(redis.call(&pin(id)), answer, "{id}");
        assert_eq!(pinned(&mut redis), after, "{id}");
    }
}

#[test]
fn an_unpinned_or_deleted_status_leaves_the_others() {
    let mut redis = with_three_posts();
    redis.call(&pin(5));
    redis.call(&pin(6));
    for id in [7, 6, 6] {
        assert_eq!(redis.call(&unpin(id)), "unpinned");
    }
    assert_eq!(pinned(&mut redis), "5");
    redis.call(&pin(7));
    redis.call(&unfile(5));
    assert_eq!(pinned(&mut redis), "7");
    assert_eq!(redis.call(&pin(5)), "not_found");
    redis.call(&unpin(7));
    assert_eq!(pinned(&mut redis), "nil");
}

#[test]
fn an_ended_session_pins_and_unpins_nothing() {
    let mut redis = with_three_posts();
    redis.given("HSET auth:{1} epoch e2");
    redis.call(&pin(5));
    let before = redis.everything();
    let old = || "e1".to_owned();
    let late_pin = PinStatus {
        session_epoch: old(),
        ..pin(6)
    };
    let late_unpin = UnpinStatus {
        session_epoch: old(),
        ..unpin(5)
    };
    assert_eq!(redis.call(&late_pin), "session_ended");
    assert_eq!(redis.call(&late_unpin), "session_ended");
    assert_eq!(redis.everything(), before);
}

#[test]
fn a_repair_changes_only_what_it_has_read() {
    let mut redis = with_three_posts();
    redis.given("HSET user:{1} pinned nonsense");
    let repair = |found: &str, right: &str| RepairPinned {
        user: "user:{1}".into(),
        found: found.into(),
        right: right.into(),
    };
    assert_eq!(redis.call(&repair("5", "")), "outdated");
    assert_eq!(pinned(&mut redis), "nonsense");
    assert_eq!(redis.call(&repair("nonsense", "6 5")), "repaired");
    assert_eq!(pinned(&mut redis), "6 5");
    assert_eq!(redis.call(&repair("6 5", "")), "repaired");
    assert_eq!(pinned(&mut redis), "nil");
}
