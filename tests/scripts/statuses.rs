//! Posting and deleting: ids, idempotency keys, the status itself, and its entry with its author.

use super::Bench;

/// An epoch of ids that is not in the past, so that the clock gives an id of 0 or below.
const FUTURE: &str = "99999999999999";

fn draw(
    redis: &mut Bench,
    idempotency_key: &str,
    digest: &str,
    epoch: &str,
    refused: &str,
) -> String {
    redis.eval(&format!(
        "draw_status user:{{1}} idempotency:{{1}}:{idempotency_key} auth:{{1}} , {digest} 43200 7 {epoch} '{refused}' '' 0"
    ))
}

fn author() -> Bench {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} id 1 login Alice last 0 posts 0");
    redis
}

#[test]
fn no_id_is_drawn_for_a_missing_user() {
    let mut redis = Bench::start();
    assert_eq!(draw(&mut redis, "n", "aa", "0", ""), "[unknown_author]");
    redis.given("HSET user:{1} gone 5");
    assert_eq!(draw(&mut redis, "n", "aa", "0", ""), "[unknown_author]");
    assert_eq!(redis.run("KEYS *"), "[user:{1}]");
}

#[test]
fn an_ended_session_draws_nothing() {
    let mut redis = author();
    redis.given("HSET auth:{1} epoch e2");
    let call = |epoch| {
        format!("draw_status user:{{1}} idempotency:{{1}}:n auth:{{1}} , aa 60 7 0 '' {epoch} 0")
    };
    let before = redis.everything();
    assert_eq!(redis.eval(&call("e1")), "[session_ended]");
    assert_eq!(redis.everything(), before);
    assert_ne!(redis.eval(&call("e2")), "[session_ended]");
}

#[test]
fn an_id_is_the_clocks_milliseconds_and_the_random_bits() {
    let mut redis = author();
    let answer = draw(&mut redis, "n", "aa", "1767225600000", "");
    let (id, login) = answer
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
        draw(&mut redis, "n", "aa", FUTURE, ""),
        "[drawn, 9007199254000001, Alice]"
    );
    assert_eq!(
        draw(&mut redis, "m", "aa", FUTURE, ""),
        "[drawn, 9007199254000002, Alice]"
    );
    assert_eq!(redis.run("HGET user:{1} last"), "9007199254000002");
}

#[test]
fn an_idempotency_key_names_one_id_for_one_text_and_expires() {
    let mut redis = author();
    let first = draw(&mut redis, "n", "aa", "0", "");
    assert_eq!(draw(&mut redis, "n", "aa", "0", ""), first);
    let before = redis.everything();
    assert_eq!(draw(&mut redis, "n", "bb", "0", ""), "[conflict]");
    assert_eq!(redis.everything(), before);
    assert!((43_140_000..=43_200_000).contains(&redis.ttl_ms("idempotency:{1}:n")));
}

#[test]
fn a_refused_id_is_drawn_again_once() {
    let mut redis = author();
    assert_eq!(draw(&mut redis, "n", "aa", FUTURE, ""), "[drawn, 1, Alice]");
    assert_eq!(
        draw(&mut redis, "n", "aa", FUTURE, "1"),
        "[drawn, 2, Alice]"
    );
    assert_eq!(
        draw(&mut redis, "n", "aa", FUTURE, "1"),
        "[drawn, 2, Alice]"
    );
    assert_eq!(draw(&mut redis, "n", "bb", FUTURE, "2"), "[conflict]");
}

const CREATE: &str =
    "create_status status:{5} , DEADLINE 1 n5 id 5 login Alice message 'it is so' posted 1000";

#[test]
fn a_status_is_created_once_and_its_idempotency_key_records_that() {
    let mut redis = Bench::start();
    assert_eq!(redis.eval(CREATE), "OK");
    assert_eq!(
        redis.run("HMGET status:{5} id uid login message posted idempotency_key deleted"),
        "[5, 1, Alice, it is so, 1000, n5, nil]"
    );
    let before = redis.everything();
    assert_eq!(redis.eval(CREATE), "already_created");
    for other in [
        CREATE.replace("n5", "n6"),
        CREATE.replace("DEADLINE 1", "DEADLINE 2"),
    ] {
        assert_eq!(redis.eval(&other), "taken");
    }
    assert_eq!(redis.everything(), before);
    assert_eq!(redis.ttl_ms("status:{5}"), -1);
}

#[test]
fn a_deleted_status_is_never_created_again() {
    let mut redis = Bench::start();
    redis.eval(CREATE);
    redis.eval(
        "bury_status status:{5} favourited_by:{5} ballots:{5} versions:{5} , DEADLINE 1 2000 60",
    );
    let before = redis.everything();
    assert_eq!(redis.eval(CREATE), "already_deleted");
    assert_eq!(redis.eval(&CREATE.replace("n5", "n6")), "taken");
    assert_eq!(redis.everything(), before);
}

#[test]
fn a_tombstone_keeps_the_status_header() {
    let mut redis = Bench::start();
    redis.eval(&format!(
        "{CREATE} reply_to 4:2 tags birds warning 'a word'"
    ));
    redis.eval(
        "bury_status status:{5} favourited_by:{5} ballots:{5} versions:{5} , DEADLINE 1 2000 60",
    );
    let tombstone = redis.run("HMGET status:{5} reply_to tags warning message deleted");
    assert_eq!(tombstone, "[4:2, birds, nil, nil, 2000]");
}

#[test]
fn only_the_author_deletes_a_status_and_its_tombstone_keeps_words_for_the_index_only() {
    let mut redis = Bench::start();
    assert_eq!(
        redis.eval(
            "bury_status status:{5} favourited_by:{5} ballots:{5} versions:{5} , DEADLINE 1 2000 60"
        ),
        "not_yours"
    );
    redis.eval(CREATE);
    let before = redis.everything();
    assert_eq!(
        redis.eval(
            "bury_status status:{5} favourited_by:{5} ballots:{5} versions:{5} , DEADLINE 2 2000 60"
        ),
        "not_yours"
    );
    assert_eq!(redis.everything(), before);
    assert_eq!(
        redis.eval(
            "bury_status status:{5} favourited_by:{5} ballots:{5} versions:{5} , DEADLINE 1 2000 60"
        ),
        "deleted"
    );
    assert_eq!(
        redis.run("HGETALL status:{5}"),
        "[uid, 1, idempotency_key, n5, deleted, 2000, former, it is so]"
    );
    redis.eval("forget_former status:{5} , 'it is so'");
    assert_eq!(
        redis.run("HGETALL status:{5}"),
        "[uid, 1, idempotency_key, n5, deleted, 2000]"
    );
    assert!((1..=60_000).contains(&redis.ttl_ms("status:{5}")));
    assert_eq!(
        redis.eval(
            "bury_status status:{5} favourited_by:{5} ballots:{5} versions:{5} , DEADLINE 1 3000 600"
        ),
        "already_deleted"
    );
    assert!(redis.ttl_ms("status:{5}") <= 60_000);
}

const FILE: &str =
    "file_status profile:{1} user:{1} home:{1} active:{1} arrivals:{1} live:{1} , DEADLINE";

#[test]
fn a_status_is_filed_once_and_counted() {
    let mut redis = author();
    redis.given("SET active:{1} 3 EX 100");
    for _ in 0..2 {
        assert_eq!(redis.eval(&format!("{FILE} 5 1000")), "OK");
        assert_eq!(redis.run("ZRANGE profile:{1} 0 -1 WITHSCORES"), "[5, -5]");
        assert_eq!(redis.run("ZRANGE home:{1} 0 -1 WITHSCORES"), "[5, -5]");
        assert_eq!(redis.run("HGET user:{1} posts"), "1");
    }
    assert_eq!(redis.eval(&format!("{FILE} 2 1000")), "OK");
    assert_eq!(redis.run("ZRANGE profile:{1} 0 -1"), "[5, 2]");
    assert_eq!(redis.run("ZRANGE home:{1} 0 -1"), "[5]", "below the floor");
}

#[test]
fn filing_continues_during_a_rebuild_and_empties_a_dormant_home() {
    let mut redis = author();
    redis.given("SET active:{1} building:abc:3 EX 100");
    redis.eval(&format!("{FILE} 5 1000"));
    assert_eq!(redis.run("ZRANGE home:{1} 0 -1"), "[5]");
    redis.given("DEL active:{1}");
    redis.eval(&format!("{FILE} 6 1000"));
    assert_eq!(redis.run("EXISTS home:{1}"), "0");
    assert_eq!(redis.run("ZRANGE profile:{1} 0 -1"), "[6, 5]");
}

#[test]
fn a_status_can_be_removed_from_profile_home_and_count_repeatedly() {
    let mut redis = author();
    redis.given("SET active:{1} 0 EX 100");
    redis.eval(&format!("{FILE} 5 1000"));
    redis.eval(&format!("{FILE} 6 1000"));
    for _ in 0..2 {
        assert_eq!(
            redis.eval("unfile_status profile:{1} user:{1} home:{1} arrivals:{1} live:{1} posts:{1} notifications:{1} , 5"),
            "removed"
        );
        assert_eq!(redis.run("ZRANGE profile:{1} 0 -1"), "[6]");
        assert_eq!(redis.run("ZRANGE home:{1} 0 -1"), "[6]");
        assert_eq!(redis.run("HGET user:{1} posts"), "1");
    }
}

#[test]
fn delivery_progress_never_falls_and_ends_with_the_last_pass() {
    let mut redis = Bench::start();
    redis.given("HSET status:{5} id 5 uid 1 message hi");
    for (pass, noted) in [("30", "30"), ("20", "30"), ("40", "40"), ("0", "nil")] {
        let lives = redis.eval(&format!("note_pass status:{{5}} , DEADLINE {pass} ''"));
        assert_eq!(lives, "OK");
        assert_eq!(redis.run("HGET status:{5} delivered"), noted, "{pass}");
    }
}

#[test]
fn a_pass_learns_of_changed_tags_and_records_no_progress() {
    let mut redis = Bench::start();
    redis.given("HSET status:{5} id 5 uid 1 message hi tags birds");
    for tags in ["''", "cats", "'birds cats'"] {
        let other = redis.eval(&format!("note_pass status:{{5}} , DEADLINE 30 {tags}"));
        assert_eq!(other, "tags_changed", "{tags}");
    }
    assert_eq!(redis.run("HGET status:{5} delivered"), "nil");
    assert_eq!(redis.eval("note_pass status:{5} , DEADLINE 30 birds"), "OK");
    assert_eq!(redis.run("HGET status:{5} delivered"), "30");
}

#[test]
fn no_progress_is_recorded_for_a_deleted_or_missing_status() {
    let mut redis = Bench::start();
    redis.given("HSET status:{5} uid 1 idempotency_key n deleted 9\nEXPIRE status:{5} 60");
    let before = redis.everything();
    for absent in [5, 6] {
        let lives = redis.eval(&format!("note_pass status:{{{absent}}} , DEADLINE 30 ''"));
        assert_eq!(lives, "deleted", "{absent}");
    }
    assert_eq!(redis.everything(), before);
}
