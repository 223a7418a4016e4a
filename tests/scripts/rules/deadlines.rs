//! A script with a deadline writes nothing after it, in any state.

use std::collections::HashSet;

use redwing::store::calls::ScriptCall;

use crate::scripts::{
    Bench, bench,
    calls::{self, DEADLINE, PAST},
};

/// A scene in which each of these scripts would have something to write.
const SCENE: &str = "
    HSET user:{1} id 1 login alice name Alice posts 0 followers 0 following 1 last 5 pinned 4
    HSET user:{8} id 8 login hal name Hal leaving deleting
    HSET user:{11} id 11 login ivy name Ivy renaming 't Robin'
    SET login:{ghost} 11
    HSET device_log_in:{11} link link device device code 123456 epoch e1
    HSET auth:{12} epoch e1
    HSET device_log_in:{12} link link device device code 123456 epoch e1 confirmed 1
    HSET auth:{1} hash old epoch e1 idempotency_key n
    HSET recovery:{1} made 1 code 0
    HSET chat:{fedcba9876543210fedcba9876543210}:members 1 'left 0 0 0 0 0' 2 'gone 0 0 0 0 0'
    HSET chat:{0123456789abcdef0123456789abcdef} last 1 at 5
    HSET chat:{0123456789abcdef0123456789abcdef}:members 1 'open 1 0 0 0 1' 2 'open 0 1 0 0 0'
    EVAL 'redis.call(\"HSET\", KEYS[1], 1, \"1 5 -\\nHi\")' 1 chat:{0123456789abcdef0123456789abcdef}:messages
    ZADD chat:{0123456789abcdef0123456789abcdef}:expiring 5 1
    HSET case:{1} last 5
    HSET decisions:{1} 5 {}
    ZADD invitations:{1} 99999999999999 code
    ZADD following:{1} 10 2 11 7
    ZADD requested:{1} 10 9
    ZADD followers:{1} 10 4
    ZADD notifications:{1} 10 follow:0:4
    ZADD profile:{1} -5 5
    HSET reading:{1} before 0-3 shown 0-3 at 1
    ZADD favourites:{1} 10 5
    ZADD favourited_by:{5} 10 1
    SET active:{1} 0 EX 100
    HSET lists:{1} last 4 4 1:Boats
    ZADD list:{1}:4:members 10 2
    ZADD excluded:{1} 1 2
    SADD postings:{word}:0 5
    ZADD tag_uses:{birds} 5 1
    ZADD names:{b} 0 'bobby 2'
    HSET status:{5} id 5 uid 1 login alice message hi posted 1 idempotency_key n5
    HSET group:{7} slug birds name Birds kind public readers everyone joining open past whole owner 1 members 2
    HSET group:{9} slug gone gone 5
    ZADD group:{7}:members 10 1 11 2
    HSET group:{7}:roles 1 owner
    HSET status:{7} id 7 uid 2 login bob message hi posted 9000000000000 idempotency_key n7
    HSET status:{8} id 8 uid 2 login bob message hi posted 1 idempotency_key n8 reply_to 5:1 quote_of 5:1 group 3
    EVAL 'redis.call(\"HSET\", KEYS[1], \"thread\", \"5 1 5\")' 1 status:{8}
    EVAL 'redis.call(\"HSET\", KEYS[1], \"poll\", \"one 24\\nTea\\nCoffee\")' 1 status:{7}
";

/// Returns all calls with this deadline.
fn calls(deadline_ms: u64) -> Vec<ScriptCall> {
    let calls = calls::with_deadlines().into_iter();
    calls
        .map(|mut call| {
            let mut names = call.argument_names.iter();
            let at = names.position(|name| *name == "deadline_ms");
            call.arguments[at.expect("a deadline")] = deadline_ms.to_string();
            call
        })
        .collect()
}

#[test]
fn a_call_after_its_deadline_writes_nothing_and_reports_that() {
    let mut redis = Bench::start();
    redis.given(SCENE);
    let before = redis.everything();
    for call in calls(PAST) {
        let answer = redis.run_call(&call);
        assert!(answer.starts_with("(error) \"LATE\""), "{call:?}: {answer}");
        assert_eq!(redis.everything(), before, "{call:?}");
    }
}

#[test]
fn the_same_call_within_its_deadline_writes() {
    for call in calls(DEADLINE) {
        let mut redis = Bench::start();
        redis.given(SCENE);
        let before = redis.everything();
        let answer = redis.run_call(&call);
        assert!(!answer.starts_with("(error)"), "{call:?}: {answer}");
        assert_ne!(redis.everything(), before, "{call:?}");
    }
}

#[test]
fn every_script_with_a_deadline_is_tried_after_it() {
    let tried: HashSet<String> = calls(PAST)
        .into_iter()
        .map(|call| call.script.into())
        .collect();
    for script in bench::names() {
        let carries = bench::source(&script).contains("late(");
        assert_eq!(carries, tried.contains(&script), "{script}");
    }
}
