//! A script with a deadline writes nothing after it, in any state.

use std::collections::HashSet;

use redwing::store::calls::ScriptCall;

use crate::scripts::{
    Bench, bench,
    calls::{self, DEADLINE, PAST},
};

/// A scene in which each of these scripts would have something to write.
const SCENE: &str = "
    HSET user:{1} id 1 login alice name Alice posts 0 followers 0 following 1 last 5
    HSET auth:{1} hash old epoch e1 idempotency_key n
    ZADD following:{1} 10 2 11 7
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
    ZADD names:{b} 0 'bobby 2'
    HSET status:{5} id 5 uid 1 login alice message hi posted 1 idempotency_key n5
    HSET status:{7} id 7 uid 2 login bob message hi posted 9000000000000 idempotency_key n7
    EVAL 'redis.call(\"HSET\", KEYS[1], \"poll\", \"one 24\\nTea\\nCoffee\")' 1 status:{7}
";

const CALLS: &[&str] = &[
    "claim_user user:{9} auth:{9} active:{9} , PAST 9 bob Bob 1 hash e1 n 60",
    "commit_login login:{bob} , PAST 9",
    "edit_user user:{1} , PAST Name Bio",
    "set_password auth:{1} live:{1} , PAST old new e2 e1",
    "new_epoch auth:{1} live:{1} , PAST e2",
    "create_status status:{6} , PAST 1 n6 id 6 message text",
    "bury_status status:{5} favourited_by:{5} ballots:{5} versions:{5} , PAST 1 1000 60",
    "cast_ballot status:{7} ballots:{7} , PAST 1 2",
    "edit_status status:{7} versions:{7} , PAST 2 900000 20 0 hello '' tags ''",
    "note_pass status:{5} , PAST 7 ''",
    "add_index_entry tag_index:{birds} tag_uses:{birds} , PAST 5 1 0",
    "notify notifications:{1} read_marker:{1} user:{1} arrivals:{1} live:{1} , PAST 1000 favourite:5:4 7",
    "unnotify notifications:{1} read_marker:{1} arrivals:{1} live:{1} , PAST 1000 follow:0:4 retracted",
    "place_reply replies:{5} gaps:{5} status:{5} , PAST 6 reply",
    "record_reply received_replies:{1} user:{1} , PAST 6 1000",
    "file_status profile:{1} user:{1} home:{1} active:{1} arrivals:{1} live:{1} , PAST 6 1000",
    "create_list lists:{1} idempotency:{1}:m user:{1} auth:{1} , PAST Birds ab 60 100 e1",
    "edit_list lists:{1} list:{1}:4:members excluded:{1} home:{1} active:{1} auth:{1} , PAST 1 4 Ships 0 e1",
    "delete_list lists:{1} list:{1}:4:members excluded:{1} home:{1} active:{1} list:{1}:4:timeline list:{1}:4:active auth:{1} , PAST 1 4 e1",
    "set_preference author_preferences:{1} following:{1} user:{1} auth:{1} , PAST 2 more e1",
    "claim_repost user:{1} own_reposts:{1} auth:{1} , PAST 6 7 0 e1",
    "hold_repost own_reposts:{1} , PAST 6 7",
    "enter_posting postings:{word} postings:{word}:0 postings:{word}:6 , PAST 6 0 512 448",
    "leave_posting postings:{word} postings:{word}:0 , PAST 5 0",
    "enter_name names:{b} , PAST 'bob 2'",
    "leave_name names:{b} , PAST 'bobby 2'",
    "deliver home:{1} following:{1} active:{1} excluded:{1} reading:{1} arrivals:{1} live:{1} , PAST '7 0 0' 6 1000 7",
    "note_shown home:{1} reading:{1} , PAST 5 9",
    "merge_timeline home:{1} following:{1} active:{1} excluded:{1} hidden_reposts:{1} followed_tags:{1} , PAST 1000 7 0 '7 0 0' 6",
];

/// Returns all calls, those that are text and the typed ones, with this deadline.
fn calls(deadline_ms: u64) -> Vec<ScriptCall> {
    let as_text = CALLS.iter().map(|line| bench::parse(line));
    let calls = as_text.chain(calls::with_deadlines());
    calls
        .map(|mut call| {
            call.arguments[0] = deadline_ms.to_string();
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
