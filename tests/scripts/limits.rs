//! The rate limit: a burst, then one per interval, and nothing stored for inactive users.

use redwing::store::calls::ChargeRateLimit;

use super::Bench;

const HOUR_US: u64 = 3_600_000_000;

/// Charges a limit of a burst of three, then one per hour. Returns the time to wait, in µs.
fn charge(redis: &mut Bench) -> u64 {
    let charge = ChargeRateLimit {
        schedule: "rate:{post:1}".into(),
        interval_us: HOUR_US,
        burst: 3,
    };
    redis.call(&charge).parse().expect("a number")
}

#[test]
fn a_burst_is_within_the_limit_and_the_next_gets_a_retry_time() {
    let mut redis = Bench::start();
    for _ in 0..3 {
        assert_eq!(charge(&mut redis), 0);
    }
    let wait = charge(&mut redis);
    assert!((HOUR_US - 60_000_000..=HOUR_US).contains(&wait), "{wait}");
}

#[test]
fn a_refused_attempt_does_not_extend_the_wait() {
    let mut redis = Bench::start();
    for _ in 0..3 {
        charge(&mut redis);
    }
    let before = redis.run("GET rate:{post:1}");
    let first = charge(&mut redis);
    assert!(charge(&mut redis) <= first);
    assert_eq!(redis.run("GET rate:{post:1}"), before);
}

#[test]
fn the_state_of_a_limit_expires_when_it_no_longer_matters() {
    let mut redis = Bench::start();
    for charged in 1..=3 {
        charge(&mut redis);
        let ttl = redis.ttl_ms("rate:{post:1}");
        let most = charged * 3_600_000;
        assert!((most - 60_000..=most).contains(&ttl), "{charged}: {ttl}");
    }
}

#[test]
fn after_an_interval_one_more_is_within_the_limit() {
    let mut redis = Bench::start();
    for _ in 0..3 {
        charge(&mut redis);
    }
    let due: u64 = redis.run("GET rate:{post:1}").parse().expect("µs");
    redis.given(&format!("SET rate:{{post:1}} {} EX 9999", due - HOUR_US));
    assert_eq!(charge(&mut redis), 0);
    assert_ne!(charge(&mut redis), 0);
}

#[test]
fn after_the_clock_was_set_back_one_interval_is_waited_for_and_not_the_step() {
    let mut redis = Bench::start();
    for _ in 0..2 {
        charge(&mut redis);
    }
    let due: u64 = redis.run("GET rate:{post:1}").parse().expect("µs");
    let day_us = 24 * HOUR_US;
    redis.given(&format!("SET rate:{{post:1}} {} EX 99999", due + day_us));
    let wait = charge(&mut redis);
    assert!((1..=HOUR_US).contains(&wait), "{wait}");
}

#[test]
fn a_long_pause_allows_no_more_than_one_burst() {
    let mut redis = Bench::start();
    redis.given("SET rate:{post:1} 1 EX 9999");
    let allowed = (0..5).filter(|_| charge(&mut redis) == 0).count();
    assert_eq!(allowed, 3);
}
