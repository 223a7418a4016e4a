//! Deliveries to a home, removals from it, and their effect on its floor.

use redwing::{
    domain::Timeline,
    store::calls::{Deliver, MergeTimeline},
};

use super::{deliver, deliver_to, home_of, merge, prune, withdraw};
use crate::scripts::Bench;

/// Creates a reader who follows 2, with that activity mark.
fn reader(mark: &str) -> Bench {
    let mut redis = Bench::start();
    redis.given(&format!(
        "ZADD following:{{1}} 10 2\nSET active:{{1}} {mark} EX 5000"
    ));
    redis
}

/// Puts statuses with these ids on the home.
fn fill(redis: &mut Bench, ids: impl Iterator<Item = u64>) {
    let members: Vec<String> = ids.map(|id| format!("-{id} {id}")).collect();
    redis.given(&format!("ZADD home:{{1}} {}", members.join(" ")));
}

fn home(redis: &mut Bench) -> String {
    redis.run("ZRANGE home:{1} 0 -1")
}

#[test]
fn a_status_is_delivered_once_under_its_negated_id() {
    let mut redis = reader("0");
    for _ in 0..2 {
        assert_eq!(redis.call(&deliver("2 0 0", 9_007_199_254_740_991)), "[]");
        let rows = redis.run("ZRANGE home:{1} 0 -1 WITHSCORES");
        assert_eq!(rows, "[9007199254740991, -9007199254740991]");
    }
}

#[test]
fn a_delivery_to_a_dormant_home_unlinks_it() {
    let mut redis = reader("0");
    fill(&mut redis, 1..4);
    redis.given("DEL active:{1}");
    assert_eq!(redis.call(&deliver("2 0 0", 9)), "[]");
    assert_eq!(redis.run("KEYS *"), "[following:{1}]");
}

#[test]
fn members_of_exclusive_lists_are_neither_delivered_nor_merged_nor_left_on_home() {
    let mut redis = reader("0");
    redis.given("ZADD excluded:{1} 1 2");
    let before = redis.everything();
    assert_eq!(redis.call(&deliver("2 0 0", 9)), "[0]");
    assert_eq!(redis.call(&merge(2, 5, &[("2 0 0", 9)])), "merged");
    assert_eq!(
        redis.everything(),
        before,
        "and it does not raise the floor"
    );
    fill(&mut redis, 8..=9);
    assert_eq!(redis.call(&prune(&[("2 0 0", 9)])), "enough");
    assert_eq!(home(&mut redis), "[8]");
    redis.given("DEL excluded:{1}");
    assert_eq!(redis.call(&prune(&[("2 0 0", 8)])), "enough");
    assert_eq!(home(&mut redis), "[8]", "it belongs again");
    assert_eq!(redis.call(&deliver("2 0 0", 9)), "[]");
    assert_eq!(redis.call(&merge(2, 0, &[("2 0 0", 7)])), "merged");
    assert_eq!(home(&mut redis), "[9, 8, 7]");
}

#[test]
fn a_status_reaches_lists_of_its_author_and_moves_no_read_line() {
    let mut redis = Bench::start();
    redis.given("ZADD list:{1}:4:members 10 2\nSET list:{1}:4:active 0 EX 50");
    redis.given("HSET reading:{1} before 0-20 shown 0-20 at 1\nZADD excluded:{1} 1 2");
    let reading = redis.run("HGETALL reading:{1}");
    let list = Timeline::List("1:4".parse().expect("a list"));
    for (header, reply) in [("2 0 0", "[]"), ("3 0 0", "[0]")] {
        let deliver = deliver_to(&[list], header, 9);
        assert_eq!(redis.call(&deliver), reply, "{header}");
    }
    assert_eq!(redis.run("ZRANGE list:{1}:4:timeline 0 -1"), "[9]");
    assert_eq!(redis.run("HGETALL reading:{1}"), reading);
}

#[test]
fn a_reply_reaches_followers_of_both_and_a_tag_its_followers() {
    let mut redis = reader("0");
    redis.given(
        "ZADD following:{1} 11 3\nZADD hidden_reposts:{1} 10 3\nZADD followed_tags:{1} 10 birds",
    );
    for (header, id, answer) in [
        ("2 3 0", 11, "[]"),
        ("2 9 0", 12, "[0]"),
        ("9 2 0", 13, "[0]"),
        ("2 1 0", 14, "[]"),
        ("2 0 9", 15, "[]"),
        ("3 0 9", 16, "[0]"),
        ("2 0 1", 17, "[0]"),
        ("9 0 0 cats birds", 18, "[]"),
        ("9 0 0 cats", 19, "[0]"),
        ("9 2 0 birds", 20, "[0]"),
        ("1 9 0", 21, "[]"),
    ] {
        let delivered = redis.call(&deliver(header, id));
        assert_eq!(delivered, answer, "{header}");
    }
    assert_eq!(home(&mut redis), "[21, 18, 15, 14, 11]");
}

#[test]
fn one_call_delivers_to_each_home_only_its_statuses() {
    let mut redis = reader("0");
    redis.given("ZADD following:{3} 10 2\nZADD home:{3} -5 5");
    redis.given("ZADD following:{4} 10 9\nSET active:{4} 0 EX 50");
    redis.given("ZADD following:{5} 10 2\nSET active:{5} 9 EX 50");
    let deliver = deliver_to(&[1, 3, 4, 5].map(home_of), "2 0 0", 9);
    assert_eq!(redis.call(&deliver), "[2]");
    let homes = [1, 3, 4, 5].map(|of| redis.run(&format!("ZRANGE home:{{{of}}} 0 -1")));
    assert_eq!(homes, ["[9]", "[]", "[]", "[]"]);

    redis.given("SET active:{3} 0 EX 50\nSET home:{3} x\nSET active:{5} 0 EX 50");
    let refused = redis.call(&deliver);
    assert!(refused.contains("WRONGTYPE"), "{refused}");
    assert_eq!(
        redis.run("ZRANGE home:{5} 0 -1"),
        "[9]",
        "entries behind it"
    );
}

#[test]
fn nothing_is_delivered_without_an_edge_or_below_the_floor() {
    let mut redis = reader("7");
    let before = redis.everything();
    assert_eq!(redis.call(&deliver("3 0 0", 9)), "[0]");
    for below in [6, 7] {
        assert_eq!(redis.call(&deliver("2 0 0", below)), "[]");
    }
    assert_eq!(redis.everything(), before);
    assert_eq!(redis.call(&deliver("2 0 0", 8)), "[]");
}

#[test]
fn a_home_24_over_its_size_is_trimmed_and_its_floor_is_the_last_id_kept() {
    let mut redis = reader("0");
    fill(&mut redis, 1..=33);
    let ttl = redis.ttl_ms("active:{1}");
    assert_eq!(
        redis.call(&Deliver {
            timeline_size: 10,
            ..deliver("2 0 0", 34)
        }),
        "[]"
    );
    assert_eq!(redis.run("ZCARD home:{1}"), "10");
    assert_eq!(redis.run("GET active:{1}"), "25");
    assert!(
        (1..=ttl).contains(&redis.ttl_ms("active:{1}")),
        "the mark keeps its TTL"
    );
}

#[test]
fn a_home_less_than_24_over_its_size_is_left_as_it_is() {
    let mut redis = reader("0");
    fill(&mut redis, 1..=32);
    redis.call(&Deliver {
        timeline_size: 10,
        ..deliver("2 0 0", 33)
    });
    assert_eq!(redis.run("ZCARD home:{1}"), "33");
    assert_eq!(redis.run("GET active:{1}"), "0");
}

#[test]
fn a_trim_while_building_raises_the_floor_and_keeps_token_and_ttl() {
    let mut redis = reader("building:abc:0");
    fill(&mut redis, 1..=33);
    assert_eq!(
        redis.call(&Deliver {
            timeline_size: 10,
            ..deliver("2 0 0", 34)
        }),
        "[]"
    );
    assert_eq!(redis.run("GET active:{1}"), "building:abc:25");
    assert!((1..=5_000_000).contains(&redis.ttl_ms("active:{1}")));
    assert_eq!(
        redis.call(&Deliver {
            timeline_size: 10,
            ..deliver("2 0 0", 25)
        }),
        "[]"
    );
}

#[test]
fn a_merge_adds_statuses_at_or_above_the_floor() {
    let mut redis = reader("7");
    fill(&mut redis, 9..=9);
    assert_eq!(
        redis.call(&merge(
            2,
            0,
            &[("2 0 0", 10), ("2 0 0", 8), ("2 0 0", 7), ("2 0 0", 6)]
        )),
        "merged"
    );
    assert_eq!(home(&mut redis), "[10, 9, 8, 7]");
    assert_eq!(redis.run("GET active:{1}"), "7");
}

#[test]
fn a_partial_merge_raises_the_floor_and_removes_entries_below() {
    let mut redis = reader("3");
    fill(&mut redis, [4, 7, 9].into_iter());
    assert_eq!(
        redis.call(&merge(2, 6, &[("2 0 0", 10), ("2 0 0", 8), ("2 0 0", 6)])),
        "merged"
    );
    assert_eq!(home(&mut redis), "[10, 9, 8, 7, 6]");
    assert_eq!(redis.run("GET active:{1}"), "6");
    assert!(redis.ttl_ms("active:{1}") > 0);
}

#[test]
fn a_merge_never_lowers_a_floor() {
    let mut redis = reader("7");
    assert_eq!(
        redis.call(&merge(2, 5, &[("2 0 0", 10), ("2 0 0", 6), ("2 0 0", 5)])),
        "merged"
    );
    assert_eq!(home(&mut redis), "[10]");
    assert_eq!(redis.run("GET active:{1}"), "7");
}

#[test]
fn a_merge_into_a_home_being_built_raises_the_floor_beside_the_token() {
    let mut redis = reader("building:abc:0");
    assert_eq!(
        redis.call(&merge(2, 6, &[("2 0 0", 8), ("2 0 0", 6)])),
        "merged"
    );
    assert_eq!(redis.run("GET active:{1}"), "building:abc:6");
}

#[test]
fn a_merge_trims_an_overfull_home() {
    let mut redis = reader("0");
    fill(&mut redis, 1..=30);
    redis.call(&MergeTimeline {
        timeline_size: 10,
        ..merge(
            2,
            0,
            &[("2 0 0", 31), ("2 0 0", 32), ("2 0 0", 33), ("2 0 0", 34)],
        )
    });
    assert_eq!(redis.run("ZCARD home:{1}"), "10");
    assert_eq!(redis.run("GET active:{1}"), "25");
}

#[test]
fn nothing_is_merged_without_an_edge_or_into_a_dormant_home() {
    let mut redis = reader("0");
    let before = redis.everything();
    assert_eq!(redis.call(&merge(3, 5, &[("3 0 0", 6)])), "merged");
    assert_eq!(redis.everything(), before);
    fill(&mut redis, 1..4);
    redis.given("DEL active:{1}");
    assert_eq!(redis.call(&merge(2, 0, &[("2 0 0", 6)])), "dormant");
    assert_eq!(redis.run("EXISTS home:{1}"), "0");
}

#[test]
fn pruning_removes_only_misplaced_and_deleted_statuses() {
    let mut redis = reader("0");
    fill(&mut redis, 4..=7);
    let prune_some = prune(&[("2 0 0", 5), ("2 0 0", 6), ("2 3 0", 4)]);
    for _ in 0..2 {
        assert_eq!(redis.call(&prune_some), "enough");
        assert_eq!(
            home(&mut redis),
            "[7, 6, 5]",
            "a reply to a stranger is removed"
        );
    }
    redis.given("ZREM following:{1} 2");
    for _ in 0..2 {
        assert_eq!(redis.call(&prune_some), "enough");
        assert_eq!(home(&mut redis), "[7]");
    }
    redis.call(&prune(&[("", 7)]));
    assert_eq!(home(&mut redis), "[]", "dead");
}

#[test]
fn a_home_left_with_fewer_than_500_above_a_floor_is_to_be_rebuilt() {
    for (mark, left, expected) in [
        ("1000", 499, "short"),
        ("1000", 500, "enough"),
        ("0", 499, "enough"),
        ("building:abc:1000", 499, "enough"),
    ] {
        let mut redis = reader(mark);
        fill(&mut redis, 1001..=1001 + left);
        let reply = redis.call(&prune(&[("3 0 0", 1001)]));
        assert_eq!(reply, expected, "{mark} {left}");
        fill(&mut redis, 1001..=1001);
        for _ in 0..2 {
            let reply = redis.call(&withdraw(1001));
            assert_eq!(reply, expected, "{mark} {left}, and again");
            assert_eq!(redis.run("ZCARD home:{1}"), left.to_string());
        }
    }
    let mut dormant = reader("1000");
    dormant.given("DEL active:{1}");
    assert_eq!(dormant.call(&prune(&[])), "enough");
    assert_eq!(dormant.call(&withdraw(5)), "enough");
}
