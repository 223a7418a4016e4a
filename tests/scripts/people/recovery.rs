//! Recovery codes and links that set a new password.

use redwing::store::calls::{AddResetLink, RecoverAccount, SetRecoveryCodes};

use crate::scripts::{Bench, calls::DEADLINE};

/// Sets the recovery codes of a user without a session.
pub fn set_recovery_codes(id: u64, digests: &[&str]) -> SetRecoveryCodes {
    SetRecoveryCodes {
        recovery: format!("recovery:{{{id}}}"),
        auth: format!("auth:{{{id}}}"),
        deadline_ms: DEADLINE,
        session_epoch: String::new(),
        now_ms: 7,
        digests: digests.iter().map(|digest| (*digest).to_owned()).collect(),
    }
}

pub fn add_reset_link(id: u64, digest: &str, end_ms: u64) -> AddResetLink {
    AddResetLink {
        recovery: format!("recovery:{{{id}}}"),
        auth: format!("auth:{{{id}}}"),
        deadline_ms: DEADLINE,
        digest: digest.into(),
        end_ms,
    }
}

/// Sets the hash `new` and the epoch e2 by a code.
pub fn recover_account(id: u64, digest: &str) -> RecoverAccount {
    RecoverAccount {
        recovery: format!("recovery:{{{id}}}"),
        auth: format!("auth:{{{id}}}"),
        channel: format!("live:{{{id}}}"),
        deadline_ms: DEADLINE,
        digest: digest.into(),
        new_hash: "new".into(),
        new_epoch: "e2".into(),
    }
}

const ALICE: &str = "HSET auth:{1} hash old epoch e1 idempotency_key n";

#[test]
fn new_codes_replace_the_old_ones_and_keep_the_link() {
    let mut redis = Bench::start();
    redis.given(ALICE);
    redis.call(&set_recovery_codes(1, &["a", "b"]));
    redis.call(&add_reset_link(1, "link", DEADLINE));
    assert_eq!(redis.call(&set_recovery_codes(1, &["c"])), "set");
    let fields = redis.run("HMGET recovery:{1} a b c link made");
    assert_eq!(fields, format!("[nil, nil, 0, {DEADLINE}, 7]"));
}

#[test]
fn a_new_link_replaces_the_one_before_and_keeps_the_codes() {
    let mut redis = Bench::start();
    redis.given(ALICE);
    redis.call(&set_recovery_codes(1, &["a"]));
    redis.call(&add_reset_link(1, "first", DEADLINE));
    assert_eq!(redis.call(&add_reset_link(1, "second", DEADLINE)), "added");
    let fields = redis.run("HMGET recovery:{1} a first second made");
    assert_eq!(fields, format!("[0, nil, {DEADLINE}, 7]"));
}

#[test]
fn a_code_sets_the_password_once() {
    let mut redis = Bench::start();
    redis.given(ALICE);
    redis.call(&set_recovery_codes(1, &["a", "b"]));
    redis.call(&add_reset_link(1, "link", DEADLINE));
    for _ in 0..2 {
        assert_eq!(redis.call(&recover_account(1, "a")), "recovered");
    }
    assert_eq!(redis.run("HMGET auth:{1} hash epoch"), "[new, e2]");
    let fields = redis.run("HMGET recovery:{1} a b link");
    assert_eq!(fields, "[nil, 0, nil]");
    // A link ends the other codes too.
    redis.call(&add_reset_link(1, "second", DEADLINE));
    redis.given("HSET auth:{1} hash old epoch e1");
    assert_eq!(redis.call(&recover_account(1, "second")), "recovered");
    assert_eq!(redis.run("EXISTS recovery:{1}"), "0");
    redis.given("HSET auth:{1} hash other epoch e3");
    for digest in ["a", "link", "made?"] {
        assert_eq!(redis.call(&recover_account(1, digest)), "wrong", "{digest}");
    }
    assert_eq!(redis.run("HMGET auth:{1} hash epoch"), "[other, e3]");
}

#[test]
fn an_expired_link_and_a_missing_user_change_nothing() {
    let mut redis = Bench::start();
    redis.given(ALICE);
    redis.call(&add_reset_link(1, "link", 5));
    assert_eq!(redis.call(&recover_account(1, "link")), "wrong");
    assert_eq!(redis.run("HGET auth:{1} hash"), "old");
    assert_eq!(redis.call(&recover_account(2, "a")), "wrong");
    assert_eq!(redis.call(&set_recovery_codes(2, &["a"])), "unknown_user");
    assert_eq!(redis.call(&add_reset_link(2, "a", 5)), "unknown_user");
    assert_eq!(redis.run("EXISTS recovery:{2} auth:{2}"), "0");
}

#[test]
fn an_ended_session_makes_no_codes() {
    let mut redis = Bench::start();
    redis.given(ALICE);
    let of_epoch = |epoch: &str| SetRecoveryCodes {
        session_epoch: epoch.into(),
        ..set_recovery_codes(1, &["a"])
    };
    assert_eq!(redis.call(&of_epoch("e0")), "session_ended");
    assert_eq!(redis.run("EXISTS recovery:{1}"), "0");
    assert_eq!(redis.call(&of_epoch("e1")), "set");
}
