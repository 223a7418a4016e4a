//! Accounts and sessions: the effects of a claim, a commit and a password change.

use redwing::store::calls::{
    ChangeAccount, ClaimUser, CommitLogin, EditUser, EndSession, FinishDeletion, NewEpoch,
    RemoveUser, ReserveLogin, SaveSession, SetChoice, SetPassword,
};

use crate::scripts::{Bench, calls::DEADLINE};

/// Claims a user id for Alice.
pub fn claim_user(id: u64) -> ClaimUser {
    ClaimUser {
        user: format!("user:{{{id}}}"),
        auth: format!("auth:{{{id}}}"),
        active_mark: format!("active:{{{id}}}"),
        deadline_ms: DEADLINE,
        user_id: id,
        login: "Alice".into(),
        name: "Alice L".into(),
        signup_ms: 123,
        password_hash: "hash".into(),
        epoch: "e1".into(),
        idempotency_key: "n1".into(),
        mark_ttl_s: 60,
        admission: String::new(),
        role: "",
        application: String::new(),
        end_ms: 9,
    }
}

pub fn commit_login(login: &str, user_id: u64) -> CommitLogin {
    CommitLogin {
        login: format!("login:{{{login}}}"),
        deadline_ms: DEADLINE,
        user_id,
    }
}

pub fn edit_user(id: u64, name: &str, bio: &str) -> EditUser {
    EditUser {
        user: format!("user:{{{id}}}"),
        auth: format!("auth:{{{id}}}"),
        deadline_ms: DEADLINE,
        name: name.into(),
        bio: bio.into(),
        session_epoch: String::new(),
    }
}

pub fn set_choice(id: u64, field: &'static str, value: &'static str) -> SetChoice {
    SetChoice {
        user: format!("user:{{{id}}}"),
        auth: format!("auth:{{{id}}}"),
        deadline_ms: DEADLINE,
        field,
        value,
        session_epoch: String::new(),
    }
}

/// Replaces a password hash from a session of the epoch e1, and ends all sessions.
pub fn set_password(id: u64, old_hash: &str, new_hash: &str) -> SetPassword {
    SetPassword {
        auth: format!("auth:{{{id}}}"),
        channel: format!("live:{{{id}}}"),
        deadline_ms: DEADLINE,
        old_hash: old_hash.into(),
        new_hash: new_hash.into(),
        new_epoch: "e2".into(),
        session_epoch: "e1".into(),
    }
}

/// Replaces the hash of the same password. The sessions stay.
pub fn rehash_password(id: u64, old_hash: &str, new_hash: &str) -> SetPassword {
    SetPassword {
        new_epoch: String::new(),
        session_epoch: String::new(),
        ..set_password(id, old_hash, new_hash)
    }
}

pub fn new_epoch(id: u64) -> NewEpoch {
    NewEpoch {
        auth: format!("auth:{{{id}}}"),
        channel: format!("live:{{{id}}}"),
        deadline_ms: DEADLINE,
        epoch: "e2".into(),
        session_epoch: String::new(),
    }
}

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

fn remove_user(id: u64) -> RemoveUser {
    RemoveUser {
        user: format!("user:{{{id}}}"),
        auth: format!("auth:{{{id}}}"),
        active_mark: format!("active:{{{id}}}"),
        now_ms: 999,
    }
}

/// Begins a session of the epoch e1. A user has at most two.
pub fn save_session(id: u64, digest: &str, now_ms: u64) -> SaveSession {
    SaveSession {
        session: format!("session:{{{id}}}:{digest}"),
        sessions: format!("sessions:{{{id}}}"),
        auth: format!("auth:{{{id}}}"),
        epoch: "e1".into(),
        digest: digest.into(),
        state: "state".into(),
        ttl_s: 60,
        now_ms,
        max_sessions: 2,
    }
}

pub fn end_session(id: u64, digest: &str) -> EndSession {
    EndSession {
        session: format!("session:{{{id}}}:{digest}"),
        sessions: format!("sessions:{{{id}}}"),
        channel: format!("live:{{{id}}}"),
        digest: digest.into(),
    }
}

#[test]
fn a_claim_creates_an_empty_user() {
    let mut redis = Bench::start();
    assert_eq!(redis.call(&claim_user(7)), "claimed");
    assert_eq!(
        redis.run("HMGET user:{7} id login name bio signup posts followers following last"),
        "[7, Alice, Alice L, , 123, 0, 0, 0, 0]"
    );
    assert_eq!(
        redis.run("HMGET auth:{7} hash epoch idempotency_key"),
        "[hash, e1, n1]"
    );
}

#[test]
fn a_used_id_is_refused() {
    let mut redis = Bench::start();
    redis.call(&claim_user(7));
    let before = redis.everything();
    let other_form = ClaimUser {
        idempotency_key: "n2".into(),
        ..claim_user(7)
    };
    assert_eq!(redis.call(&other_form), "taken");
    assert_eq!(
        redis.call(&claim_user(7)),
        "claimed",
        "a call that is sent twice"
    );
    assert_eq!(redis.everything(), before);
    redis.call(&remove_user(7));
    assert_eq!(redis.call(&claim_user(7)), "taken");
}

#[test]
fn a_removed_user_leaves_only_a_tombstone() {
    let mut redis = Bench::start();
    redis.call(&claim_user(7));
    redis.given("SET active:{7} 0 EX 60");
    for _ in 0..2 {
        assert_eq!(redis.call(&remove_user(7)), "removed");
        assert_eq!(redis.run("KEYS *"), "[user:{7}]");
        assert_eq!(redis.run("HGETALL user:{7}"), "[gone, 999]");
        assert_eq!(redis.run("TTL user:{7}"), "-1");
    }
}

#[test]
fn a_login_belongs_to_its_first_claimant_and_others_learn_the_owner() {
    let mut redis = Bench::start();
    for id in [7, 8, 7] {
        assert_eq!(redis.call(&commit_login("alice", id)), "7");
    }
    assert_eq!(redis.run("TTL login:{alice}"), "-1");
}

#[test]
fn only_an_existing_user_is_edited() {
    let mut redis = Bench::start();
    assert_eq!(redis.call(&edit_user(7, "Al", "")), "unknown_user");
    redis.given("HSET user:{8} gone 1");
    assert_eq!(redis.call(&edit_user(8, "Al", "")), "unknown_user");
    assert_eq!(redis.run("HGETALL user:{8}"), "[gone, 1]");
    redis.call(&claim_user(7));
    assert_eq!(redis.call(&edit_user(7, "Al", "of few words")), "edited");
    assert_eq!(
        redis.run("HMGET user:{7} login name bio"),
        "[Alice, Al, of few words]"
    );
}

#[test]
fn an_ended_session_edits_no_user() {
    let mut redis = Bench::start();
    redis.call(&claim_user(7));
    let of_epoch = |epoch: &str| EditUser {
        session_epoch: epoch.into(),
        ..edit_user(7, "Al", "")
    };
    assert_eq!(redis.call(&of_epoch("e0")), "session_ended");
    assert_eq!(redis.run("HGET user:{7} name"), "Alice L");
    assert_eq!(redis.call(&of_epoch("e1")), "edited");
}

#[test]
fn a_password_is_replaced_only_if_the_verified_one_is_current() {
    let mut redis = Bench::start();
    let before_sign_up = set_password(7, "old", "new");
    assert_eq!(redis.call(&before_sign_up), "outdated");
    assert_eq!(redis.run("EXISTS auth:{7}"), "0");
    redis.given("HSET auth:{7} hash old epoch e1 idempotency_key n");
    let of_an_older_password = set_password(7, "older", "new");
    assert_eq!(redis.call(&of_an_older_password), "outdated");
    assert_eq!(redis.run("HMGET auth:{7} hash epoch"), "[old, e1]");
    let rehash = rehash_password(7, "old", "rehashed");
    assert_eq!(redis.call(&rehash), "replaced");
    assert_eq!(redis.run("HMGET auth:{7} hash epoch"), "[rehashed, e1]");
    let from_an_ended_session = SetPassword {
        session_epoch: "e0".into(),
        ..set_password(7, "rehashed", "new")
    };
    assert_eq!(redis.call(&from_an_ended_session), "outdated");
    assert_eq!(redis.run("HMGET auth:{7} hash epoch"), "[rehashed, e1]");
    let valid = set_password(7, "rehashed", "new");
    assert_eq!(redis.call(&valid), "replaced");
    assert_eq!(redis.run("HMGET auth:{7} hash epoch"), "[new, e2]");
}

#[test]
fn an_epoch_is_drawn_only_for_an_existing_user() {
    let mut redis = Bench::start();
    assert_eq!(redis.call(&new_epoch(7)), "unknown_user");
    assert_eq!(redis.run("EXISTS auth:{7}"), "0");
    redis.given("HSET auth:{7} hash old epoch e1");
    let from_an_ended_session = NewEpoch {
        session_epoch: "e0".into(),
        ..new_epoch(7)
    };
    assert_eq!(redis.call(&from_an_ended_session), "session_ended");
    assert_eq!(redis.run("HMGET auth:{7} hash epoch"), "[old, e1]");
    assert_eq!(redis.call(&new_epoch(7)), "renewed");
    assert_eq!(redis.run("HMGET auth:{7} hash epoch"), "[old, e2]");
}

#[test]
fn a_session_of_an_ended_epoch_is_not_started() {
    let mut redis = Bench::start();
    assert_eq!(redis.call(&save_session(7, "aa", 1)), "[session_ended]");
    redis.given("HSET auth:{7} hash h epoch e2");
    let before = redis.everything();
    assert_eq!(redis.call(&save_session(7, "aa", 1)), "[session_ended]");
    assert_eq!(redis.everything(), before);
}

#[test]
fn a_session_is_listed_and_both_expire() {
    let mut redis = Bench::start();
    redis.given("HSET auth:{7} hash h epoch e1");
    assert_eq!(redis.call(&save_session(7, "aa", 5)), "[saved]");
    assert_eq!(redis.run("GET session:{7}:aa"), "state");
    assert_eq!(redis.run("ZRANGE sessions:{7} 0 -1 WITHSCORES"), "[aa, 5]");
    for key in ["session:{7}:aa", "sessions:{7}"] {
        assert!((1..=60_000).contains(&redis.ttl_ms(key)), "{key}");
    }
}

#[test]
fn an_excess_session_removes_the_least_recently_seen_one() {
    let mut redis = Bench::start();
    redis.given("HSET auth:{7} hash h epoch e1");
    assert_eq!(redis.call(&save_session(7, "aa", 30)), "[saved]");
    assert_eq!(redis.call(&save_session(7, "bb", 10)), "[saved]");
    assert_eq!(redis.call(&save_session(7, "cc", 20)), "[saved, bb]");
    assert_eq!(redis.run("ZRANGE sessions:{7} 0 -1"), "[cc, aa]");
}

#[test]
fn a_choice_is_stored_and_removed_and_needs_its_user() {
    let mut redis = Bench::start();
    let field = "default_visibility";
    let read = format!("HGET user:{{7}} {field}");
    redis.call(&remove_user(8));
    for id in [7, 8] {
        let set = set_choice(id, field, "members");
        assert_eq!(redis.call(&set), "unknown_user");
    }
    redis.call(&claim_user(7));
    assert_eq!(redis.call(&set_choice(7, field, "members")), "set");
    assert_eq!(redis.run(&read), "members");
    assert_eq!(redis.call(&set_choice(7, field, "")), "set");
    assert_eq!(redis.run(&read), "nil");
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
        ("", "schedule", "refused"),
        ("suspended Spam.", "person", "changed"),
        ("suspended Spam.", "schedule", "refused"),
        ("leaving 5", "person", "changed"),
        ("leaving 5", "schedule", "changed"),
        ("leaving 99999999999999", "schedule", "refused"),
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
