//! Tombstones of deleted posts with replies: what they keep, and the memory that they take.

use redwing::domain::{StatusId, UserId};

use super::gaps::tree;
use crate::support::{
    core::Core,
    crowd::{delete, edit, follow_tag, home, member, people, post, reply},
    pool::Redis,
    redis::RedisServer,
};

/// Bytes of a tombstone with replies, also of one with twenty statuses above it. docs/decisions/key-bounds.md states
/// the number.
const MAX_BYTES: u64 = 800;

async fn bytes_of(core: &Core, id: StatusId) -> u64 {
    let key = format!("status:{{{id}}}");
    let answer = core.redis.one_node().ask(&["MEMORY", "USAGE", &key]);
    let number = answer.trim_start_matches(':').lines().next();
    let number = number.and_then(|number| number.trim().parse().ok());
    number.expect("the key exists")
}

/// Deletes a status as if it had been some time ago, and runs all tasks.
async fn delete_before(core: &Core, author: UserId, id: StatusId) {
    delete(&core.store, author, id).await;
    let key = format!("status:{{{id}}}");
    core.redis.command(&["HSET", &key, "deleted", "1"]);
    core.drain().await;
}

fn tags(name: &str) -> String {
    let tags: Vec<String> = (0..20).map(|n| format!("#{name}語{n:015}")).collect();
    tags.join(" ")
}

#[tokio::test]
async fn a_tombstone_with_replies_loses_its_tags_and_mentions_with_the_copies() {
    let core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let author = member(&core.store, "author").await;
    let other = member(&core.store, "other").await;
    people(&core.store, "p", 20).await;
    let tag = "a語000000000000001";
    follow_tag(&core.store, other, tag).await;
    home(&core.store, other).await;
    let mentions: Vec<String> = (0..20).map(|n| format!("@p_{n}")).collect();
    let first = post(&core.store, author, &mentions.join(" ")).await;
    for name in ["a", "b", "c"] {
        edit(&core.store, author, first, &tags(name)).await;
    }
    edit(&core.store, author, first, &tags("a")).await;
    let below = reply(&core.store, other, first, "a reply").await;
    core.drain().await;
    assert_eq!(home(&core.store, other).await.len(), 2);
    assert!(bytes_of(&core, first).await > 3 * MAX_BYTES);

    delete(&core.store, author, first).await;
    core.drain().await;
    let early = bytes_of(&core, first).await;
    assert!(early > 2 * MAX_BYTES, "a call may still write: {early}");
    delete_before(&core, author, first).await;
    let bytes = bytes_of(&core, first).await;
    assert!(bytes <= MAX_BYTES, "{bytes}");
    assert_eq!(home(&core.store, other).await, ["a reply"]);
    core.assert_sound().await;

    delete(&core.store, other, below).await;
    core.drain().await;
    let key = format!("status:{{{first}}}");
    let ttl = core.redis.one_node().ask(&["TTL", &key]);
    assert!(!ttl.starts_with(":-"), "it expires: {ttl}");
    core.assert_sound().await;
}

#[tokio::test]
async fn a_tombstone_deep_in_a_thread_takes_its_stated_bytes_and_its_gap_stays() {
    let core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let author = member(&core.store, "author").await;
    let first = post(&core.store, author, "first").await;
    let mut last = first;
    for _ in 0..21 {
        last = reply(&core.store, author, last, "below").await;
    }
    let tagged = reply(&core.store, author, last, &tags("d")).await;
    reply(&core.store, author, tagged, "the last").await;
    delete_before(&core, author, tagged).await;
    let bytes = bytes_of(&core, tagged).await;
    assert!(bytes <= MAX_BYTES, "{bytes}");
    assert_eq!(tree(&core, last).await, ["-", " the last"]);
    core.assert_sound().await;
}
