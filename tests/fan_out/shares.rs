//! The share of an author in the lane of fan-outs: many posts or deletions of one person do not delay another's post.

use redwing::{
    domain::{Lane, StatusId, UserId},
    store::{BacklogReader, Queue, Store},
    worker,
};

use crate::support::{
    core::Core,
    crowd::{self, readers_who_see},
    pool::Redis,
    redis::RedisServer,
};

/// Number of followers of each author. A fan-out takes five or six tasks.
const READERS: usize = 50;
/// Number of fan-outs of the busy author.
const MANY: usize = 20;
/// Number of tasks that complete the fan-out of the other author. It would take more if all fan-outs had equal turns.
const ENOUGH: usize = 70;

/// Returns a site on one node, where each pass takes more than the share of its author.
fn without_share() -> Core {
    let settings = ["--pass-size", "10", "--author-fan-out-ms", "0"];
    Core::on(Redis::Node(RedisServer::start()), &settings)
}

async fn author_with_readers(core: &Core, login: &str) -> (UserId, Vec<UserId>) {
    let author = crowd::member(&core.store, login).await;
    let readers = crowd::people(&core.store, &format!("{login}_reader"), READERS).await;
    for reader in &readers {
        crowd::follow(&core.store, *reader, author).await;
    }
    core.drain().await;
    (author, readers)
}

/// Runs so many tasks by one worker.
async fn run(core: &Core, most: usize) {
    let done = worker::do_some(&core.store, most).await;
    assert_eq!(done.expect("an answer"), most);
}

/// Returns the number of tasks that wait in a lane.
async fn waiting(store: &Store, lane: Lane) -> usize {
    let partitions = store.partitions_of(lane);
    let mut waiting = BacklogReader::of(Queue::Now);
    let mut count = 0;
    while let Some(entries) = store.waiting(&mut waiting).await.expect("an answer") {
        let of_lane = entries
            .iter()
            .filter(|entry| partitions.contains(&entry.partition));
        count += of_lane.count();
    }
    count
}

async fn assert_all_see(core: &Core, readers: &[UserId], id: StatusId) {
    let seen = readers_who_see(&core.store, readers, id).await;
    assert_eq!(seen, readers);
}

#[tokio::test]
async fn many_posts_of_one_author_do_not_delay_the_post_of_another() {
    let core = without_share();
    let (busy, readers_of_busy) = author_with_readers(&core, "busy").await;
    let (other, readers) = author_with_readers(&core, "other").await;
    let many = crowd::posts(&core.store, busy, MANY).await;
    let one = crowd::post(&core.store, other, "only one").await;
    run(&core, ENOUGH).await;
    assert_all_see(&core, &readers, one).await;
    let further = waiting(&core.store, Lane::FurtherFanOut).await;
    assert_eq!(further, MANY - 1, "each continues in its lane");
    core.drain().await;
    for id in many {
        assert_all_see(&core, &readers_of_busy, id).await;
    }
    core.assert_sound().await;
}

#[tokio::test]
async fn many_deletions_of_one_author_do_not_delay_the_post_of_another() {
    let core = without_share();
    let (busy, _) = author_with_readers(&core, "busy").await;
    let (other, readers) = author_with_readers(&core, "other").await;
    let many = crowd::posts(&core.store, busy, MANY).await;
    core.drain().await;
    for id in many {
        crowd::delete(&core.store, busy, id).await;
    }
    let one = crowd::post(&core.store, other, "only one").await;
    run(&core, ENOUGH).await;
    assert_all_see(&core, &readers, one).await;
    let further = waiting(&core.store, Lane::FurtherFanOut).await;
    assert_eq!(further, MANY - 1, "each continues in its lane");
    // The check finds a deleted post in a home.
    core.assert_sound().await;
}

/// The delivery of a deleted post becomes its withdrawal. That is another fan-out, and counts as one.
#[tokio::test]
async fn posts_that_are_deleted_at_once_do_not_delay_the_post_of_another() {
    let core = without_share();
    let (busy, _) = author_with_readers(&core, "busy").await;
    let (other, readers) = author_with_readers(&core, "other").await;
    for id in crowd::posts(&core.store, busy, MANY).await {
        crowd::delete(&core.store, busy, id).await;
    }
    let one = crowd::post(&core.store, other, "only one").await;
    // Each deleted post has two more short tasks.
    run(&core, ENOUGH + 2 * MANY).await;
    assert_all_see(&core, &readers, one).await;
    assert_ne!(waiting(&core.store, Lane::FurtherFanOut).await, 0);
    core.assert_sound().await;
}

#[tokio::test]
async fn a_large_fan_out_stays_in_its_lane() {
    let core = without_share();
    let (author, readers) = author_with_readers(&core, "author").await;
    let id = crowd::post(&core.store, author, "to all of you").await;
    // One task indexes the post.
    run(&core, 4).await;
    assert_eq!(waiting(&core.store, Lane::FanOut).await, 1);
    assert_eq!(waiting(&core.store, Lane::FurtherFanOut).await, 0);
    core.drain().await;
    assert_all_see(&core, &readers, id).await;
}

#[tokio::test]
async fn a_few_small_fan_outs_of_one_author_stay_in_their_lane() {
    let settings = ["--pass-size", "10", "--author-fan-out-ms", "60000"];
    let core = Core::on(Redis::Node(RedisServer::start()), &settings);
    let (author, _) = author_with_readers(&core, "author").await;
    crowd::posts(&core.store, author, 3).await;
    // Three tasks index the posts.
    run(&core, 3 + 3).await;
    assert_eq!(waiting(&core.store, Lane::FanOut).await, 3);
    assert_eq!(waiting(&core.store, Lane::FurtherFanOut).await, 0);
    core.assert_sound().await;
}
