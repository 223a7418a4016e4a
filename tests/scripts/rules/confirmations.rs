//! WAIT only covers writes of its own connection. A script whose answer must be durable therefore
//! writes at every call, even if its work is already done, and is sent with a WAIT behind it.

use std::collections::BTreeSet;

use redwing::store::calls::ScriptCall;

use crate::scripts::{
    Bench,
    bench::{parse, store_files},
    calls::durable,
};

const SCENE: &str = "
    HSET user:{1} id 1 login alice name Alice posts 0 followers 0 following 1 last 5
    HSET auth:{1} hash old epoch e1 idempotency_key n
    ZADD following:{1} 10 2
    ZADD bookmarks:{1} 10 5
    HSET lists:{1} last 4 4 0:Boats
    ZADD list:{1}:4:members 10 2
    HSET status:{5} id 5 uid 1 login alice message hi posted 1 idempotency_key n5
    HSET status:{7} id 7 uid 2 login bob message hi posted 9000000000000 idempotency_key n7
    EVAL 'redis.call(\"HSET\", KEYS[1], \"poll\", \"one 24\\nTea\\nCoffee\")' 1 status:{7}
";

/// Each durable script, in a call that can be repeated.
const CALLS: &[&str] = &[
    "claim_user user:{9} auth:{9} active:{9} , DEADLINE 9 bob Bob 1 hash e1 n 60",
    "commit_login login:{bob} , DEADLINE 9",
    "edit_user user:{1} , DEADLINE Name Bio",
    "set_password auth:{1} live:{1} , DEADLINE old new e2 e1",
    "new_epoch auth:{1} live:{1} , DEADLINE e2",
    "save_session session:{1}:d sessions:{1} auth:{1} , e1 d {} 60 1 50",
    "end_session session:{1}:d sessions:{1} live:{1} , d",
    "draw_status user:{1} idempotency:{1}:n auth:{1} , ab 60 7 0 '' e1 0",
    "create_status status:{6} , DEADLINE 1 n6 id 6 message text",
    "bury_status status:{5} favourited_by:{5} ballots:{5} versions:{5} , DEADLINE 1 1000 60",
    "cast_ballot status:{7} ballots:{7} , DEADLINE 1 2",
    "edit_status status:{7} versions:{7} , DEADLINE 2 900000 20 0 hello '' tags ''",
    "create_list lists:{1} idempotency:{1}:m user:{1} auth:{1} , DEADLINE Birds ab 60 100 e1",
    "edit_list lists:{1} list:{1}:4:members excluded:{1} home:{1} active:{1} auth:{1} , DEADLINE 1 4 Ships 0 e1",
    "delete_list lists:{1} list:{1}:4:members excluded:{1} home:{1} active:{1} list:{1}:4:timeline list:{1}:4:active auth:{1} , DEADLINE 1 4 e1",
    "set_preference author_preferences:{1} following:{1} user:{1} auth:{1} , DEADLINE 2 more e1",
    "claim_repost user:{1} own_reposts:{1} auth:{1} , DEADLINE 6 7 0 e1",
];

/// Returns all calls, those that are text and the typed ones.
fn calls() -> Vec<ScriptCall> {
    let as_text = CALLS.iter().map(|line| parse(line));
    as_text.chain(durable()).collect()
}

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
    for call in calls() {
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
    let name = made.trim_start_matches("calls::").split(' ').next();
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
        for use_of in text.split("scripts::").skip(1) {
            let is_name = |letter: char| letter.is_ascii_uppercase() || letter == '_';
            let name = use_of.split(|letter| !is_name(letter)).next();
            let is_kept = use_of.contains(".keep(") || use_of.contains(".keep::<");
            let name = name.filter(|name| name.len() > 1 && is_kept);
            kept.extend(name.map(str::to_lowercase));
        }
        for (at, _) in text.match_indices(".keep(") {
            let sent = &text[at + ".keep(".len()..];
            if let Some((variable, _)) = sent.split_once(".command())")
                && !variable.contains('\n')
            {
                kept.insert(typed_script(&text[..at], variable));
            }
        }
    }
    let tried = calls().into_iter().map(|call| call.script.to_owned());
    let tried: BTreeSet<String> = tried.collect();
    assert_eq!(kept, tried);
}
