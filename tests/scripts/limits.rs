//! The rate limit: a burst, then one per interval, and nothing stored for inactive users.

use super::Bench;

/// A burst of three, then one per hour.
const HOURLY: &str = "take_rate rate:{post:1} , 3600000000 3 writing";
const HOUR_US: u64 = 3_600_000_000;

#[test]
fn a_burst_is_within_the_limit_and_the_next_gets_a_retry_time() {
    let mut redis = Bench::start();
    for _ in 0..3 {
        assert_eq!(redis.eval(HOURLY), "0");
    }
    let wait = redis.number(HOURLY);
    assert!((HOUR_US - 60_000_000..=HOUR_US).contains(&wait), "{wait}");
}

#[test]
fn a_refused_attempt_does_not_extend_the_wait() {
    let mut redis = Bench::start();
    for _ in 0..3 {
        redis.eval(HOURLY);
    }
    let before = redis.run("GET rate:{post:1}");
    let first = redis.number(HOURLY);
    assert!(redis.number(HOURLY) <= first);
    assert_eq!(redis.run("GET rate:{post:1}"), before);
}

#[test]
fn the_state_of_a_limit_expires_when_it_no_longer_matters() {
    let mut redis = Bench::start();
    for taken in 1..=3 {
        redis.eval(HOURLY);
        let ttl = redis.ttl_ms("rate:{post:1}");
        let most = taken * 3_600_000;
        assert!((most - 60_000..=most).contains(&ttl), "{taken}: {ttl}");
    }
}

#[test]
fn after_an_interval_one_more_is_within_the_limit() {
    let mut redis = Bench::start();
    for _ in 0..3 {
        redis.eval(HOURLY);
    }
    let due: u64 = redis.run("GET rate:{post:1}").parse().expect("µs");
    redis.given(&format!("SET rate:{{post:1}} {} EX 9999", due - HOUR_US));
    assert_eq!(redis.eval(HOURLY), "0");
    assert_ne!(redis.eval(HOURLY), "0");
}

#[test]
fn a_long_pause_allows_no_more_than_one_burst() {
    let mut redis = Bench::start();
    redis.given("SET rate:{post:1} 1 EX 9999");
    let allowed = (0..5).filter(|_| redis.eval(HOURLY) == "0").count();
    assert_eq!(allowed, 3);
}
