//! Leases: one process holds one, and only its holder gives it back.

use redwing::store::{
    Fuse,
    calls::{ReleaseLease, TakeLease},
};

use super::Bench;
use crate::support::core::Core;

fn take(redis: &mut Bench, token: &str) -> String {
    redis.call(&TakeLease {
        lease: "scrub:".into(),
        token: token.into(),
        ttl_s: 60,
        longest_s: 600,
    })
}

fn release(redis: &mut Bench, token: &str) -> String {
    redis.call(&ReleaseLease {
        lease: "scrub:".into(),
        token: token.into(),
    })
}

fn ttl_s(redis: &mut Bench) -> i64 {
    redis.run("TTL scrub:").parse().expect("a number")
}

#[test]
fn only_the_holder_gives_a_lease_back() {
    let mut redis = Bench::start();
    assert_eq!(release(&mut redis, "one"), "not_held");
    redis.given("SET scrub: one EX 60");
    assert_eq!(release(&mut redis, "two"), "not_held");
    assert_eq!(redis.run("GET scrub:"), "one");
    assert_eq!(release(&mut redis, "one"), "released");
    assert_eq!(redis.run("EXISTS scrub:"), "0");
}

#[tokio::test]
async fn a_lease_is_compared_and_removed_in_one_step() {
    let core = Core::start();
    let leased = core.store.lease_scrub("one", 60).await;
    assert!(leased.expect("an answer"));
    let once = core.store.with_fuse(Fuse::of(1));
    once.end_scrub("one").await.expect("one command");
    let leased = core.store.lease_scrub("two", 60).await;
    assert!(leased.expect("an answer"));
}

#[test]
fn a_lease_is_held_until_it_expires_and_renewed_by_its_holder() {
    let mut redis = Bench::start();
    assert_eq!(take(&mut redis, "one"), "taken");
    assert_eq!(take(&mut redis, "two"), "held");
    redis.given("EXPIRE scrub: 600");
    assert_eq!(take(&mut redis, "two"), "held");
    assert_eq!(take(&mut redis, "one"), "taken");
    assert!(ttl_s(&mut redis) <= 60);
}

#[test]
fn a_lease_from_before_the_clock_was_set_back_does_not_last_as_long_as_the_step() {
    let mut redis = Bench::start();
    redis.given("SET scrub: one EX 86400");
    assert_eq!(take(&mut redis, "two"), "taken");
    assert_eq!(redis.run("GET scrub:"), "two");
    assert!(ttl_s(&mut redis) <= 60);
}

#[tokio::test]
async fn a_sweep_begins_although_a_lost_one_had_a_lease_when_the_clock_was_ahead() {
    let core = Core::start();
    core.redis.command(&["SET", "sweep:", "lost"]);
    core.redis.command(&["ZADD", "people:sweeping", "1", "9"]);
    for (left_s, needs_sweep) in [("600", false), ("86400", true)] {
        core.redis.command(&["EXPIRE", "sweep:", left_s]);
        let needed = core.store.needs_sweep().await;
        assert_eq!(needed.expect("an answer"), needs_sweep, "{left_s}");
    }
}
