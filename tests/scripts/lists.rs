//! Lists: their numbers, their members, and the authors excluded from home.

use redwing::store::calls::ChangeMember;

use super::{Bench, calls::change_member};

const CREATE: &str = "create_list lists:{1} idempotency:{1}:m user:{1} auth:{1} , DEADLINE";
const KEYS: &str = "lists:{1} list:{1}:1:members excluded:{1} home:{1} active:{1}";
const GONE: &str = "list:{1}:1:timeline list:{1}:1:active auth:{1} , DEADLINE 1 1";

/// Creates an owner with a list of 2. The owner follows 2 and has a home.
fn owner(held: &str) -> Bench {
    let mut redis = Bench::start();
    redis.given(&format!(
        "HSET user:{{1}} login alice
         HSET auth:{{1}} epoch e1
         HSET lists:{{1}} last 1 1 {held}
         ZADD list:{{1}}:1:members 10 2
         ZADD following:{{1}} 10 2
         ZADD home:{{1}} -5 5
         SET active:{{1}} 0 EX 60"
    ));
    redis
}

fn add(redis: &mut Bench, who: u64) -> String {
    redis.call(&change_member(1, who, 1))
}

fn remove(redis: &mut Bench, who: u64) -> String {
    redis.call(&change_member(1, who, -1))
}

fn edit(redis: &mut Bench, exclusive: u8) -> String {
    redis.eval(&format!(
        "edit_list {KEYS} auth:{{1}} , DEADLINE 1 1 Ships {exclusive} e1"
    ))
}

#[test]
fn an_unfollowed_member_changes_a_home_that_a_tag_may_fill() {
    let mut redis = owner("1:Boats");
    assert_eq!(
        (add(&mut redis, 3), remove(&mut redis, 3)),
        ("done".into(), "done".into())
    );
    assert_eq!(redis.run("EXISTS home:{1} active:{1}"), "2");
    redis.given("ZADD followed_tags:{1} 10 birds");
    assert_eq!(add(&mut redis, 3), "home_dropped");
    assert_eq!(redis.run("EXISTS home:{1} active:{1}"), "0");
    redis.given("SET active:{1} 0 EX 60");
    assert_eq!(remove(&mut redis, 3), "home_dropped");
    assert_eq!(redis.run("EXISTS active:{1}"), "0");
}

#[test]
fn an_idempotency_key_creates_one_list_and_conflicts_with_another_name() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} login alice");
    for _ in 0..2 {
        assert_eq!(
            redis.eval(&format!("{CREATE} Boats ab 60 100 ''")),
            "[created, 1]"
        );
    }
    assert_eq!(
        redis.eval(&format!("{CREATE} Birds cd 60 100 ''")),
        "[conflict]"
    );
    assert_eq!(redis.run("HGETALL lists:{1}"), "[last, 1, 1, 0:Boats]");
    assert!((1..=60_000).contains(&redis.ttl_ms("idempotency:{1}:m")));
}

#[test]
fn an_idempotency_key_of_a_status_creates_no_list() {
    let mut redis = owner("0:Boats");
    redis.given("SET idempotency:{1}:m 77:ab");
    assert_eq!(
        redis.eval(&format!("{CREATE} Birds ab 60 100 ''")),
        "[conflict]"
    );
}

#[test]
fn an_excess_list_and_a_list_without_owner_are_refused() {
    let mut redis = owner("0:Boats");
    let before = redis.everything();
    assert_eq!(
        redis.eval(&format!("{CREATE} Birds ab 60 1 ''")),
        "[too_many]"
    );
    assert_eq!(
        redis.eval(&format!("{CREATE} Birds ab 60 9 old")),
        "[session_ended]"
    );
    assert_eq!(redis.everything(), before);
    redis.given("HDEL user:{1} login");
    assert_eq!(
        redis.eval(&format!("{CREATE} Birds ab 60 9 ''")),
        "[unknown_user]"
    );
}

#[test]
fn a_list_has_a_limit_and_each_member_once() {
    let mut redis = owner("0:Boats");
    for (who, answer) in [
        (2, "done"),
        (3, "done"),
        (4, "done"),
        (5, "full"),
        (4, "done"),
    ] {
        assert_eq!(add(&mut redis, who), answer, "{who}");
    }
    assert_eq!(redis.run("ZRANGE list:{1}:1:members 0 -1"), "[2, 3, 4]");
    assert_eq!(redis.run("EXISTS excluded:{1} home:{1}"), "1", "home stays");
}

#[test]
fn exclusive_members_are_counted_and_home_is_rebuilt_if_they_are_followed() {
    let mut redis = owner("0:Boats");
    assert_eq!(edit(&mut redis, 1), "home_dropped");
    assert_eq!(redis.run("ZRANGE excluded:{1} 0 -1 WITHSCORES"), "[2, 1]");
    assert_eq!(redis.run("EXISTS home:{1} active:{1}"), "0");
    redis.given("ZADD home:{1} -5 5\nSET active:{1} 0 EX 60");
    assert_eq!(edit(&mut redis, 1), "done", "it is already set");
    for (who, answer) in [(1, "done"), (3, "done"), (3, "done")] {
        assert_eq!(add(&mut redis, who), answer, "{who}");
    }
    assert_eq!(
        redis.run("ZRANGE excluded:{1} 0 -1"),
        "[2, 3]",
        "not the owner"
    );
    assert_eq!(redis.run("EXISTS home:{1} active:{1}"), "2");
    assert_eq!(remove(&mut redis, 2), "home_dropped");
    assert_eq!(remove(&mut redis, 2), "done");
    assert_eq!(redis.run("ZRANGE excluded:{1} 0 -1"), "[3]");
    assert_eq!(redis.run("EXISTS home:{1} active:{1}"), "0");
    assert_eq!(edit(&mut redis, 0), "home_dropped");
    assert_eq!(redis.run("EXISTS excluded:{1}"), "0");
}

#[test]
fn a_deleted_list_returns_its_members_and_its_number_stays_used() {
    let mut redis = owner("1:Boats");
    redis.given("ZADD excluded:{1} 2 2\nZADD list:{1}:1:timeline -5 5\nSET list:{1}:1:active 0");
    assert_eq!(
        redis.eval("clear_list lists:{1} list:{1}:1:members , 1"),
        "unchanged"
    );
    for answer in ["home_dropped", "done", "done"] {
        assert_eq!(redis.eval(&format!("delete_list {KEYS} {GONE} e1")), answer);
    }
    assert_eq!(redis.run("HGETALL lists:{1}"), "[last, 1]");
    assert_eq!(redis.run("ZRANGE excluded:{1} 0 -1 WITHSCORES"), "[2, 1]");
    assert_eq!(
        redis.run("EXISTS list:{1}:1:timeline list:{1}:1:active home:{1} active:{1}"),
        "0"
    );
    assert_eq!(add(&mut redis, 3), "no_list");
    assert_eq!(remove(&mut redis, 2), "no_list");
    assert_eq!(edit(&mut redis, 0), "no_list");
    assert_eq!(redis.run("ZRANGE list:{1}:1:members 0 -1"), "[2]");
    assert_eq!(
        redis.eval("clear_list lists:{1} list:{1}:1:members , 1"),
        "cleared"
    );
    assert_eq!(redis.run("EXISTS list:{1}:1:members"), "0");
}

#[test]
fn a_list_is_read_from_an_exclusive_cursor_together_with_its_mark() {
    const READ: &str = "read_timeline list:{1}:1:timeline list:{1}:1:active ,";
    let mut redis = owner("0:Boats");
    assert_eq!(redis.eval(&format!("{READ} -inf 2 9000")), "[nil, []]");
    assert_eq!(
        redis.run("EXISTS list:{1}:1:active"),
        "0",
        "no mark is made"
    );
    redis.given("ZADD list:{1}:1:timeline -5 5 -6 6 -7 7\nSET list:{1}:1:active 4 EX 5000");
    assert_eq!(redis.eval(&format!("{READ} -inf 2 8000")), "[4, [7, 6]]");
    assert!(
        redis.ttl_ms("list:{1}:1:active") <= 5_000_000,
        "less than an hour ago"
    );
    assert_eq!(redis.eval(&format!("{READ} (-7 9 9000")), "[4, [6, 5]]");
    assert!(redis.ttl_ms("list:{1}:1:active") > 8_000_000);
    redis.given("SET list:{1}:1:active building:abc:0 EX 50");
    let page = redis.eval(&format!("{READ} -inf 1 9000"));
    assert_eq!(page, "[building:abc:0, [7]]");
    assert!(redis.ttl_ms("list:{1}:1:active") <= 50_000);
}

#[test]
fn an_ended_session_changes_no_list() {
    let mut redis = owner("0:Boats");
    let before = redis.everything();
    for call in [
        format!("edit_list {KEYS} auth:{{1}} , DEADLINE 1 1 Ships 1 old"),
        format!("delete_list {KEYS} {GONE} old"),
    ] {
        assert_eq!(redis.eval(&call), "session_ended", "{call}");
        assert_eq!(redis.everything(), before, "{call}");
    }
    for (member, change) in [(3, 1), (2, -1)] {
        let call = ChangeMember {
            session_epoch: "old".into(),
            ..change_member(1, member, change)
        };
        assert_eq!(redis.call(&call), "session_ended", "{call:?}");
        assert_eq!(redis.everything(), before, "{call:?}");
    }
}

#[test]
fn excluded_authors_are_recounted_from_exclusive_lists_only() {
    let mut redis = owner("1:Boats");
    redis.given(
        "HSET lists:{1} 2 1:Birds 3 0:Cats last 12
         ZADD list:{1}:2:members 10 2 11 1
         ZADD excluded:{1} 7 9",
    );
    let recount = "recount_excluded lists:{1} excluded:{1} home:{1} active:{1}";
    let before = redis.everything();
    for (members, numbers) in [
        ("list:{1}:1:members", "1"),
        ("list:{1}:1:members list:{1}:3:members", "1 3"),
    ] {
        assert_eq!(
            redis.eval(&format!("{recount} {members} , 1 {numbers}")),
            "outdated"
        );
        assert_eq!(redis.everything(), before);
    }
    let members = "list:{1}:1:members list:{1}:2:members";
    assert_eq!(
        redis.eval(&format!("{recount} {members} , 1 1 2")),
        "counted"
    );
    assert_eq!(redis.run("ZRANGE excluded:{1} 0 -1 WITHSCORES"), "[2, 2]");
    assert_eq!(redis.run("EXISTS home:{1} active:{1}"), "0");
}
