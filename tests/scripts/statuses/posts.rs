//! Drawing, creating, filing and deleting statuses.

use redwing::store::calls::{BuryStatus, CreateStatus, DrawStatus};

use super::{
    author, bury, create, draw, draw_in_sequence, file, narrow_tombstone, note_pass, shrink, unfile,
};
use crate::scripts::{Bench, search::forget_former};

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
fn an_edited_status_is_not_created_again() {
    let mut redis = Bench::start();
    redis.call(&create(5));
    redis.given("HSET status:{5} edited 2000");
    assert_eq!(redis.call(&create(5)), "already_edited");
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
fn a_tombstone_in_a_private_account_has_no_wider_readers() {
    for (stored, new, expected) in [
        ("", "", "nil"),
        ("", "followers:1", "followers:1"),
        ("members", "", "members"),
        ("members", "followers:1", "followers:1"),
        ("followers:2", "followers:1", "followers:2"),
        ("group:3", "followers:1", "group:3"),
    ] {
        let mut redis = Bench::start();
        let mut create = create(5);
        if !stored.is_empty() {
            create.fields.push(("readers", stored.into()));
        }
        redis.call(&create);
        let bury = BuryStatus {
            new_readers: new.into(),
            ..bury(5, 1)
        };
        assert_eq!(redis.call(&bury), "deleted");
        let readers = redis.run("HGET status:{5} readers");
        assert_eq!(readers, expected, "{stored} {new}");
    }
}

#[test]
fn a_tombstone_loses_its_tags_and_mentions_when_the_copies_are_gone() {
    let mut redis = Bench::start();
    let mut create = create(5);
    create.fields.extend([
        ("reply_to", "4:2".into()),
        ("tags", "birds ".repeat(400)),
        ("mentioned", "2 3".into()),
        ("untagged", "cats".into()),
        ("unmentioned", "4".into()),
    ]);
    redis.call(&create);
    assert_eq!(redis.call(&shrink(5)), "living");
    assert_eq!(
        redis.run("HMGET status:{5} message untagged"),
        "[it is so, cats]"
    );
    for (control, mentioned) in [("followers", "nil"), ("mentioned quoting_closed", "2 3")] {
        redis.run("DEL status:{5}");
        create.fields.push(("reply_control", control.into()));
        redis.call(&create);
        redis.call(&bury(5, 1));
        for _ in 0..2 {
            assert_eq!(redis.call(&shrink(5)), "shrunk");
            assert_eq!(
                redis.run("HMGET status:{5} uid deleted reply_to reply_control mentioned"),
                format!("[1, 2000, 4:2, {control}, {mentioned}]")
            );
            let others = redis.run("HMGET status:{5} tags untagged unmentioned");
            assert_eq!(others, "[nil, nil, nil]");
            assert_eq!(redis.run("OBJECT ENCODING status:{5}"), "listpack");
            assert!((1..=60_000).contains(&redis.ttl_ms("status:{5}")));
        }
    }
    redis.run("PERSIST status:{5}");
    redis.call(&shrink(5));
    assert_eq!(redis.ttl_ms("status:{5}"), -1, "it has replies");
    redis.run("DEL status:{5}");
    assert_eq!(redis.call(&shrink(5)), "living");
    assert_eq!(redis.run("EXISTS status:{5}"), "0");
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
        "[uid, 1, idempotency_key, n5, deleted, 2000, extra_bytes, 532, former, it is so]"
    );
    redis.call(&forget_former("status:{5}", "it is so"));
    assert_eq!(
        redis.run("HGETALL status:{5}"),
        "[uid, 1, idempotency_key, n5, deleted, 2000, extra_bytes, 532]"
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

#[test]
fn only_tombstones_of_a_private_author_are_narrowed() {
    let mut redis = author();
    assert_eq!(redis.call(&narrow_tombstone(5, 1)), "not_theirs");
    redis.call(&create(5));
    assert_eq!(redis.call(&narrow_tombstone(5, 1)), "not_theirs");
    redis.call(&bury(5, 1));
    assert_eq!(redis.call(&narrow_tombstone(5, 2)), "not_theirs");
    redis.given("CONFIG SET maxmemory 1");
    assert_eq!(redis.call(&narrow_tombstone(5, 1)), "narrowed");
    assert_eq!(redis.run("HGET status:{5} readers"), "followers:1");
    assert_eq!(redis.call(&narrow_tombstone(5, 1)), "kept");
}
