//! Mutes of people: their ends, their limit, and what a mute keeps from the user.

use redwing::store::calls::SetMute;

use super::{
    Bench,
    calls::{mirror_follow, mute},
    notifications::notify,
};

const FOREVER_US: u64 = 4_000_000_000_000_000;

fn alice() -> Bench {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} id 1 login alice");
    redis
}

fn muted(redis: &mut Bench) -> String {
    redis.run("ZRANGE muted:{1} 0 -1")
}

#[test]
fn a_mute_is_set_again_with_another_end_and_lifted() {
    let mut redis = alice();
    assert_eq!(redis.call(&mute(2, FOREVER_US)), "set");
    assert_eq!(redis.run("ZCOUNT muted:{1} 4000000000000000 +inf"), "1");
    assert_eq!(redis.call(&mute(2, 60_000_000)), "set");
    assert_eq!(redis.run("ZCOUNT muted:{1} 4000000000000000 +inf"), "0");
    assert_eq!(muted(&mut redis), "[2]");
    for _ in 0..2 {
        assert_eq!(redis.call(&mute(2, 0)), "set");
        assert_eq!(redis.run("EXISTS muted:{1}"), "0");
    }
}

#[test]
fn mutes_are_limited_and_those_that_ended_make_room() {
    let mut redis = alice();
    redis.given("ZADD muted:{1} 5 7 6 8");
    assert_eq!(redis.call(&mute(2, FOREVER_US)), "set");
    assert_eq!(redis.call(&mute(3, FOREVER_US)), "set");
    assert_eq!(redis.call(&mute(4, FOREVER_US)), "too_many");
    assert_eq!(redis.call(&mute(3, 60_000_000)), "set");
    assert_eq!(muted(&mut redis), "[3, 2]");
}

#[test]
fn mutes_that_ended_by_a_wrong_clock_stay_and_do_not_count() {
    let mut redis = alice();
    redis.given("ZADD muted:{1} 5 7 6 8");
    let mute = |person| SetMute {
        removable_us: 5,
        ..mute(person, FOREVER_US)
    };
    assert_eq!(redis.call(&mute(2)), "set");
    assert_eq!(redis.call(&mute(3)), "set");
    assert_eq!(muted(&mut redis), "[8, 2, 3]");
    assert_eq!(redis.call(&mute(8)), "too_many", "it has ended");
    assert_eq!(redis.call(&mute(3)), "set", "it has not ended");
}

#[test]
fn a_mute_needs_a_user_and_a_session() {
    let mut redis = Bench::start();
    assert_eq!(redis.call(&mute(2, FOREVER_US)), "not_found");
    redis.given("HSET user:{1} id 1 login alice\nHSET auth:{1} epoch e1");
    let mut ended = mute(2, FOREVER_US);
    ended.session_epoch = "e0".into();
    assert_eq!(redis.call(&ended), "session_ended");
    assert_eq!(redis.run("EXISTS muted:{1}"), "0");
}

#[test]
fn a_muted_person_notifies_nobody_until_the_mute_ends() {
    let mut redis = alice();
    redis.given("ZADD muted:{1} 9000000000000000 4 5 6");
    assert_eq!(redis.call(&notify("favourite:5:4")), "unchanged");
    redis.call(&mirror_follow(1, 4));
    assert_eq!(redis.run("EXISTS notifications:{1}"), "0");
    assert_eq!(redis.run("ZCARD followers:{1}"), "1");
    assert_eq!(redis.call(&notify("favourite:5:6")), "notified");
    assert_eq!(redis.call(&notify("favourite:5:14")), "notified");
}

#[test]
fn a_user_who_mutes_texts_or_conversations_is_notified_after_a_decision_by_these_mutes() {
    let mut redis = alice();
    let about_status = notify("mention:5:4");
    redis.given("ZADD muted_texts:{1} 9000000000000000 rust");
    let digest = redis.call(&about_status);
    assert_eq!(digest.len(), 40, "{digest}");
    redis.given("ZADD muted_conversations:{1} 7 6");
    let other = redis.call(&about_status);
    assert!(other.len() == 40 && other != digest, "{other}");
    let mut decided = notify("mention:5:4");
    decided.decided_by = digest;
    assert_eq!(redis.call(&decided), other, "the mutes have changed since");
    assert_eq!(redis.run("EXISTS notifications:{1}"), "0");
    decided.decided_by = other;
    assert_eq!(redis.call(&decided), "notified");
    // A follow is about no status.
    assert_eq!(redis.call(&notify("follow:0:4")), "notified");
    redis.given("DEL muted_texts:{1} muted_conversations:{1}");
    assert_eq!(redis.call(&decided), "", "there is nothing to decide by");
    assert_eq!(redis.call(&notify("mention:6:4")), "notified");
}
