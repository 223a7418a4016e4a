//! The state of an export: one at a time, and each pass noted once.

use redwing::store::calls::{AdvanceExport, BeginExport};

use crate::scripts::{Bench, calls::DEADLINE};

pub fn begin_export(id: u64, token: &str) -> BeginExport {
    BeginExport {
        export: format!("export:{{{id}}}"),
        auth: format!("auth:{{{id}}}"),
        deadline_ms: DEADLINE,
        token: token.into(),
        total: 9,
        stale_ms: 60_000,
        ttl_s: 60,
        session_epoch: String::new(),
    }
}

fn advance(token: &str, step: u32, stage: &'static str) -> AdvanceExport {
    AdvanceExport {
        export: "export:{1}".into(),
        token: token.into(),
        step,
        stage,
        before: "7".into(),
        done: 5,
        bytes: "0".into(),
        chats: "12".into(),
        has_new_chats: 1,
        ttl_s: 60,
    }
}

fn bench() -> Bench {
    let mut redis = Bench::start();
    redis.given("HSET auth:{1} hash h epoch e1 idempotency_key n");
    redis
}

#[test]
fn one_export_is_under_way_at_a_time() {
    let mut redis = bench();
    for _ in 0..2 {
        assert_eq!(redis.call(&begin_export(1, "a")), "begun");
    }
    assert_eq!(redis.call(&begin_export(1, "b")), "under_way");
    // One without a pass for long does not exclude others.
    redis.given("HSET export:{1} at 5");
    assert_eq!(redis.call(&begin_export(1, "b")), "begun");
    // Nor does one from before the clock was set back.
    redis.given("HSET export:{1} at 9000000000000");
    assert_eq!(redis.call(&begin_export(1, "c")), "begun");
    assert_eq!(
        redis.run("HMGET export:{1} token stage step total"),
        "[c, posts, 0, 9]"
    );
    for end in ["done", "failed", "no_space"] {
        redis.given(&format!("HSET export:{{1}} stage {end}"));
        assert_eq!(redis.call(&begin_export(1, end)), "begun");
    }
    assert_eq!(redis.run("TTL export:{1}"), "60");
}

#[test]
fn a_pass_is_noted_once() {
    let mut redis = bench();
    redis.call(&begin_export(1, "a"));
    for _ in 0..2 {
        assert_eq!(redis.call(&advance("a", 0, "posts")), "advanced");
    }
    assert_eq!(redis.call(&advance("a", 1, "favourites")), "advanced");
    assert_eq!(redis.call(&advance("a", 0, "posts")), "outdated");
    assert_eq!(redis.call(&advance("b", 2, "posts")), "outdated");
    let state = redis.run("HMGET export:{1} step stage before done");
    assert_eq!(state, "[2, favourites, 7, 5]");
    redis.given("DEL export:{1}");
    assert_eq!(redis.call(&advance("a", 2, "posts")), "outdated");
    assert_eq!(redis.run("EXISTS export:{1}"), "0");
}

#[test]
fn an_ended_session_and_a_missing_user_begin_nothing() {
    let mut redis = bench();
    let of_epoch = BeginExport {
        session_epoch: "e0".into(),
        ..begin_export(1, "a")
    };
    assert_eq!(redis.call(&of_epoch), "session_ended");
    assert_eq!(redis.call(&begin_export(2, "a")), "unknown_user");
    assert_eq!(redis.run("EXISTS export:{1} export:{2}"), "0");
}
