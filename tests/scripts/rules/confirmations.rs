//! WAIT only covers writes of its own connection. A script whose answer must be durable therefore
//! writes at every call, even if its work is already done, and is sent with a WAIT behind it.

use std::collections::BTreeSet;

use crate::scripts::{Bench, bench::store_files, calls::durable};

const SCENE: &str = "
    HSET user:{1} id 1 login alice name Alice posts 0 followers 0 following 1 last 5 pinned 4
    HSET user:{8} id 8 login hal name Hal leaving deleting
    HSET user:{11} id 11 login ivy name Ivy renaming 't Robin'
    SET login:{ghost} 11
    HSET auth:{1} hash old epoch e1 idempotency_key n
    HSET recovery:{1} made 1 code 0
    HSET chat:{0123456789abcdef0123456789abcdef} last 1 at 5
    HSET chat:{0123456789abcdef0123456789abcdef}:members 1 'open 1 0 0 0 1' 2 'open 0 1 0 0 0'
    EVAL 'redis.call(\"HSET\", KEYS[1], 1, \"1 5 -\\nHi\")' 1 chat:{0123456789abcdef0123456789abcdef}:messages
    ZADD chat:{0123456789abcdef0123456789abcdef}:expiring 5 1
    HSET case:{1} last 5
    HSET decisions:{1} 5 {}
    ZADD invitations:{1} 99999999999999 code
    ZADD following:{1} 10 2
    ZADD bookmarks:{1} 10 5
    ZADD profile:{1} -5 5
    HSET lists:{1} last 4 4 0:Boats
    ZADD list:{1}:4:members 10 2
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

/// Returns Redis' own count of changes.
fn changes(redis: &mut Bench) -> u64 {
    let info = redis.run("INFO persistence");
    let (_, rest) = info
        .split_once("rdb_changes_since_last_save:")
        .expect("Redis counts its changes");
    let digits = rest.split(|letter: char| !letter.is_ascii_digit()).next();
    digits
        .and_then(|digits| digits.parse().ok())
        .expect("a number")
}

#[test]
fn durable_scripts_write_at_every_call() {
    for call in durable() {
        let mut redis = Bench::start();
        redis.given(SCENE);
        for time in ["first", "second"] {
            let before = changes(&mut redis);
            let answer = redis.run_call(&call);
            assert!(!answer.starts_with("(error)"), "{call:?}: {answer}");
            assert!(changes(&mut redis) > before, "the {time} time: {call:?}");
        }
    }
}

/// Returns the script of a typed call that a text makes before this point, under this variable.
fn typed_script(before: &str, variable: &str) -> String {
    let (_, made) = before
        .rsplit_once(&format!("let {variable} = "))
        .expect("the call is a variable");
    let name = made.trim_start_matches("calls::").split([' ', '(']).next();
    let mut script = String::new();
    for letter in name.expect("the name of the call").chars() {
        if letter.is_ascii_uppercase() && !script.is_empty() {
            script.push('_');
        }
        script.push(letter.to_ascii_lowercase());
    }
    script
}

#[test]
fn the_list_of_durable_scripts_is_complete() {
    let mut kept = BTreeSet::new();
    for path in store_files("rs") {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        for (beginning, end) in [(".write_durably(", ".command())"), (".run_durably(&", ")")] {
            for (at, _) in text.match_indices(beginning) {
                let sent = &text[at + beginning.len()..];
                let variable = sent.split_once(end).map_or("", |(variable, _)| variable);
                // `run_durably` itself sends any `call`.
                if !["", "call"].contains(&variable) && !variable.contains('\n') {
                    kept.insert(typed_script(&text[..at], variable));
                }
            }
        }
    }
    let tried = durable().into_iter().map(|call| call.script.to_owned());
    let tried: BTreeSet<String> = tried.collect();
    assert_eq!(kept, tried);
}
