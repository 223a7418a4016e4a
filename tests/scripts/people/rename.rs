//! The change of a login: begun in the slot of its user, claimed, and finished or cancelled.

use redwing::store::calls::{
    BeginRename, CancelRename, CopyLogin, FinishRename, FreeLogin, TakeOverRename,
};

use crate::scripts::{Bench, calls::DEADLINE};

/// Begins a change that has the token `t`.
pub fn begin_rename(id: u64, login: &str) -> BeginRename {
    BeginRename {
        user: format!("user:{{{id}}}"),
        auth: format!("auth:{{{id}}}"),
        deadline_ms: DEADLINE,
        login: login.into(),
        token: "t".into(),
        interval_ms: 1000,
        max_former: 2,
        session_epoch: String::new(),
    }
}

/// Finishes the change that has the token `t`.
pub fn finish_rename(id: u64, login: &str) -> FinishRename {
    FinishRename {
        user: format!("user:{{{id}}}"),
        auth: format!("auth:{{{id}}}"),
        channel: format!("live:{{{id}}}"),
        deadline_ms: DEADLINE,
        login: login.into(),
        token: "t".into(),
        redirect_ms: 1000,
        session_epoch: String::new(),
    }
}

pub fn free_login(login: &str, user_id: u64) -> FreeLogin {
    FreeLogin {
        login: format!("login:{{{login}}}"),
        deadline_ms: DEADLINE,
        user_id,
    }
}

fn cancel_rename(id: u64, login: &str) -> CancelRename {
    CancelRename {
        user: format!("user:{{{id}}}"),
        login: login.into(),
        token: "t".into(),
    }
}

/// Takes over an unfinished change until its deadline.
pub fn take_over_rename(id: u64, login: &str) -> TakeOverRename {
    TakeOverRename {
        user: format!("user:{{{id}}}"),
        deadline_ms: DEADLINE,
        login: login.into(),
    }
}

fn copy_login(id: u64) -> CopyLogin {
    CopyLogin {
        user: format!("user:{{{id}}}"),
        auth: format!("auth:{{{id}}}"),
    }
}

/// Starts Redis with Alice, who logs in.
fn bench() -> Bench {
    let mut redis = Bench::start();
    redis.given(
        "HSET user:{1} id 1 login Alice name Alice
        HSET auth:{1} hash h epoch e1 idempotency_key n",
    );
    redis
}

#[test]
fn a_change_is_made_once_and_keeps_the_former_login() {
    let mut redis = bench();
    for _ in 0..2 {
        assert_eq!(redis.call(&begin_rename(1, "Robin")), "begun");
    }
    for _ in 0..2 {
        assert_eq!(redis.call(&finish_rename(1, "Robin")), "renamed");
    }
    assert_eq!(
        redis.run("HMGET user:{1} login renaming former"),
        "[Robin, nil, Alice]"
    );
    assert_eq!(redis.run("HGET auth:{1} login"), "Robin");
    let former = redis.run("HGET user:{1} former_logins");
    let until = former.strip_prefix("Alice ").expect("the former login");
    let renamed = redis.run("HGET user:{1} renamed");
    let number = |text: &str| text.parse::<u64>().expect("a number");
    assert_eq!(number(until), number(&renamed) + 1000);
}

#[test]
fn one_change_is_under_way_at_a_time() {
    let mut redis = bench();
    redis.call(&begin_rename(1, "Robin"));
    let other = |login: &str| BeginRename {
        token: "u".into(),
        ..begin_rename(1, login)
    };
    for login in ["Robin", "Rob"] {
        assert_eq!(redis.call(&other(login)), "under_way");
    }
    let finish = FinishRename {
        token: "u".into(),
        ..finish_rename(1, "Robin")
    };
    assert_eq!(redis.call(&finish), "refused");
    assert_eq!(redis.call(&cancel_rename(1, "Rob")), "other");
    let by_other = CancelRename {
        token: "u".into(),
        ..cancel_rename(1, "Robin")
    };
    assert_eq!(redis.call(&by_other), "other");
    for _ in 0..2 {
        assert_eq!(redis.call(&cancel_rename(1, "Robin")), "cancelled");
    }
    assert_eq!(redis.call(&finish_rename(1, "Robin")), "refused");
    assert_eq!(redis.run("HGET user:{1} login"), "Alice");
    assert_eq!(redis.call(&other("Rob")), "begun");
}

#[test]
fn a_reconciliation_ends_the_change_and_excludes_others_until_it_is_over() {
    let mut redis = bench();
    redis.call(&begin_rename(1, "Robin"));
    for _ in 0..2 {
        assert_eq!(redis.call(&take_over_rename(1, "Robin")), "taken_over");
    }
    assert_eq!(redis.call(&finish_rename(1, "Robin")), "refused");
    assert_eq!(redis.call(&begin_rename(1, "Robin")), "under_way");
    let second = TakeOverRename {
        deadline_ms: DEADLINE - 1,
        ..take_over_rename(1, "Robin")
    };
    assert_eq!(redis.call(&second), "other");
    assert_eq!(redis.call(&cancel_rename(1, "Robin")), "other");
    let end = CancelRename {
        token: format!("reconciliation-{DEADLINE}"),
        ..cancel_rename(1, "Robin")
    };
    assert_eq!(redis.call(&end), "cancelled");
    assert_eq!(redis.call(&begin_rename(1, "Robin")), "begun");
}

#[test]
fn a_reconciliation_that_crashed_excludes_nothing_after_its_deadline() {
    let mut redis = bench();
    redis.given("HSET user:{1} renaming 'reconciliation-1 Robin'");
    assert_eq!(redis.call(&take_over_rename(1, "Robin")), "taken_over");
    assert_eq!(redis.call(&take_over_rename(2, "Robin")), "taken_over");
    assert_eq!(redis.run("EXISTS user:{2}"), "0");
}

#[test]
fn the_next_change_waits_and_the_number_of_former_logins_is_limited() {
    let mut redis = bench();
    redis.given("HSET user:{1} renamed 99999999999999");
    assert_eq!(redis.call(&begin_rename(1, "Robin")), "too_soon");
    redis.given("HSET user:{1} renamed 5");
    redis.given(
        "EVAL 'redis.call(\"HSET\", KEYS[1], \"former_logins\", \"al 5\\nAli 6\")' 1 user:{1}",
    );
    assert_eq!(redis.call(&begin_rename(1, "Robin")), "too_many");
    // A person can return to a former login, which then is none any more.
    assert_eq!(redis.call(&begin_rename(1, "ali")), "begun");
    assert_eq!(redis.call(&finish_rename(1, "ali")), "renamed");
    let former = redis.run("HGET user:{1} former_logins");
    assert!(former.starts_with("al 5"), "{former}");
    assert!(
        former.contains("Alice ") && !former.contains("Ali "),
        "{former}"
    );
}

#[test]
fn another_spelling_of_the_login_is_no_former_login() {
    let mut redis = bench();
    redis.call(&begin_rename(1, "alice"));
    assert_eq!(redis.call(&finish_rename(1, "alice")), "renamed");
    assert_eq!(
        redis.run("HMGET user:{1} login former_logins"),
        "[alice, nil]"
    );
}

#[test]
fn an_ended_session_and_an_account_that_is_deleted_change_no_login() {
    let mut redis = bench();
    let of_epoch = BeginRename {
        session_epoch: "e0".into(),
        ..begin_rename(1, "Robin")
    };
    assert_eq!(redis.call(&of_epoch), "session_ended");
    redis.call(&begin_rename(1, "Robin"));
    let of_epoch = FinishRename {
        session_epoch: "e0".into(),
        ..finish_rename(1, "Robin")
    };
    assert_eq!(redis.call(&of_epoch), "session_ended");
    redis.given("HSET user:{1} leaving deleting");
    assert_eq!(redis.call(&finish_rename(1, "Robin")), "refused");
    assert_eq!(redis.call(&begin_rename(1, "Robin")), "unknown_user");
    assert_eq!(redis.call(&begin_rename(2, "Robin")), "unknown_user");
    assert_eq!(redis.run("HGET user:{1} login"), "Alice");
    assert_eq!(redis.run("EXISTS user:{2}"), "0");
}

#[test]
fn a_login_is_freed_only_for_its_user() {
    let mut redis = bench();
    redis.given("SET login:{robin} 1");
    assert_eq!(redis.call(&free_login("robin", 2)), "other");
    for _ in 0..2 {
        assert_eq!(redis.call(&free_login("robin", 1)), "freed");
    }
    redis.given("SET login:{robin} 0");
    assert_eq!(redis.call(&free_login("robin", 1)), "other");
}

#[test]
fn sessions_read_the_login_after_a_change_only() {
    let mut redis = bench();
    redis.given("HSET auth:{1} login Wrong");
    assert_eq!(redis.call(&copy_login(1)), "copied");
    assert_eq!(redis.run("HGET auth:{1} login"), "nil");
    redis.given("HSET user:{1} renamed 5");
    redis.call(&copy_login(1));
    assert_eq!(redis.run("HGET auth:{1} login"), "Alice");
}
