//! Tombstones of deleted posts with replies: what they keep, and the memory that they take.

use redwing::domain::{BASE_POST_BYTES, StatusId, UserId};

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
/// Bytes that it counts as.
const MAX_COUNTED: u64 = 1200;

async fn bytes_of(core: &Core, id: StatusId) -> u64 {
    let key = format!("status:{{{id}}}");
    let answer = core
        .redis
        .one_node()
        .ask(&["MEMORY", "USAGE", &key, "SAMPLES", "0"]);
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
    let alive = bytes_of(&core, first).await;
    assert!(alive > MAX_BYTES, "{alive} bytes");

    delete(&core.store, author, first).await;
    core.drain().await;
    let early = bytes_of(&core, first).await;
    assert!(early > MAX_BYTES, "a call may still write: {early}");
    let counted = core.store.post_bytes(author).await.expect("an answer");
    assert!((early..early + MAX_COUNTED).contains(&counted), "{counted}");
    delete_before(&core, author, first).await;
    let bytes = bytes_of(&core, first).await;
    assert!(bytes <= MAX_BYTES, "{bytes}");
    let counted = core.store.post_bytes(author).await.expect("an answer");
    assert!((bytes..=MAX_COUNTED).contains(&counted), "{counted}");
    assert_eq!(home(&core.store, other).await, ["a reply"]);
    core.assert_sound().await;

    delete(&core.store, other, below).await;
    core.drain().await;
    let key = format!("status:{{{first}}}");
    let ttl = core.redis.one_node().ask(&["TTL", &key]);
    assert!(!ttl.starts_with(":-"), "it expires: {ttl}");
    assert_eq!(core.store.post_bytes(author).await.expect("an answer"), 0);
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

#[tokio::test]
async fn deleted_posts_above_a_living_reply_use_up_the_quota_of_their_author() {
    const QUOTA: u64 = 65_536;
    let core = Core::with(&["--post-bytes", &QUOTA.to_string()]);
    let author = member(&core.store, "author").await;
    let other = member(&core.store, "other").await;
    let used = async || core.store.post_bytes(author).await.expect("an answer");
    let mut replies = Vec::new();
    while used().await < QUOTA - 2 * BASE_POST_BYTES {
        let id = post(&core.store, author, "soon gone").await;
        if replies.len() < 20 {
            replies.push(reply(&core.store, other, id, "stays").await);
        } else {
            reply(&core.store, author, id, "stays").await;
        }
        delete(&core.store, author, id).await;
        let (deleted, living) = (replies.len() as u64, used().await);
        assert!(living > deleted * 500, "{living} for {deleted}");
    }
    core.drain().await;
    core.assert_sound().await;
    let before = used().await;
    for id in &replies {
        delete(&core.store, other, *id).await;
    }
    assert!(used().await <= before - 20 * 500, "{before}");
    core.drain().await;
    core.assert_sound().await;
}

#[tokio::test]
async fn each_tombstone_of_a_thread_counts_until_the_last_reply_goes() {
    let core = Core::start();
    let one = member(&core.store, "one").await;
    let two = member(&core.store, "two").await;
    let used = async |of: UserId| core.store.post_bytes(of).await.expect("an answer");
    let mut thread = vec![post(&core.store, one, "0").await];
    for number in 1..6 {
        let author = if number % 2 == 0 { one } else { two };
        thread.push(reply(&core.store, author, thread[number - 1], "below").await);
    }
    for (number, id) in thread[..5].iter().enumerate() {
        let author = if number % 2 == 0 { one } else { two };
        delete(&core.store, author, *id).await;
    }
    core.drain().await;
    let (of_one, of_two) = (used(one).await, used(two).await);
    assert!((1500..2500).contains(&of_one), "three tombstones: {of_one}");
    let tombstones = of_two - BASE_POST_BYTES;
    assert!((1000..1700).contains(&tombstones), "two: {tombstones}");
    core.assert_sound().await;
    delete(&core.store, two, thread[5]).await;
    assert_eq!([used(one).await, used(two).await], [0, 0]);
    core.drain().await;
    core.assert_sound().await;
}
