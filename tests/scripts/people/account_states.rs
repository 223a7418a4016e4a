//! The states of an account: suspended, deactivated, waiting, deleted.

use redwing::store::calls::{ChangeAccount, ClaimUser, FinishDeletion, ReserveLogin};

use super::claim_user;
use crate::scripts::{Bench, calls::DEADLINE};

/// Changes the state of an account and ends its sessions.
pub fn change_account(id: u64, change: &'static str, value: &str) -> ChangeAccount {
    ChangeAccount {
        user: format!("user:{{{id}}}"),
        auth: format!("auth:{{{id}}}"),
        channel: format!("live:{{{id}}}"),
        deadline_ms: DEADLINE,
        change,
        value: value.into(),
        new_epoch: "e2".into(),
        session_epoch: String::new(),
    }
}

pub fn reserve_login(login: &str, user_id: u64) -> ReserveLogin {
    ReserveLogin {
        login: format!("login:{{{login}}}"),
        user_id,
    }
}

/// Finishes a deletion. The followers must be gone before, and the home goes with it.
pub fn finish_deletion(id: u64) -> FinishDeletion {
    FinishDeletion {
        user: format!("user:{{{id}}}"),
        others: vec![format!("followers:{{{id}}}"), format!("home:{{{id}}}")],
        deadline_ms: DEADLINE,
        now_ms: 999,
        connection_count: 1,
    }
}

#[test]
fn a_change_of_the_account_ends_its_sessions_and_is_copied_for_them() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} login alice\nHSET auth:{1} hash h epoch e1");
    let read = |redis: &mut Bench| {
        let user = redis.run("HMGET user:{1} suspended leaving");
        (user, redis.run("HMGET auth:{1} epoch restriction"))
    };
    let suspend = change_account(1, "suspend", "Spam.");
    for _ in 0..2 {
        assert_eq!(redis.call(&suspend), "changed");
        let (user, auth) = read(&mut redis);
        assert!(user.contains("Spam."), "{user}");
        assert!(auth.contains("e2") && auth.contains("suspended"), "{auth}");
    }
    let of_ended_session = ChangeAccount {
        session_epoch: "e1".into(),
        new_epoch: "e3".into(),
        ..change_account(1, "deactivate", "5")
    };
    assert_eq!(redis.call(&of_ended_session), "session_ended");
    let silent = |change, value| ChangeAccount {
        new_epoch: String::new(),
        ..change_account(1, change, value)
    };
    assert_eq!(redis.call(&silent("deactivate", "5")), "changed");
    assert!(read(&mut redis).1.contains("suspended"));
    assert_eq!(redis.call(&silent("restore", "")), "changed");
    assert!(read(&mut redis).1.contains("deactivated"));
    assert_eq!(redis.call(&silent("reactivate", "")), "changed");
    assert_eq!(redis.run("HEXISTS auth:{1} restriction"), "0");
    assert_eq!(redis.run("HGET auth:{1} epoch"), "e2");
    assert_eq!(
        redis.call(&change_account(9, "suspend", "Spam.")),
        "unknown_user"
    );
}

#[test]
fn a_request_to_join_is_answered_once() {
    let silent = |change, value| ChangeAccount {
        new_epoch: String::new(),
        ..change_account(1, change, value)
    };
    let (accept, refuse) = (
        silent("approve", "approval 7"),
        silent("refuse", "5 refused 8 No boat."),
    );
    for is_accepted in [true, false] {
        let mut redis = Bench::start();
        let asked = ClaimUser {
            application: "waiting I sail.".into(),
            end_ms: 99,
            ..claim_user(1)
        };
        assert_eq!(redis.call(&asked), "claimed");
        assert_eq!(redis.run("HGET auth:{1} restriction"), "waiting");
        assert_eq!(redis.run("HGET user:{1} leaving"), "99");
        for change in ["suspend", "deactivate", "reactivate", "restore"] {
            assert_eq!(redis.call(&silent(change, "5")), "refused", "{change}");
        }
        let (first, second) = match is_accepted {
            true => (&accept, &refuse),
            false => (&refuse, &accept),
        };
        for _ in 0..2 {
            assert_eq!(redis.call(first), "changed");
            assert_eq!(redis.call(second), "refused");
        }
        if is_accepted {
            assert_eq!(redis.run("HEXISTS auth:{1} restriction"), "0");
            assert_eq!(redis.run("HEXISTS user:{1} leaving"), "0");
            assert_eq!(redis.run("HGET user:{1} admission"), "approval 7");
            assert_eq!(redis.run("HDEL user:{1} newcomer_since"), "1");
            assert_eq!(redis.call(first), "changed");
            assert_eq!(
                redis.run("HEXISTS user:{1} newcomer_since"),
                "0",
                "an answer that is sent again does not undo a vouch"
            );
        } else {
            assert_eq!(redis.run("HGET auth:{1} restriction"), "refused");
            assert_eq!(redis.run("HGET user:{1} leaving"), "5");
            assert_eq!(redis.run("HGET user:{1} application"), "refused 8 No boat.");
        }
    }
}

#[test]
fn a_deletion_begins_by_the_host_when_it_is_due_or_by_a_person_who_left() {
    for (scene, by, answer) in [
        ("", "host", "changed"),
        ("", "person", "refused"),
        ("", "schedule 6", "refused"),
        ("suspended Spam.", "person", "changed"),
        ("suspended Spam.", "schedule 6", "refused"),
        ("leaving 5", "person", "changed"),
        ("leaving 5", "schedule 6", "changed"),
        ("leaving 7", "schedule 6", "refused"),
        ("leaving 99999999999999", "schedule 6", "refused"),
        ("leaving 99999999999999", "person", "changed"),
    ] {
        let mut redis = Bench::start();
        redis.given(&format!(
            "HSET user:{{1}} login alice {scene}\nHSET auth:{{1}} hash h epoch e1"
        ));
        let delete = ChangeAccount {
            new_epoch: String::new(),
            ..change_account(1, "delete", by)
        };
        for _ in 0..2 {
            assert_eq!(redis.call(&delete), answer, "{scene} {by}");
        }
        let is_begun = answer == "changed";
        assert_eq!(
            redis.run("EXISTS auth:{1}") == "0",
            is_begun,
            "{scene} {by}"
        );
        if is_begun {
            for change in ["suspend", "restore", "deactivate", "reactivate"] {
                assert_eq!(redis.call(&change_account(1, change, "5")), "refused");
            }
        }
    }
}

#[test]
fn a_deletion_is_finished_when_nothing_connects_the_user() {
    let mut redis = Bench::start();
    redis.given(
        "HSET user:{8} id 8 login hal leaving deleting
         ZADD followers:{8} 10 2
         ZADD home:{8} -5 5",
    );
    assert_eq!(redis.call(&finish_deletion(8)), "connected");
    redis.given("ZREM followers:{8} 2");
    for _ in 0..2 {
        assert_eq!(redis.call(&finish_deletion(8)), "finished");
        assert_eq!(redis.run("KEYS *"), "[user:{8}]");
        assert_eq!(redis.run("HGETALL user:{8}"), "[gone, 999]");
    }
    redis.given("HSET user:{9} login ida leaving 5");
    assert_eq!(redis.call(&finish_deletion(9)), "refused");
}

#[test]
fn the_login_of_a_deleted_account_is_reserved() {
    let mut redis = Bench::start();
    redis.given("SET login:{hal} 8\nSET login:{ida} 9");
    for _ in 0..2 {
        assert_eq!(redis.call(&reserve_login("hal", 8)), "reserved");
        assert_eq!(redis.run("GET login:{hal}"), "0");
    }
    assert_eq!(redis.call(&reserve_login("ida", 8)), "other");
    assert_eq!(redis.run("GET login:{ida}"), "9");
}
