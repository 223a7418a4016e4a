//! Accounts and sessions: the effects of a claim, a commit and a password change.

use redwing::store::calls::{
    ClaimUser, CommitLogin, EditUser, EndSession, NewEpoch, RemoveUser, SaveSession, SetChoice,
    SetPassword, SetZone,
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
        newcomer: "",
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
        changes: "name bio",
        name: name.into(),
        expected_name: String::new(),
        bio: bio.into(),
        expected_bio: String::new(),
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

pub fn set_zone(id: u64, zone: &str) -> SetZone {
    SetZone {
        auth: format!("auth:{{{id}}}"),
        deadline_ms: DEADLINE,
        zone: zone.into(),
        session_epoch: String::new(),
    }
}

/// Replaces a password hash from a session of the epoch e1, and ends all sessions.
pub fn set_password(id: u64, old_hash: &str, new_hash: &str) -> SetPassword {
    SetPassword {
        auth: format!("auth:{{{id}}}"),
        channel: format!("live:{{{id}}}"),
        recovery: format!("recovery:{{{id}}}"),
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
        device_log_in: format!("device_log_in:{{{id}}}"),
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
    for (changes, stored) in [("bio", "[Al, no words]"), ("name", "[Bo, no words]")] {
        let edit = EditUser {
            changes,
            ..edit_user(7, "Bo", "no words")
        };
        assert_eq!(redis.call(&edit), "edited");
        assert_eq!(redis.run("HMGET user:{7} name bio"), stored);
    }
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
    assert_eq!(redis.call(&save_session(7, "aa", 10)), "[saved]");
    assert_eq!(redis.call(&save_session(7, "bb", 20)), "[saved]");
    redis.given("ZADD sessions:{7} 30 aa");
    assert_eq!(redis.call(&save_session(7, "cc", 40)), "[saved, bb]");
    assert_eq!(redis.run("ZRANGE sessions:{7} 0 -1"), "[aa, cc]");
}

#[test]
fn a_session_is_the_newest_one_also_after_the_clock_was_set_back() {
    let mut redis = Bench::start();
    redis.given("HSET auth:{7} hash h epoch e1");
    redis.call(&save_session(7, "aa", 3000));
    redis.call(&save_session(7, "bb", 3001));
    for _ in 0..2 {
        let saved = redis.call(&save_session(7, "cc", 10));
        assert!(["[saved, aa]", "[saved]"].contains(&saved.as_str()));
        assert_eq!(
            redis.run("ZRANGE sessions:{7} 0 -1 WITHSCORES"),
            "[bb, 3001, cc, 3002]"
        );
    }
    assert_eq!(redis.call(&save_session(7, "dd", 11)), "[saved, bb]");
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
fn a_time_zone_is_stored_and_removed_and_needs_its_user() {
    let mut redis = Bench::start();
    assert_eq!(redis.call(&set_zone(7, "Asia/Kolkata")), "unknown_user");
    redis.call(&claim_user(7));
    assert_eq!(redis.call(&set_zone(7, "Asia/Kolkata")), "set");
    assert_eq!(redis.run("HGET auth:{7} zone"), "Asia/Kolkata");
    let ended = SetZone {
        session_epoch: "e0".into(),
        ..set_zone(7, "")
    };
    assert_eq!(redis.call(&ended), "session_ended");
    assert_eq!(redis.call(&set_zone(7, "")), "set");
    assert_eq!(redis.run("HGET auth:{7} zone"), "nil");
}
