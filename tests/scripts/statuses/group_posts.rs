//! The script that removes a post from its group.

use redwing::store::calls::RemoveGroupPost;

use crate::scripts::{Bench, calls::DEADLINE};

/// Removes a status from a group with this act for the log.
pub fn remove_post(id: u64, group: u64, entry: &str) -> RemoveGroupPost {
    RemoveGroupPost {
        status: format!("status:{{{id}}}"),
        deadline_ms: DEADLINE,
        group,
        entry: entry.to_owned(),
    }
}

#[test]
fn a_post_is_removed_from_its_group_once_and_keeps_the_first_act_until_it_is_logged() {
    let mut redis = Bench::start();
    redis.given("HSET status:{5} uid 1 message words group 3\nHSET status:{6} uid 1 message words");
    let removed = |redis: &mut Bench| redis.run("HGET status:{5} removed_from_group");
    assert_eq!(redis.call(&remove_post(5, 3, "1")), "done");
    assert_eq!(removed(&mut redis), "nil", "nothing is logged");
    for (entry, expected) in [("one", "one"), ("two", "one"), ("1", "1"), ("three", "1")] {
        assert_eq!(redis.call(&remove_post(5, 3, entry)), "done");
        assert_eq!(removed(&mut redis), expected);
    }
    for (id, group) in [(5, 4), (6, 3), (7, 3)] {
        assert_eq!(redis.call(&remove_post(id, group, "one")), "not_found");
    }
    redis.given("HSET status:{5} deleted 1");
    assert_eq!(redis.call(&remove_post(5, 3, "one")), "not_found");
    assert_eq!(redis.run("EXISTS status:{7}"), "0");
}
