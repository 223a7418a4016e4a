//! The log of the administration, and the numbers of its acts.

use redwing::store::calls::{LogAct, RecountActs};

use crate::scripts::{Bench, calls::DEADLINE};

pub fn log_act(entry: &str) -> LogAct {
    LogAct {
        log: "admin:log".into(),
        act_counts: "act_counts:{admin:log}".into(),
        deadline_ms: DEADLINE,
        entry: entry.into(),
        counted: "warn".into(),
        by_reason: "warn@spam".into(),
    }
}

/// Days since 1970 on the clock of Redis.
fn today(redis: &mut Bench) -> u64 {
    let score = redis.run("ZSCORE admin:log one");
    let score: f64 = score.parse().expect("a score");
    score as u64 / 86_400_000_000
}

#[test]
fn each_act_is_logged_and_counted_once_with_a_time_of_its_own() {
    let mut redis = Bench::start();
    for entry in ["one", "two", "one", "three"] {
        assert_eq!(redis.call(&log_act(entry)), "logged");
    }
    assert_eq!(redis.run("ZRANGE admin:log 0 -1"), "[one, two, three]");
    let [one, two] = ["one", "two"].map(|entry| redis.run(&format!("ZSCORE admin:log {entry}")));
    assert_ne!(one, two);
    let today = today(&mut redis);
    let count = redis.run(&format!("HGET act_counts:{{admin:log}} {today}:warn"));
    assert_eq!(count, "3");
    let fields = redis.run("HLEN act_counts:{admin:log}");
    assert_eq!(fields, "4", "the day, its month, the reason and the mark");
    let counts = redis.run("HGETALL act_counts:{admin:log}");
    assert!(counts.contains(":warn@spam, 3"), "{counts}");
    let without_reason = LogAct {
        by_reason: String::new(),
        ..log_act("four")
    };
    assert_eq!(redis.call(&without_reason), "logged");
    let fields = redis.run("HLEN act_counts:{admin:log}");
    assert_eq!(fields, "4");
}

#[test]
fn an_act_that_is_not_counted_leaves_no_number() {
    let mut redis = Bench::start();
    let note = LogAct {
        counted: String::new(),
        by_reason: String::new(),
        ..log_act("note")
    };
    assert_eq!(redis.call(&note), "logged");
    assert_eq!(redis.run("EXISTS act_counts:{admin:log}"), "0");
}

#[test]
fn numbers_of_days_and_months_that_are_over_are_removed() {
    let mut redis = Bench::start();
    redis.call(&log_act("one"));
    let today = today(&mut redis);
    let counts = "act_counts:{admin:log}";
    let [kept, over] = [today - 30, today - 31].map(|day| format!("{day}:warn"));
    redis.run(&format!(
        "HSET {counts} day 5 {kept} 7 {over} 7 2001-01:warn 7 2001-01:warn@spam 7"
    ));
    redis.call(&log_act("two"));
    for (field, count) in [
        (&*kept, "7"),
        (&*over, "nil"),
        ("2001-01:warn", "nil"),
        ("2001-01:warn@spam", "nil"),
    ] {
        assert_eq!(
            redis.run(&format!("HGET {counts} {field}")),
            count,
            "{field}"
        );
    }
}

#[test]
fn the_month_of_an_act_is_that_of_the_calendar() {
    let mut redis = Bench::start();
    // The time of an act is above that of the last one, so a future act sets the date.
    for (month, at_us) in [
        ("2096-02", 3_981_398_399_000_000_u64),
        ("2096-03", 3_981_398_400_000_000),
        ("2096-12", 4_007_836_799_000_000),
        ("2097-01", 4_007_836_800_000_000),
        ("2100-02", 4_107_542_399_000_000),
        ("2100-03", 4_107_542_400_000_000),
    ] {
        redis.run(&format!("ZADD admin:log {} before", at_us - 1));
        redis.call(&log_act(month));
        let count = redis.run(&format!("HGET act_counts:{{admin:log}} {month}:warn"));
        assert_eq!(count, "1", "{month}");
    }
}

#[test]
fn acts_are_counted_again_unless_one_was_logged_meanwhile() {
    let mut redis = Bench::start();
    redis.call(&log_act("one"));
    let score = redis.run("ZSCORE admin:log one");
    let recount = |last_us| RecountActs {
        log: "admin:log".into(),
        act_counts: "act_counts:{admin:log}".into(),
        last_us,
        counts: vec!["5:warn".into(), "2".into()],
    };
    assert_eq!(redis.call(&recount(5)), "outdated");
    let last_us = score.parse::<f64>().expect("a score") as u64;
    assert_eq!(redis.call(&recount(last_us)), "counted");
    assert_eq!(redis.run("HGETALL act_counts:{admin:log}"), "[5:warn, 2]");
}
