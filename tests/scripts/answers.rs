//! The scripts that put replies on timelines, and the agreement of all timeline scripts with the
//! Rust code about every status.

use std::collections::HashSet;

use proptest::prelude::*;
use redwing::{
    domain::{FoldedTag, Sources, StatusHeader, StatusId, StatusRef, Timeline, UserId},
    store::calls::MirrorSource,
};

use super::{Bench, calls::mirror_follow};

const PLACE: &str = "place_reply replies:{5} gaps:{5} status:{5} , DEADLINE";
const NOTE: &str = "record_reply received_replies:{1} user:{1} , DEADLINE";

fn below(redis: &mut Bench) -> [String; 2] {
    ["replies:{5}", "gaps:{5}"].map(|key| redis.run(&format!("ZRANGE {key} 0 -1 WITHSCORES")))
}

#[test]
fn a_reply_is_entered_once_however_often_it_is_written() {
    let mut redis = Bench::start();
    redis.given("HSET status:{5} id 5 uid 1 message hi");
    for (stand, answers, gaps) in [
        ("reply", "[7, -7]", "[]"),
        ("gap", "[]", "[7, -7]"),
        ("reply", "[7, -7]", "[]"),
        ("nowhere", "[]", "[]"),
    ] {
        for _ in 0..2 {
            assert_eq!(redis.eval(&format!("{PLACE} 7 {stand}")), "placed");
            assert_eq!(below(&mut redis), [answers, gaps], "{stand}");
            let counts = redis.run("HMGET status:{5} reply_count gap_count");
            let count = |held: &str| u8::from(held != "[]");
            assert_eq!(counts, format!("[{}, {}]", count(answers), count(gaps)));
        }
    }
}

#[test]
fn a_reply_to_a_deleted_status_stays_and_does_not_change_the_tombstone() {
    let mut redis = Bench::start();
    redis.given("HSET status:{5} uid 1 deleted 9 idempotency_key n");
    assert_eq!(redis.eval(&format!("{PLACE} 7 reply")), "parent_deleted");
    assert_eq!(
        redis.run("HGETALL status:{5}"),
        "[uid, 1, deleted, 9, idempotency_key, n]"
    );
    redis.given("DEL status:{5}");
    assert_eq!(redis.eval(&format!("{PLACE} 8 reply")), "parent_deleted");
    assert_eq!(redis.run("EXISTS status:{5}"), "0");
    assert_eq!(redis.run("ZRANGE replies:{5} 0 -1"), "[8, 7]");
}

#[test]
fn the_newest_replies_to_a_person_are_stored_with_the_last_dropped_one() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} id 1 login alice");
    for id in 11..34 {
        assert_eq!(redis.eval(&format!("{NOTE} {id} 10")), "kept");
    }
    assert_eq!(redis.run("ZCARD received_replies:{1}"), "23");
    assert_eq!(redis.run("HGET user:{1} dropped_reply"), "nil");
    for id in 34..=44 {
        redis.eval(&format!("{NOTE} {id} 10"));
    }
    assert_eq!(redis.run("HGET user:{1} dropped_reply"), "34");
    assert_eq!(redis.run("ZRANGE received_replies:{1} 9 9"), "[35]");
    assert_eq!(
        redis.eval(&format!("{NOTE} 34 10")),
        "too_old",
        "dropped once"
    );
    assert_eq!(redis.run("ZCARD received_replies:{1}"), "10");
    assert_eq!(redis.eval(&format!("{NOTE} 40 10")), "kept", "again");
    assert_eq!(redis.run("ZCARD received_replies:{1}"), "10");
}

#[test]
fn a_new_follower_learns_the_newest_reply_that_was_not_read() {
    let mirror = |max_statuses| MirrorSource {
        max_statuses,
        ..mirror_follow(1, 2)
    };
    let mut redis = Bench::start();
    redis.given("HSET user:{1} id 1 login alice\nZADD received_replies:{1} -7 7 -8 8 -9 9");
    let told = redis.call(&mirror(3));
    assert_eq!(told, "[1, 0, [], [9, 8, 7]]");
    let told = redis.call(&mirror(2));
    assert_eq!(told, "[1, 0, [], [9, 8], 7]");
    redis.given("HSET user:{1} dropped_reply 5");
    let told = redis.call(&mirror(3));
    assert_eq!(told, "[1, 0, [], [9, 8, 7], 5]");
}

#[test]
fn a_reply_is_filed_under_all_and_a_post_under_posts_too() {
    let file = "file_status profile:{1} user:{1} home:{1} active:{1} arrivals:{1} live:{1}";
    let mut redis = Bench::start();
    redis.given("HSET user:{1} id 1 login alice posts 0");
    redis.eval(&format!("{file} posts:{{1}} , DEADLINE 5 1000"));
    redis.eval(&format!("{file} , DEADLINE 6 1000"));
    assert_eq!(redis.run("ZRANGE profile:{1} 0 -1"), "[6, 5]");
    assert_eq!(redis.run("ZRANGE posts:{1} 0 -1 WITHSCORES"), "[5, -5]");
    redis.eval("unfile_status profile:{1} user:{1} home:{1} arrivals:{1} live:{1} posts:{1} , 5");
    assert_eq!(redis.run("EXISTS posts:{1}"), "0");
}

/// Number of people and tags, so that they meet often.
const PEOPLE: u64 = 6;
const TAGS: [&str; 3] = ["birds", "cats", "日本"];

fn person(id: u64) -> UserId {
    UserId::new(id).expect("in range")
}

fn origin(author: u64) -> StatusRef {
    StatusRef {
        status: StatusId::new(9).expect("in range"),
        author: person(author),
    }
}

fn tags() -> impl Strategy<Value = Vec<FoldedTag>> {
    let tag = |tag: &str| FoldedTag::stored(tag).expect("a tag");
    prop::sample::subsequence(TAGS.map(tag).to_vec(), 0..=TAGS.len())
}

fn header() -> impl Strategy<Value = StatusHeader> {
    let someone = || prop::option::of(1..=PEOPLE);
    (1..=PEOPLE, someone(), someone(), tags()).prop_map(|(author, answers, reposts, tags)| {
        StatusHeader {
            author: person(author),
            reply_to: answers.map(origin),
            repost_of: reposts.map(origin),
            tags,
            ..StatusHeader::of(person(author))
        }
    })
}

fn some_people() -> impl Strategy<Value = HashSet<UserId>> {
    prop::collection::hash_set((1..=PEOPLE).prop_map(person), 0..4)
}

/// Draws sources of the home of person 1, or of a list owned by person 1.
fn sources() -> impl Strategy<Value = Sources> {
    let home = (some_people(), some_people(), some_people(), tags()).prop_map(
        |(people, excluded, hidden_reposts, tags)| Sources {
            timeline: Timeline::Home(person(1)),
            people,
            excluded,
            hidden_reposts,
            tags: tags.into_iter().collect(),
        },
    );
    let list = some_people().prop_map(|people| Sources {
        timeline: Timeline::List("1:4".parse().expect("a list")),
        people,
        excluded: HashSet::new(),
        hidden_reposts: HashSet::new(),
        tags: HashSet::new(),
    });
    prop_oneof![3 => home, 1 => list]
}

/// Writes the sources of a timeline. Returns its keys as `merge_timeline` takes them.
fn furnish(redis: &mut Bench, of: &Sources) -> &'static str {
    redis.run("FLUSHALL");
    let mut write = |key: &str, members: Vec<String>| {
        for (at, member) in members.iter().enumerate() {
            redis.run(&format!("ZADD {key} {} {member}", at + 1));
        }
    };
    let ids = |people: &HashSet<UserId>| people.iter().map(UserId::to_string).collect();
    if let Timeline::List(_) = of.timeline {
        write("list:{1}:4:members", ids(&of.people));
        redis.run("SET list:{1}:4:active 0 EX 60");
        return "list:{1}:4:timeline list:{1}:4:members list:{1}:4:active";
    }
    write("following:{1}", ids(&of.people));
    write("excluded:{1}", ids(&of.excluded));
    write("hidden_reposts:{1}", ids(&of.hidden_reposts));
    write(
        "followed_tags:{1}",
        of.tags.iter().map(FoldedTag::to_string).collect(),
    );
    redis.run("SET active:{1} 0 EX 60");
    "home:{1} following:{1} active:{1} excluded:{1} hidden_reposts:{1} followed_tags:{1}"
}

#[test]
fn scripts_and_code_agree_about_where_a_status_belongs() {
    let redis = std::cell::RefCell::new(Bench::start());
    let config = ProptestConfig {
        cases: 100,
        failure_persistence: None,
        ..Default::default()
    };
    proptest!(config, |(sources in sources(), statuses in prop::collection::vec(header(), 40))| {
        let redis = &mut *redis.borrow_mut();
        let keys = furnish(redis, &sources);
        let numbered = || statuses.iter().zip(1..);
        let arguments: Vec<String> = numbered().map(|(status, id)| format!("'{status}' {id}")).collect();
        let merged = redis.eval(&format!("merge_timeline {keys} , DEADLINE 1000 2 0 {}", arguments.join(" ")));
        prop_assert_eq!(merged, "merged");
        let timeline = keys.split(' ').next().expect("a key");
        let there = redis.run(&format!("ZRANGE {timeline} 0 -1 REV"));
        let due: Vec<String> = numbered()
            .filter(|(status, _)| sources.belongs(status))
            .map(|(_, id)| id.to_string())
            .collect();
        prop_assert_eq!(there, format!("[{}]", due.join(", ")));
    });
}
