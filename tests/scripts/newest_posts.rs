//! The timeline of everybody keeps the newest posts, in their order.

use redwing::store::calls::AddNewestPost;

use super::{Bench, calls::DEADLINE};

/// A post enters a timeline of at most four posts.
pub fn add_newest(status_id: u64) -> AddNewestPost {
    AddNewestPost {
        newest: "statuses:newest".into(),
        deadline_ms: DEADLINE,
        status_id,
        limit: 4,
    }
}

fn posts(redis: &mut Bench) -> String {
    redis.run("ZRANGE statuses:newest 0 -1")
}

#[test]
fn the_oldest_posts_leave_a_full_timeline() {
    let mut redis = Bench::start();
    for id in [3, 1, 2, 2, 5, 4] {
        redis.call(&add_newest(id));
    }
    assert_eq!(posts(&mut redis), "[5, 4, 3, 2]");
    let scores = redis.run("ZRANGE statuses:newest 0 0 WITHSCORES");
    assert!(scores.contains("-5"), "{scores}");
}

#[test]
fn a_post_from_before_the_oldest_enters_only_while_nothing_can_be_missing_between_them() {
    let mut redis = Bench::start();
    redis.call(&add_newest(7));
    redis.call(&add_newest(6));
    redis.call(&add_newest(5));
    assert_eq!(posts(&mut redis), "[7, 6]", "half full");
    redis.run("ZREM statuses:newest 6");
    redis.call(&add_newest(5));
    assert_eq!(posts(&mut redis), "[7, 5]");
}
