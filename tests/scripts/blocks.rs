//! Blocks, as scripts in the slots of both people respect them.

use redwing::store::calls::{ClearRelation, DropNotificationsBy, RemoveMember, SetRelation};

use super::{
    Bench,
    calls::{block, follow, mirror_block, mirror_follow, set, unfollow},
    lists::{add_member, remove_member},
    notifications::notify,
};

/// User 1, who blocks 2 and is blocked by 3, and has a list.
fn alice() -> Bench {
    let mut redis = Bench::start();
    redis.given(
        "HSET user:{1} id 1 login alice
         HSET auth:{1} epoch e1
         HSET lists:{1} last 1 1 0:Birds
         ZADD blocked:{1} 5 2
         ZADD blocked_by:{1} 5 3",
    );
    redis
}

#[test]
fn neither_side_of_a_block_is_followed_favourited_or_listed() {
    let mut redis = alice();
    let favourite = |author: u64| SetRelation {
        person: author.to_string(),
        ..set("favourites:{1}", "5")
    };
    for other in [2, 3] {
        assert_eq!(redis.call(&follow(other)), "not_found");
        assert_eq!(redis.call(&favourite(other)), "not_found");
        assert_eq!(redis.call(&add_member(1, other)), "blocked");
    }
    assert_eq!(
        redis.run("EXISTS following:{1} favourites:{1} list:{1}:1:members"),
        "0"
    );
    assert_eq!(redis.call(&follow(4)), "set");
    assert_eq!(redis.call(&favourite(4)), "set");
    assert_eq!(redis.call(&add_member(1, 4)), "done");
}

#[test]
fn neither_side_of_a_block_causes_notifications() {
    let mut redis = alice();
    for other in [2, 3] {
        let notification = format!("favourite:5:{other}");
        assert_eq!(redis.call(&notify(&notification)), "unchanged");
        redis.call(&mirror_follow(1, other));
    }
    assert_eq!(redis.run("EXISTS notifications:{1}"), "0");
}

#[test]
fn a_block_is_set_once_within_its_limit_by_a_user_with_a_session() {
    let mut redis = alice();
    let score = redis.run("ZSCORE blocked:{1} 2");
    assert_eq!(redis.call(&block(2)), "set");
    assert_eq!(
        redis.run("ZSCORE blocked:{1} 2"),
        score,
        "the first one stays"
    );
    assert_eq!(redis.call(&block(4)), "set");
    assert_eq!(redis.call(&block(5)), "too_many");
    assert_eq!(redis.call(&block(4)), "set", "it is set already");
    let mut ended = block(4);
    ended.session_epoch = "e0".into();
    assert_eq!(redis.call(&ended), "session_ended");
    redis.given("DEL user:{1}");
    assert_eq!(redis.call(&block(4)), "not_found");
    assert_eq!(redis.run("ZRANGE blocked:{1} 0 -1"), "[2, 4]");
}

#[test]
fn a_block_is_mirrored_once_and_not_with_a_deleted_person() {
    let mut redis = alice();
    for _ in 0..2 {
        assert_eq!(redis.call(&mirror_block(4)), "done");
    }
    assert_eq!(redis.run("ZRANGE blocked_by:{1} 0 -1"), "[3, 4]");
    redis.given("HSET user:{1} gone 5");
    assert_eq!(redis.call(&mirror_block(5)), "deleted");
    assert_eq!(redis.run("ZRANGE blocked_by:{1} 0 -1"), "[3, 4]");
}

#[test]
fn all_notifications_of_one_person_are_dropped_in_several_calls() {
    let mut redis = alice();
    redis.given(
        "ZADD notifications:{1} 5 follow:0:2 6 favourite:7:2 -4 repost:7:2 8 favourite:7:12 9 favourite:2:4",
    );
    let drop_some = DropNotificationsBy {
        notifications: "notifications:{1}".into(),
        arrivals: "arrivals:{1}".into(),
        channel: "live:{1}".into(),
        limit: 2,
        people: vec![2],
    };
    for dropped in ["2", "1", "0"] {
        assert_eq!(redis.call(&drop_some), dropped);
    }
    assert_eq!(
        redis.run("ZRANGE notifications:{1} 0 -1"),
        "[favourite:7:12, favourite:2:4]"
    );
}

#[test]
fn a_removal_for_a_block_that_has_ended_leaves_the_connection() {
    let mut redis = alice();
    redis.given(
        "ZADD following:{1} 7 3
         ZADD list:{1}:1:members 7 3",
    );
    let unfollow = |score: &str| ClearRelation {
        block: "blocked_by:{1}".into(),
        block_member: "3".into(),
        block_score: score.into(),
        ..unfollow(3)
    };
    let unlist = |score: &str| RemoveMember {
        block: "blocked_by:{1}".into(),
        block_member: "3".into(),
        block_score: score.into(),
        ..remove_member(1, 3)
    };
    let count = "EXISTS following:{1} list:{1}:1:members";
    // Another block of the same person, and none.
    for scene in ["ZADD blocked_by:{1} 6 3", "DEL blocked_by:{1}"] {
        redis.given(scene);
        assert_eq!(redis.call(&unfollow("5")), "kept");
        assert_eq!(redis.call(&unlist("5")), "done");
        assert_eq!(redis.run(count), "2");
    }
    redis.given("ZADD blocked_by:{1} 1764331200000005 3");
    assert_eq!(redis.call(&unfollow("1764331200000005")), "cleared");
    assert_eq!(redis.call(&unlist("1764331200000005")), "done");
    assert_eq!(redis.run(count), "0");
}
