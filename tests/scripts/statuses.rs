//! Posting and deleting: ids, idempotency keys, the status itself, and its entry with its author.

use redwing::store::calls::{
    BuryStatus, CreateStatus, DrawStatus, FileStatus, NotePass, ReserveEdit, SetPostBytes,
    UnfileStatus,
};

use super::{Bench, calls::DEADLINE, search::forget_former};

/// An epoch of ids that is not in the past, so that the clock gives an id of 0 or below.
const FUTURE: u64 = 99_999_999_999_999;

/// User 1 draws an id under an idempotency key, for the text with this digest.
pub fn draw(idempotency_key: &str, digest: &str) -> DrawStatus {
    DrawStatus {
        user: "user:{1}".into(),
        idempotency_key: format!("idempotency:{{1}}:{idempotency_key}"),
        auth: "auth:{1}".into(),
        profile: "profile:{1}".into(),
        post_bytes: "post_bytes:{1}".into(),
        digest: digest.into(),
        key_ttl_s: 43_200,
        random_bits: 7,
        epoch_ms: 0,
        refused_id: String::new(),
        session_epoch: String::new(),
        above: 0,
        extra_bytes: 0,
        base_bytes: 100,
        quota_bytes: 1_000_000,
        visibility: "",
    }
}

/// The same with an epoch in the future and an id that was taken.
fn draw_in_sequence(idempotency_key: &str, digest: &str, refused_id: &str) -> DrawStatus {
    DrawStatus {
        epoch_ms: FUTURE,
        refused_id: refused_id.into(),
        ..draw(idempotency_key, digest)
    }
}

/// User 1 writes this status.
pub fn create(id: u64) -> CreateStatus {
    CreateStatus {
        status: format!("status:{{{id}}}"),
        deadline_ms: DEADLINE,
        author_id: 1,
        idempotency_key: format!("n{id}"),
        fields: vec![
            ("id", id.to_string()),
            ("login", "Alice".into()),
            ("message", "it is so".into()),
            ("posted", "1000".into()),
        ],
    }
}

/// A user deletes this status.
pub fn bury(id: u64, user_id: u64) -> BuryStatus {
    BuryStatus {
        status: format!("status:{{{id}}}"),
        favourited_by: format!("favourited_by:{{{id}}}"),
        ballots: format!("ballots:{{{id}}}"),
        versions: format!("versions:{{{id}}}"),
        quotes: format!("quotes:{{{id}}}"),
        replies: format!("replies:{{{id}}}"),
        gaps: format!("gaps:{{{id}}}"),
        deadline_ms: DEADLINE,
        user_id,
        now_ms: 2000,
        tombstone_ttl_s: 60,
    }
}

/// A reply of user 1 is added to the profile and the home.
pub fn file(status_id: u64) -> FileStatus {
    FileStatus {
        profile: "profile:{1}".into(),
        user: "user:{1}".into(),
        home: "home:{1}".into(),
        active_mark: "active:{1}".into(),
        arrivals: "arrivals:{1}".into(),
        channel: "live:{1}".into(),
        post_bytes: "post_bytes:{1}".into(),
        posts: None,
        deadline_ms: DEADLINE,
        status_id,
        home_size: 1000,
        extra_bytes: 0,
    }
}

/// A status of user 1 is removed from the profile and the home.
pub fn unfile(status_id: u64) -> UnfileStatus {
    UnfileStatus {
        profile: "profile:{1}".into(),
        user: "user:{1}".into(),
        home: "home:{1}".into(),
        arrivals: "arrivals:{1}".into(),
        channel: "live:{1}".into(),
        posts: "posts:{1}".into(),
        notifications: "notifications:{1}".into(),
        post_bytes: "post_bytes:{1}".into(),
        status_id,
    }
}

/// A pass has delivered this status up to this score, by these tags.
pub fn note_pass(id: u64, delivered_to: u64, tags: &str) -> NotePass {
    NotePass {
        status: format!("status:{{{id}}}"),
        deadline_ms: DEADLINE,
        delivered_to,
        tags: tags.into(),
        readers: String::new(),
    }
}

fn author() -> Bench {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} id 1 login Alice last 0 posts 0");
    redis
}

#[test]
fn no_id_is_drawn_for_a_missing_user() {
    let mut redis = Bench::start();
    assert_eq!(redis.call(&draw("n", "aa")), "[unknown_author]");
    redis.given("HSET user:{1} gone 5");
    assert_eq!(redis.call(&draw("n", "aa")), "[unknown_author]");
    assert_eq!(redis.run("KEYS *"), "[user:{1}]");
}

#[test]
fn an_ended_session_draws_nothing() {
    let mut redis = author();
    redis.given("HSET auth:{1} epoch e2");
    let draw = |epoch: &str| DrawStatus {
        session_epoch: epoch.into(),
        ..draw("n", "aa")
    };
    let before = redis.everything();
    assert_eq!(redis.call(&draw("e1")), "[session_ended]");
    assert_eq!(redis.everything(), before);
    assert_ne!(redis.call(&draw("e2")), "[session_ended]");
}

#[test]
fn an_id_is_the_clocks_milliseconds_and_the_random_bits() {
    let mut redis = author();
    let reply = redis.call(&DrawStatus {
        epoch_ms: 1_767_225_600_000,
        ..draw("n", "aa")
    });
    let (id, login) = reply
        .trim_start_matches("[drawn, ")
        .trim_end_matches(']')
        .split_once(", ")
        .expect("two");
    let now: Vec<u64> = redis
        .run("TIME")
        .trim_matches(['[', ']'])
        .split(", ")
        .map(|part| part.parse().expect("a number"))
        .collect();
    let now_ms = now[0] * 1000 + now[1] / 1000 - 1_767_225_600_000;
    let id: u64 = id.parse().expect("plain digits");
    assert_eq!((id % 4096, login), (7, "Alice"));
    assert!((now_ms - 60_000..=now_ms).contains(&(id / 4096)), "{id}");
}

#[test]
fn an_id_exceeds_the_authors_last_one_even_with_a_slow_clock() {
    let mut redis = author();
    redis.given("HSET user:{1} last 9007199254000000");
    assert_eq!(
        redis.call(&draw_in_sequence("n", "aa", "")),
        "[drawn, 9007199254000001, Alice]"
    );
    assert_eq!(
        redis.call(&draw_in_sequence("m", "aa", "")),
        "[drawn, 9007199254000002, Alice]"
    );
    assert_eq!(redis.run("HGET user:{1} last"), "9007199254000002");
}

#[test]
fn an_idempotency_key_names_one_id_for_one_text_and_expires() {
    let mut redis = author();
    let first = redis.call(&draw("n", "aa"));
    assert_eq!(redis.call(&draw("n", "aa")), first);
    let before = redis.everything();
    assert_eq!(redis.call(&draw("n", "bb")), "[conflict]");
    assert_eq!(redis.everything(), before);
    assert!((43_140_000..=43_200_000).contains(&redis.ttl_ms("idempotency:{1}:n")));
}

#[test]
fn a_refused_id_is_drawn_again_once() {
    let mut redis = author();
    for (digest, refused_id, reply) in [
        ("aa", "", "[drawn, 1, Alice]"),
        ("aa", "1", "[drawn, 2, Alice]"),
        ("aa", "1", "[drawn, 2, Alice]"),
        ("bb", "2", "[conflict]"),
    ] {
        let draw = draw_in_sequence("n", digest, refused_id);
        assert_eq!(redis.call(&draw), reply, "{draw:?}");
    }
}

#[test]
fn a_status_is_created_once_and_its_idempotency_key_records_that() {
    let mut redis = Bench::start();
    assert_eq!(redis.call(&create(5)), "OK");
    assert_eq!(
        redis.run("HMGET status:{5} id uid login message posted idempotency_key deleted"),
        "[5, 1, Alice, it is so, 1000, n5, nil]"
    );
    let before = redis.everything();
    assert_eq!(redis.call(&create(5)), "already_created");
    for (author_id, key) in [(1, "n6"), (2, "n5")] {
        let other = CreateStatus {
            author_id,
            idempotency_key: key.into(),
            ..create(5)
        };
        assert_eq!(redis.call(&other), "taken");
    }
    assert_eq!(redis.everything(), before);
    assert_eq!(redis.ttl_ms("status:{5}"), -1);
}

#[test]
fn a_deleted_status_is_never_created_again() {
    let mut redis = Bench::start();
    redis.call(&create(5));
    redis.call(&bury(5, 1));
    let before = redis.everything();
    assert_eq!(redis.call(&create(5)), "already_deleted");
    let other = CreateStatus {
        idempotency_key: "n6".into(),
        ..create(5)
    };
    assert_eq!(redis.call(&other), "taken");
    assert_eq!(redis.everything(), before);
}

#[test]
fn a_tombstone_with_replies_does_not_expire() {
    for (key, expires) in [
        ("replies:{5}", false),
        ("gaps:{5}", false),
        ("other:{5}", true),
    ] {
        let mut redis = Bench::start();
        redis.call(&create(5));
        redis.run(&format!("ZADD {key} -6 6"));
        assert_eq!(redis.call(&bury(5, 1)), "deleted");
        assert_eq!(redis.ttl_ms("status:{5}") > 0, expires, "{key}");
    }
}

#[test]
fn a_tombstone_keeps_the_status_header() {
    let mut redis = Bench::start();
    let mut create = create(5);
    create.fields.extend([
        ("reply_to", "4:2".into()),
        ("tags", "birds".into()),
        ("warning", "a word".into()),
    ]);
    redis.call(&create);
    redis.call(&bury(5, 1));
    let tombstone = redis.run("HMGET status:{5} reply_to tags warning message deleted");
    assert_eq!(tombstone, "[4:2, birds, nil, nil, 2000]");
}

#[test]
fn only_the_author_deletes_a_status_and_its_tombstone_keeps_words_for_the_index_only() {
    let mut redis = Bench::start();
    assert_eq!(redis.call(&bury(5, 1)), "not_yours");
    redis.call(&create(5));
    let before = redis.everything();
    assert_eq!(redis.call(&bury(5, 2)), "not_yours");
    assert_eq!(redis.everything(), before);
    redis.run("ZADD quotes:{5} -6 6");
    assert_eq!(redis.call(&bury(5, 1)), "deleted");
    assert_eq!(redis.run("EXISTS quotes:{5}"), "0");
    assert_eq!(
        redis.run("HGETALL status:{5}"),
        "[uid, 1, idempotency_key, n5, deleted, 2000, former, it is so]"
    );
    redis.call(&forget_former("status:{5}", "it is so"));
    assert_eq!(
        redis.run("HGETALL status:{5}"),
        "[uid, 1, idempotency_key, n5, deleted, 2000]"
    );
    assert!((1..=60_000).contains(&redis.ttl_ms("status:{5}")));
    let again = BuryStatus {
        now_ms: 3000,
        tombstone_ttl_s: 600,
        ..bury(5, 1)
    };
    assert_eq!(redis.call(&again), "already_deleted");
    assert!(redis.ttl_ms("status:{5}") <= 60_000);
}

#[test]
fn a_status_is_filed_once_and_counted() {
    let mut redis = author();
    redis.given("SET active:{1} 3 EX 100");
    for _ in 0..2 {
        assert_eq!(redis.call(&file(5)), "OK");
        assert_eq!(redis.run("ZRANGE profile:{1} 0 -1 WITHSCORES"), "[5, -5]");
        assert_eq!(redis.run("ZRANGE home:{1} 0 -1 WITHSCORES"), "[5, -5]");
        assert_eq!(redis.run("HGET user:{1} posts"), "1");
    }
    assert_eq!(redis.call(&file(2)), "OK");
    assert_eq!(redis.run("ZRANGE profile:{1} 0 -1"), "[5, 2]");
    assert_eq!(redis.run("ZRANGE home:{1} 0 -1"), "[5]", "below the floor");
}

#[test]
fn filing_continues_during_a_rebuild_and_empties_a_dormant_home() {
    let mut redis = author();
    redis.given("SET active:{1} building:abc:3 EX 100");
    redis.call(&file(5));
    assert_eq!(redis.run("ZRANGE home:{1} 0 -1"), "[5]");
    redis.given("DEL active:{1}");
    redis.call(&file(6));
    assert_eq!(redis.run("EXISTS home:{1}"), "0");
    assert_eq!(redis.run("ZRANGE profile:{1} 0 -1"), "[6, 5]");
}

#[test]
fn a_status_can_be_removed_from_profile_home_and_count_repeatedly() {
    let mut redis = author();
    redis.given("SET active:{1} 0 EX 100");
    redis.call(&file(5));
    redis.call(&file(6));
    for _ in 0..2 {
        assert_eq!(redis.call(&unfile(5)), "removed");
        assert_eq!(redis.run("ZRANGE profile:{1} 0 -1"), "[6]");
        assert_eq!(redis.run("ZRANGE home:{1} 0 -1"), "[6]");
        assert_eq!(redis.run("HGET user:{1} posts"), "1");
    }
}

#[test]
fn delivery_progress_never_falls_and_ends_with_the_last_pass() {
    let mut redis = Bench::start();
    redis.given("HSET status:{5} id 5 uid 1 message hi");
    for (pass, noted) in [(30, "30"), (20, "30"), (40, "40"), (0, "nil")] {
        assert_eq!(redis.call(&note_pass(5, pass, "")), "OK");
        assert_eq!(redis.run("HGET status:{5} delivered"), noted, "{pass}");
    }
}

#[test]
fn a_pass_learns_of_changed_tags_and_readers_and_records_no_progress() {
    let mut redis = Bench::start();
    redis.given("HSET status:{5} id 5 uid 1 message hi tags birds");
    for tags in ["", "cats", "birds cats"] {
        let note = note_pass(5, 30, tags);
        assert_eq!(redis.call(&note), "header_changed", "{tags}");
    }
    assert_eq!(redis.run("HGET status:{5} delivered"), "nil");
    assert_eq!(redis.call(&note_pass(5, 30, "birds")), "OK");
    assert_eq!(redis.run("HGET status:{5} delivered"), "30");
    redis.given("HSET status:{5} readers followers:1");
    assert_eq!(redis.call(&note_pass(5, 30, "birds")), "header_changed");
}

#[test]
fn no_progress_is_recorded_for_a_deleted_or_missing_status() {
    let mut redis = Bench::start();
    redis.given("HSET status:{5} uid 1 idempotency_key n deleted 9\nEXPIRE status:{5} 60");
    let before = redis.everything();
    for absent in [5, 6] {
        assert_eq!(redis.call(&note_pass(absent, 30, "")), "deleted");
    }
    assert_eq!(redis.everything(), before);
}

const POST_BYTES: &str = "HMGET post_bytes:{1} sum 5 6";

/// A status of user 1 is filed with so many bytes beyond the base.
fn file_large(status_id: u64, extra_bytes: u64) -> FileStatus {
    FileStatus {
        extra_bytes,
        ..file(status_id)
    }
}

#[test]
fn the_bytes_of_statuses_are_counted_once_corrected_and_removed() {
    let mut redis = author();
    for (status_id, extra_bytes, counted) in [
        (5, 70, "[70, 70, nil]"),
        (5, 70, "[70, 70, nil]"),
        (6, 0, "[70, 70, nil]"),
        (6, 30, "[100, 70, 30]"),
        (5, 20, "[50, 20, 30]"),
        (5, 0, "[30, nil, 30]"),
    ] {
        redis.call(&file_large(status_id, extra_bytes));
        assert_eq!(redis.run(POST_BYTES), counted, "{status_id} {extra_bytes}");
    }
    for _ in 0..2 {
        redis.call(&unfile(6));
        assert_eq!(redis.run("EXISTS post_bytes:{1}"), "0");
    }
}

#[test]
fn an_id_is_drawn_only_if_all_statuses_and_reservations_leave_room() {
    let draw = |key: &str, extra_bytes: u64| DrawStatus {
        extra_bytes,
        quota_bytes: 500,
        ..draw(key, "aa")
    };
    let mut redis = author();
    let is_drawn = |redis: &mut Bench, call: &DrawStatus| redis.call(call) != "[over_quota]";
    redis.call(&file_large(5, 50));
    assert!(!is_drawn(&mut redis, &draw("a", 251)));
    assert_eq!(redis.run("EXISTS idempotency:{1}:a"), "0");
    assert!(is_drawn(&mut redis, &draw("a", 150)), "400 of 500");
    assert!(!is_drawn(&mut redis, &draw("b", 1)));
    assert!(is_drawn(&mut redis, &draw("b", 0)), "500 of 500");
    assert!(is_drawn(&mut redis, &draw("a", 150)), "the same form again");
    assert!(!is_drawn(&mut redis, &draw("c", 0)));
    redis.call(&unfile(5));
    assert!(is_drawn(&mut redis, &draw("c", 50)));
}

#[test]
fn a_reservation_ends_when_the_status_is_counted_or_its_time_is_over() {
    let mut redis = author();
    let full = |key: &str| DrawStatus {
        quota_bytes: 100,
        ..draw(key, "aa")
    };
    for (reserved, is_drawn) in [
        ("7:100:1", true),
        ("7:100:99999999999999", true),
        ("nonsense", true),
    ] {
        redis.given("UNLINK idempotency:{1}:a");
        redis.given(&format!("HSET post_bytes:{{1}} reserved {reserved}"));
        let drawn = redis.call(&full("a")) != "[over_quota]";
        assert_eq!(drawn, is_drawn, "{reserved}");
    }
    assert_eq!(redis.call(&full("b")), "[over_quota]");
    let id = redis.run("HGET post_bytes:{1} reserved");
    let id = id.split(':').next().and_then(|id| id.parse().ok());
    redis.call(&file(id.expect("an id")));
    assert_eq!(redis.run("EXISTS post_bytes:{1}"), "0");
    assert_eq!(redis.call(&full("b")), "[over_quota]", "it is filed now");
    redis.call(&unfile(id.expect("an id")));
    assert_ne!(redis.call(&full("b")), "[over_quota]");
}

#[test]
fn an_edit_needs_room_for_what_it_adds() {
    let mut redis = author();
    redis.call(&file_large(5, 50));
    let edit = |status_id: u64, extra_bytes: u64| ReserveEdit {
        profile: "profile:{1}".into(),
        post_bytes: "post_bytes:{1}".into(),
        status_id,
        extra_bytes,
        base_bytes: 100,
        quota_bytes: 300,
    };
    for (status_id, extra_bytes, reply) in [
        (5, 201, "over_quota"),
        (5, 200, "reserved"),
        (5, 40, "reserved"),
        (6, 50, "reserved"),
        (6, 51, "over_quota"),
    ] {
        redis.given("HDEL post_bytes:{1} reserved");
        let answer = redis.call(&edit(status_id, extra_bytes));
        assert_eq!(answer, reply, "{status_id} {extra_bytes}");
    }
}

#[test]
fn a_sum_is_corrected_only_if_it_did_not_change() {
    let mut redis = author();
    redis.call(&file_large(5, 50));
    let set = |found_sum: &str, sum: u64| SetPostBytes {
        post_bytes: "post_bytes:{1}".into(),
        found_sum: found_sum.into(),
        sum,
    };
    assert_eq!(redis.call(&set("40", 60)), "outdated");
    assert_eq!(redis.run(POST_BYTES), "[50, 50, nil]");
    assert_eq!(redis.call(&set("50", 60)), "set");
    assert_eq!(redis.run(POST_BYTES), "[60, 50, nil]");
    assert_eq!(redis.call(&set("60", 0)), "set");
    assert_eq!(redis.call(&set("0", 0)), "set");
    assert_eq!(redis.run(POST_BYTES), "[nil, 50, nil]");
}
