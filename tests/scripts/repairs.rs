//! The atomic reads of a check, and the writes of a repair.

use redwing::store::calls::{
    DrawStatus, MakeScoreUnique, RaiseCounter, RecountUser, ReleaseLogin, RepairLastId,
    RepairReading, RepairStatusTtl, ReviveTask, SnapshotUser,
};

use super::{Bench, statuses::draw};

/// Recounts user 1.
pub fn recount_user() -> RecountUser {
    RecountUser {
        user: "user:{1}".into(),
        following: "following:{1}".into(),
        followers: "followers:{1}".into(),
        profile: "profile:{1}".into(),
        requests: "requests:{1}".into(),
        arrivals: "arrivals:{1}".into(),
        channel: "live:{1}".into(),
        user_id: 1,
    }
}

/// Reads the keys of user 1.
fn snapshot(redis: &mut Bench) -> String {
    redis.call(&SnapshotUser {
        user: "user:{1}".into(),
        auth: "auth:{1}".into(),
        following: "following:{1}".into(),
        followers: "followers:{1}".into(),
        profile: "profile:{1}".into(),
        requests: "requests:{1}".into(),
        active_mark: "active:{1}".into(),
        reading: "reading:{1}".into(),
        read_marker: "read_marker:{1}".into(),
    })
}

fn repair_last_id(redis: &mut Bench) -> String {
    redis.call(&RepairLastId {
        user: "user:{1}".into(),
        newest_id: 50,
        largest_id: 900,
    })
}

fn repair_reading(redis: &mut Bench) -> String {
    redis.call(&RepairReading {
        reading: "reading:{1}".into(),
        now_ms: 1000,
        largest_id: 90,
    })
}

fn raise_counter(redis: &mut Bench, minimum: u64) -> String {
    redis.call(&RaiseCounter {
        counter: "user:id:".into(),
        minimum,
    })
}

fn make_score_unique(redis: &mut Bench, member: &str) -> String {
    redis.call(&MakeScoreUnique {
        edges: "followers:{1}".into(),
        member: member.into(),
        largest_score: 9_007_199_254_740_991,
    })
}

fn release_login(redis: &mut Bench, found: &str) -> String {
    redis.call(&ReleaseLogin {
        login: "login:{bob}".into(),
        found: found.into(),
    })
}

#[test]
fn an_existing_user_is_read_completely_and_a_missing_one_is_empty() {
    let mut redis = Bench::start();
    assert_eq!(
        snapshot(&mut redis),
        "[[nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil], [nil, nil, nil, nil], [0, 0, 0, 0], nil, [nil, nil, nil], [nil, nil, nil]]"
    );
    redis.given(
        "HSET user:{1} id 1 login alice name Alice signup 9 posts 4 followers 5 following 6 last 7 requests 1
         ZADD requests:{1} 10 3
         HSET auth:{1} hash h epoch e
         ZADD following:{1} 10 2
         ZADD profile:{1} -5 5 -6 6
         SET active:{1} 0 EX 100
         HSET reading:{1} before 0-5 shown 0-6 at 9
         HSET read_marker:{1} read 8 before 7 at 9",
    );
    let before = redis.everything();
    assert_eq!(
        snapshot(&mut redis),
        "[[1, alice, Alice, 9, 4, 5, 6, 7, nil, 1, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil], [h, e, nil, nil], [1, 0, 2, 1], 0, [0-5, 0-6, 9], [8, 7, 9]]"
    );
    assert_eq!(redis.everything(), before);
}

#[test]
fn a_person_is_counted_and_their_last_id_stays() {
    let mut redis = Bench::start();
    assert_eq!(
        redis.call(&recount_user()),
        "unknown_user",
        "counting creates no user"
    );
    assert_eq!(redis.run("EXISTS user:{1}"), "0");
    redis.given(
        "HSET user:{1} id 9 login alice posts 99 last 5
         ZADD following:{1} 10 2
         ZADD followers:{1} 10 2 11 3
         ZADD profile:{1} -8999999999999999 8999999999999999",
    );
    let shown = "HMGET user:{1} id following followers posts last";
    assert_eq!(redis.call(&recount_user()), "counted");
    assert_eq!(redis.run(shown), "[1, 1, 2, 1, 5]");
}

#[test]
fn a_last_id_too_low_or_too_high_is_corrected() {
    let mut redis = Bench::start();
    assert_eq!(
        repair_last_id(&mut redis),
        "unchanged",
        "correcting the last id creates no user"
    );
    assert_eq!(redis.run("EXISTS user:{1}"), "0");
    redis.given("HSET user:{1} login alice");
    for wrong in ["49", "901", "9007199254740992", "nonsense"] {
        redis.given(&format!("HSET user:{{1}} last {wrong}"));
        assert_eq!(repair_last_id(&mut redis), "repaired", "{wrong}");
        assert_eq!(redis.run("HGET user:{1} last"), "50");
    }
    for right in ["50", "70", "900"] {
        redis.given(&format!("HSET user:{{1}} last {right}"));
        assert_eq!(repair_last_id(&mut redis), "unchanged", "{right}");
        assert_eq!(redis.run("HGET user:{1} last"), right);
    }
}

/// The stored read state (`-` for none), and its repaired form at 1000 ms, with 90 as the newest
/// id.
#[test]
fn read_ranges_are_sorted_without_losing_any() {
    for (stored, repaired) in [
        ("0-5 0-5,7-9 999", "0-5 0-5,7-9 999"),
        ("7-9,0-5 20-29,0-9 1000", "0-5,7-9 0-9,20-29 1000"),
        ("0-5,6-9,8-20 0-20 5", "0-20 0-20 5"),
        ("5-3,x,7-9 0-9 5", "7-9 0-9 5"),
        ("0-9 2-3 5", "0-9 0-9 5"),
        ("0-9 - 5", "0-9 0-9 5"),
        ("- 0-9 5", "0-9 0-9 5"),
        ("nonsense 0-9 5", "0-9 0-9 5"),
        ("0-9 95-99 5", "0-9 0-9 5"),
        ("0-99999999999999999999 0-9 5", "0-90 0-90 5"),
        ("nonsense - 5", "nil nil 5"),
        ("0-9 0-9 nonsense", "0-9 0-9 nil"),
        ("0-9 0-9 1001", "0-9 0-9 nil"),
    ] {
        let mut redis = Bench::start();
        let fields = ["before", "shown", "at"].into_iter().zip(stored.split(' '));
        for (field, text) in fields.filter(|(_, text)| *text != "-") {
            redis.given(&format!("HSET reading:{{1}} {field} {text}"));
        }
        assert_eq!(repair_reading(&mut redis), "repaired");
        let repaired = format!("[{}]", repaired.replace(' ', ", "));
        let shown = redis.run("HMGET reading:{1} before shown at");
        assert_eq!(shown, repaired, "{stored}");
    }
}

#[test]
fn excess_ranges_are_merged_from_the_lowest() {
    let mut redis = Bench::start();
    let ranges: Vec<String> = (0..30)
        .map(|n| format!("{}-{}", 3 * n, 3 * n + 1))
        .collect();
    let ranges = ranges.join(",");
    redis.given(&format!(
        "HSET reading:{{1}} before {ranges} shown {ranges} at 5"
    ));
    repair_reading(&mut redis);
    let shown = redis.run("HGET reading:{1} shown");
    assert!(shown.starts_with("0-19,21-22,"), "{shown}");
    assert_eq!(shown, redis.run("HGET reading:{1} before"));
    assert_eq!(shown.split(',').count(), 24);
}

#[test]
fn a_counter_is_raised_and_never_lowered() {
    let mut redis = Bench::start();
    assert_eq!(raise_counter(&mut redis, 5), "raised");
    assert_eq!(raise_counter(&mut redis, 5), "unchanged");
    assert_eq!(raise_counter(&mut redis, 4), "unchanged");
    assert_eq!(redis.run("GET user:id:"), "5");
}

#[test]
fn a_maximal_last_id_does_not_prevent_posting() {
    let mut redis = Bench::start();
    for last in [
        "9007199254740991",
        "9007199254740992",
        "99999999999999999999",
    ] {
        redis.given(&format!("HSET user:{{1}} login alice last {last}"));
        redis.given("UNLINK idempotency:{1}:ab");
        redis.call(&DrawStatus {
            epoch_ms: 1_767_225_600_000,
            refused_id: "x".into(),
            ..draw("ab", "ab")
        });
        let drawn: u64 = redis.run("HGET user:{1} last").parse().expect("an id");
        assert!(drawn < 9_007_199_254_740_991, "{drawn}");
    }
}

#[test]
fn an_edge_gets_the_next_free_score() {
    let mut redis = Bench::start();
    redis.given("ZADD followers:{1} 5 a 5 b 6 c 1.5 d inf e -3 f");
    for member in ["b", "d", "e", "f"] {
        let answer = make_score_unique(&mut redis, member);
        assert_eq!(answer, "repaired", "{member}");
    }
    let shown = redis.run("ZRANGE followers:{1} 0 3 WITHSCORES");
    assert_eq!(shown, "[d, 2, a, 5, c, 6, b, 7]");
    let late = redis.run("ZCOUNT followers:{1} 1700000000000000 9007199254740991");
    assert_eq!(late, "2", "entries without a place come last");
    let answer = make_score_unique(&mut redis, "unknown");
    assert_eq!(answer, "not_found");
    assert_eq!(redis.run("ZCARD followers:{1}"), "6");
}

#[test]
fn a_login_is_freed_only_while_it_has_the_value_found() {
    let mut redis = Bench::start();
    redis.given("SET login:{bob} 7");
    assert_eq!(release_login(&mut redis, "8"), "outdated");
    assert_eq!(redis.run("GET login:{bob}"), "7");
    assert_eq!(release_login(&mut redis, "7"), "released");
    assert_eq!(release_login(&mut redis, "7"), "outdated");
}

#[test]
fn a_task_given_up_is_put_back_once() {
    let mut redis = Bench::start();
    redis.given("XADD tasks:{0}:dead 5-1 task 'rebuild 1' attempts 8 error x");
    let revive = ReviveTask {
        dead: "tasks:{0}:dead".into(),
        tasks: "tasks:{0}".into(),
        entry_id: "5-1".into(),
        task: "rebuild 1".into(),
    };
    assert_eq!(redis.call(&revive), "revived");
    assert_eq!(redis.call(&revive), "not_found");
    assert_eq!(redis.run("XLEN tasks:{0}:dead"), "0");
    let back = redis.run("XRANGE tasks:{0} - +");
    assert!(back.ends_with("[task, rebuild 1, attempts, 0]]]"), "{back}");
    assert_eq!(redis.run("XLEN tasks:{0}"), "1");
}

#[test]
fn a_tombstone_without_replies_ends_and_a_living_status_does_not() {
    let mut redis = Bench::start();
    redis.given(
        "HSET status:{5} id 5 uid 1
         EXPIRE status:{5} 100
         HSET status:{6} uid 1 deleted 9
         HSET status:{7} uid 1 deleted 9
         EXPIRE status:{7} 10
         HSET status:{8} uid 1 deleted 9
         ZADD gaps:{8} -9 9
         HSET status:{9} uid 1 deleted 9
         ZADD replies:{9} -10 10
         EXPIRE status:{9} 100",
    );
    for id in [5, 6, 7, 8, 9] {
        let repair = RepairStatusTtl {
            status: format!("status:{{{id}}}"),
            replies: format!("replies:{{{id}}}"),
            gaps: format!("gaps:{{{id}}}"),
            tombstone_ttl_s: 60,
        };
        assert_eq!(redis.call(&repair), "repaired");
    }
    assert_eq!(redis.ttl_ms("status:{5}"), -1);
    assert_eq!(redis.ttl_ms("status:{8}"), -1);
    assert_eq!(redis.ttl_ms("status:{9}"), -1);
    assert!((1..=60_000).contains(&redis.ttl_ms("status:{6}")));
    assert!(
        (1..=10_000).contains(&redis.ttl_ms("status:{7}")),
        "it is not postponed"
    );
}
