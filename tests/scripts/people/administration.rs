//! The log of the administration.

use redwing::store::calls::LogAct;

use crate::scripts::{Bench, calls::DEADLINE};

pub fn log_act(entry: &str) -> LogAct {
    LogAct {
        log: "admin:log".into(),
        deadline_ms: DEADLINE,
        entry: entry.into(),
    }
}

#[test]
fn each_act_is_logged_once_with_a_time_of_its_own() {
    let mut redis = Bench::start();
    for entry in ["one", "two", "one", "three"] {
        assert_eq!(redis.call(&log_act(entry)), "logged");
    }
    assert_eq!(redis.run("ZRANGE admin:log 0 -1"), "[one, two, three]");
    let [one, two] = ["one", "two"].map(|entry| redis.run(&format!("ZSCORE admin:log {entry}")));
    assert_ne!(one, two);
}
