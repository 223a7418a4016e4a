//! Lists: their numbers, their members, and the authors excluded from home.

use redwing::store::calls::{
    AddMember, ClearList, CreateList, DeleteList, EditList, RecountExcluded, RemoveMember,
};

use super::{Bench, calls::DEADLINE};

/// Adds a member to a list of user 1.
pub fn add_member(list_number: u64, member: u64) -> AddMember {
    AddMember {
        lists: "lists:{1}".into(),
        members: format!("list:{{1}}:{list_number}:members"),
        excluded: "excluded:{1}".into(),
        home: "home:{1}".into(),
        active_mark: "active:{1}".into(),
        following: "following:{1}".into(),
        auth: "auth:{1}".into(),
        followed_tags: "followed_tags:{1}".into(),
        home_groups: "home_groups:{1}".into(),
        blocked: "blocked:{1}".into(),
        blocked_by: "blocked_by:{1}".into(),
        deadline_ms: DEADLINE,
        owner_id: 1,
        list_number,
        member,
        limit: 3,
        session_epoch: "e1".into(),
    }
}

/// Removes a member from a list of user 1.
pub fn remove_member(list_number: u64, member: u64) -> RemoveMember {
    RemoveMember {
        lists: "lists:{1}".into(),
        members: format!("list:{{1}}:{list_number}:members"),
        excluded: "excluded:{1}".into(),
        home: "home:{1}".into(),
        active_mark: "active:{1}".into(),
        following: "following:{1}".into(),
        auth: "auth:{1}".into(),
        followed_tags: "followed_tags:{1}".into(),
        home_groups: "home_groups:{1}".into(),
        block: "blocked:{1}".into(),
        deadline_ms: DEADLINE,
        owner_id: 1,
        list_number,
        member,
        session_epoch: "e1".into(),
        block_member: String::new(),
        block_score: String::new(),
    }
}

/// Creates a list of user 1 without a session.
pub fn create_list(name: &str, digest: &str) -> CreateList {
    CreateList {
        lists: "lists:{1}".into(),
        idempotency_key: "idempotency:{1}:m".into(),
        user: "user:{1}".into(),
        auth: "auth:{1}".into(),
        deadline_ms: DEADLINE,
        name: name.into(),
        digest: digest.into(),
        key_ttl_s: 60,
        limit: 100,
        session_epoch: String::new(),
    }
}

/// Renames a list of user 1, and makes it exclusive (1) or not (0).
pub fn edit_list(list_number: u64, exclusive: &'static str) -> EditList {
    EditList {
        lists: "lists:{1}".into(),
        members: format!("list:{{1}}:{list_number}:members"),
        excluded: "excluded:{1}".into(),
        home: "home:{1}".into(),
        active_mark: "active:{1}".into(),
        auth: "auth:{1}".into(),
        deadline_ms: DEADLINE,
        owner_id: 1,
        list_number,
        name: "Ships".into(),
        expected_name: String::new(),
        exclusive,
        session_epoch: "e1".into(),
    }
}

/// Deletes a list of user 1.
pub fn delete_list(list_number: u64) -> DeleteList {
    DeleteList {
        lists: "lists:{1}".into(),
        members: format!("list:{{1}}:{list_number}:members"),
        excluded: "excluded:{1}".into(),
        home: "home:{1}".into(),
        active_mark: "active:{1}".into(),
        list_timeline: format!("list:{{1}}:{list_number}:timeline"),
        list_active_mark: format!("list:{{1}}:{list_number}:active"),
        auth: "auth:{1}".into(),
        deadline_ms: DEADLINE,
        owner_id: 1,
        list_number,
        session_epoch: "e1".into(),
    }
}

fn clear_list() -> ClearList {
    ClearList {
        lists: "lists:{1}".into(),
        members: "list:{1}:1:members".into(),
        list_number: 1,
    }
}

/// Recounts the excluded authors 2, 9 and 10 of user 1, and the user, from these lists.
fn recount_excluded(list_numbers: &[u64]) -> RecountExcluded {
    let members = |number| format!("list:{{1}}:{number}:members");
    let numbers: Vec<String> = list_numbers.iter().map(u64::to_string).collect();
    RecountExcluded {
        lists: "lists:{1}".into(),
        excluded: "excluded:{1}".into(),
        home: "home:{1}".into(),
        active_mark: "active:{1}".into(),
        members: list_numbers.iter().map(members).collect(),
        owner_id: 1,
        list_numbers: numbers.join(" "),
        counted_members: ["2", "9", "10", "1"].map(str::to_owned).to_vec(),
    }
}

/// Creates an owner with a list of 2. The owner follows 2 and has a home.
fn owner(list: &str) -> Bench {
    let mut redis = Bench::start();
    redis.given(&format!(
        "HSET user:{{1}} login alice
         HSET auth:{{1}} epoch e1
         HSET lists:{{1}} last 1 1 {list}
         ZADD list:{{1}}:1:members 10 2
         ZADD following:{{1}} 10 2
         ZADD home:{{1}} -5 5
         SET active:{{1}} 0 EX 60"
    ));
    redis
}

fn add(redis: &mut Bench, who: u64) -> String {
    redis.call(&add_member(1, who))
}

fn remove(redis: &mut Bench, who: u64) -> String {
    redis.call(&remove_member(1, who))
}

fn edit(redis: &mut Bench, exclusive: &'static str) -> String {
    redis.call(&edit_list(1, exclusive))
}

#[test]
fn an_unfollowed_member_changes_a_home_that_a_tag_or_a_group_may_fill() {
    for source in ["followed_tags:{1} 10 birds", "home_groups:{1} 10 6"] {
        an_unfollowed_member_changes_a_home_with(source);
    }
}

fn an_unfollowed_member_changes_a_home_with(source: &str) {
    let mut redis = owner("1:Boats");
    assert_eq!(
        (add(&mut redis, 3), remove(&mut redis, 3)),
        ("done".into(), "done".into())
    );
    assert_eq!(redis.run("EXISTS home:{1} active:{1}"), "2");
    redis.given(&format!("ZADD {source}"));
    assert_eq!(add(&mut redis, 3), "home_dropped", "{source}");
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
        assert_eq!(redis.call(&create_list("Boats", "ab")), "[created, 1]");
    }
    assert_eq!(redis.call(&create_list("Birds", "cd")), "[conflict]");
    assert_eq!(redis.run("HGETALL lists:{1}"), "[last, 1, 1, 0:Boats]");
    assert!((1..=60_000).contains(&redis.ttl_ms("idempotency:{1}:m")));
}

#[test]
fn an_idempotency_key_conflicts_after_its_list_was_renamed_or_deleted() {
    for change in ["HSET lists:{1} 1 1:Birds", "HDEL lists:{1} 1"] {
        let mut redis = Bench::start();
        redis.given("HSET user:{1} login alice");
        redis.call(&create_list("Boats", "ab"));
        redis.given("HSET lists:{1} 1 1:Boats");
        assert_eq!(redis.call(&create_list("Boats", "ab")), "[created, 1]");
        redis.given(change);
        assert_eq!(redis.call(&create_list("Boats", "ab")), "[conflict]");
    }
}

#[test]
fn an_idempotency_key_of_a_status_creates_no_list() {
    let mut redis = owner("0:Boats");
    redis.given("SET idempotency:{1}:m 77:ab");
    assert_eq!(redis.call(&create_list("Birds", "ab")), "[conflict]");
}

#[test]
fn an_excess_list_and_a_list_without_owner_are_refused() {
    let mut redis = owner("0:Boats");
    let before = redis.everything();
    let excess = CreateList {
        limit: 1,
        ..create_list("Birds", "ab")
    };
    assert_eq!(redis.call(&excess), "[too_many]");
    let from_an_ended_session = CreateList {
        session_epoch: "old".into(),
        ..create_list("Birds", "ab")
    };
    assert_eq!(redis.call(&from_an_ended_session), "[session_ended]");
    assert_eq!(redis.everything(), before);
    redis.given("HDEL user:{1} login");
    assert_eq!(redis.call(&create_list("Birds", "ab")), "[unknown_user]");
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
    assert_eq!(edit(&mut redis, "1"), "home_dropped");
    assert_eq!(redis.run("ZRANGE excluded:{1} 0 -1 WITHSCORES"), "[2, 1]");
    assert_eq!(redis.run("EXISTS home:{1} active:{1}"), "0");
    redis.given("ZADD home:{1} -5 5\nSET active:{1} 0 EX 60");
    assert_eq!(edit(&mut redis, "1"), "done", "it is already set");
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
    assert_eq!(edit(&mut redis, "0"), "home_dropped");
    assert_eq!(redis.run("EXISTS excluded:{1}"), "0");
}

#[test]
fn an_edit_keeps_the_field_that_it_does_not_change() {
    let mut redis = owner("0:Boats");
    let unnamed = EditList {
        name: String::new(),
        ..edit_list(1, "1")
    };
    assert_eq!(redis.call(&unnamed), "home_dropped");
    assert_eq!(redis.run("HGET lists:{1} 1"), "1:Boats");
    assert_eq!(edit(&mut redis, ""), "done");
    assert_eq!(redis.run("HGET lists:{1} 1"), "1:Ships");
}

#[test]
fn a_deleted_list_returns_its_members_and_its_number_stays_used() {
    let mut redis = owner("1:Boats");
    redis.given("ZADD excluded:{1} 2 2\nZADD list:{1}:1:timeline -5 5\nSET list:{1}:1:active 0");
    assert_eq!(redis.call(&clear_list()), "unchanged");
    for answer in ["home_dropped", "done", "done"] {
        assert_eq!(redis.call(&delete_list(1)), answer);
    }
    assert_eq!(redis.run("HGETALL lists:{1}"), "[last, 1]");
    assert_eq!(redis.run("ZRANGE excluded:{1} 0 -1 WITHSCORES"), "[2, 1]");
    assert_eq!(
        redis.run("EXISTS list:{1}:1:timeline list:{1}:1:active home:{1} active:{1}"),
        "0"
    );
    assert_eq!(add(&mut redis, 3), "no_list");
    assert_eq!(remove(&mut redis, 2), "no_list");
    assert_eq!(edit(&mut redis, "0"), "no_list");
    assert_eq!(redis.run("ZRANGE list:{1}:1:members 0 -1"), "[2]");
    assert_eq!(redis.call(&clear_list()), "cleared");
    assert_eq!(redis.run("EXISTS list:{1}:1:members"), "0");
}

#[test]
fn a_list_is_read_from_an_exclusive_cursor_together_with_its_mark() {
    let read = |from_score: &str, id_count, mark_ttl_s| redwing::store::calls::ReadTimeline {
        timeline: "list:{1}:1:timeline".into(),
        active_mark: "list:{1}:1:active".into(),
        from_score: from_score.into(),
        id_count,
        mark_ttl_s,
    };
    let mut redis = owner("0:Boats");
    assert_eq!(redis.call(&read("-inf", 2, 9000)), "[nil, []]");
    assert_eq!(
        redis.run("EXISTS list:{1}:1:active"),
        "0",
        "no mark is made"
    );
    redis.given("ZADD list:{1}:1:timeline -5 5 -6 6 -7 7\nSET list:{1}:1:active 4 EX 5000");
    assert_eq!(redis.call(&read("-inf", 2, 8000)), "[4, [7, 6]]");
    assert!(
        redis.ttl_ms("list:{1}:1:active") <= 5_000_000,
        "less than an hour ago"
    );
    assert_eq!(redis.call(&read("(-7", 9, 9000)), "[4, [6, 5]]");
    assert!(redis.ttl_ms("list:{1}:1:active") > 8_000_000);
    redis.given("SET list:{1}:1:active building:abc:0 EX 50");
    let page = redis.call(&read("-inf", 1, 9000));
    assert_eq!(page, "[building:abc:0, [7]]");
    assert!(redis.ttl_ms("list:{1}:1:active") <= 50_000);
}

#[test]
fn an_ended_session_changes_no_list() {
    let mut redis = owner("0:Boats");
    let before = redis.everything();
    let edit = EditList {
        session_epoch: "old".into(),
        ..edit_list(1, "1")
    };
    assert_eq!(redis.call(&edit), "session_ended");
    let delete = DeleteList {
        session_epoch: "old".into(),
        ..delete_list(1)
    };
    assert_eq!(redis.call(&delete), "session_ended");
    let add = AddMember {
        session_epoch: "old".into(),
        ..add_member(1, 3)
    };
    assert_eq!(redis.call(&add), "session_ended");
    let remove = RemoveMember {
        session_epoch: "old".into(),
        ..remove_member(1, 2)
    };
    assert_eq!(redis.call(&remove), "session_ended");
    assert_eq!(redis.everything(), before);
}

#[test]
fn excluded_authors_are_recounted_from_exclusive_lists_only() {
    let mut redis = owner("1:Boats");
    redis.given(
        "HSET lists:{1} 2 1:Birds 3 0:Cats last 12
         ZADD list:{1}:2:members 10 2 11 1
         ZADD excluded:{1} 7 9",
    );
    let before = redis.everything();
    for numbers in [&[1][..], &[1, 3]] {
        assert_eq!(redis.call(&recount_excluded(numbers)), "outdated");
        assert_eq!(redis.everything(), before);
    }
    assert_eq!(redis.call(&recount_excluded(&[1, 2])), "counted");
    assert_eq!(redis.run("ZRANGE excluded:{1} 0 -1 WITHSCORES"), "[2, 2]");
    assert_eq!(redis.run("EXISTS home:{1} active:{1}"), "0");
    redis.given("ZADD home:{1} -1 1");
    assert_eq!(redis.call(&recount_excluded(&[1, 2])), "counted");
    assert_eq!(redis.run("EXISTS home:{1}"), "1", "no count was wrong");
}
