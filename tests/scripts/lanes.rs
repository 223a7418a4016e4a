//! The lanes of the task queue: many deletions and fan-outs do not delay the tasks of others.

use redwing::{
    actions::account_states,
    domain::{FanOutProgress, Lane, StatusId, Task, UserId},
    store::{ChangeOutcome, Store, UnixMs},
    worker,
};

use super::Bench;
use crate::support::{core::Core, crowd, pool::Redis, redis::RedisServer};

/// Number of deletions, each with several passes.
const DELETIONS: usize = 20;
/// Of so many tasks, one is background work.
const INTERVAL: usize = 16;

fn one_node() -> Core {
    Core::on(Redis::Node(RedisServer::start()), &[])
}

/// Returns the number of tasks that wait in a lane.
fn waiting(core: &Core, lane: Lane) -> usize {
    let partition = core.store.partitions_of(lane).start;
    let length = Bench::on(core.redis.one_node()).run(&format!("XLEN tasks:{{{partition}}}"));
    length.parse().expect("a number")
}

async fn run(core: &Core, most: usize) {
    let done = worker::do_some(&core.store, most).await;
    assert_eq!(done.expect("an answer"), most);
}

async fn enqueue(store: &Store, tasks: &[Task]) {
    store.enqueue_all(tasks).await.expect("an answer");
}

async fn index_of_each(store: &Store, author: UserId, count: usize) -> Vec<Task> {
    let ids = crowd::posts(store, author, count).await.into_iter();
    ids.map(Task::Index).collect()
}

/// Begins deletions of people with posts. Their tasks wait, and nothing else.
async fn begin_deletions(core: &Core) -> Vec<UserId> {
    let store = &core.store;
    let people = crowd::people(store, "leaver", DELETIONS).await;
    for person in &people {
        crowd::posts(store, *person, 3).await;
    }
    core.drain().await;
    for person in &people {
        let begun = account_states::delete(store, *person).await;
        assert_eq!(begun.expect("an answer"), ChangeOutcome::Changed);
    }
    let end_of_time = UnixMs((1 << 53) - 1);
    let moved = store.move_due(0, Some(end_of_time)).await;
    assert_eq!(moved.expect("an answer"), DELETIONS);
    // A worker begins with ordinary tasks.
    while waiting(core, Lane::Ordinary) > 0 {
        run(core, 1).await;
    }
    assert_eq!(waiting(core, Lane::Background), DELETIONS);
    people
}

#[tokio::test]
async fn tasks_of_others_wait_for_one_pass_however_many_accounts_are_deleted() {
    let core = one_node();
    let author = crowd::member(&core.store, "author").await;
    let tasks = index_of_each(&core.store, author, INTERVAL - 1).await;
    let leavers = begin_deletions(&core).await;

    // What a deletion leaves behind waits with the deletions.
    run(&core, 1).await;
    assert_eq!(waiting(&core, Lane::Ordinary), 0);
    assert_eq!(waiting(&core, Lane::FanOut), 0);
    let background = waiting(&core, Lane::Background);
    assert!(background >= DELETIONS + 3, "{background}");

    enqueue(&core.store, &tasks).await;
    run(&core, INTERVAL - 1).await;
    assert_eq!(waiting(&core, Lane::Ordinary), 0);
    assert_eq!(waiting(&core, Lane::Background), background, "none was run");

    core.drain().await;
    for person in leavers {
        let user = core.store.user(person).await.expect("an answer");
        assert!(user.is_none());
    }
    core.assert_sound().await;
}

#[tokio::test]
async fn background_work_has_its_share_while_other_tasks_wait() {
    let core = one_node();
    let author = crowd::member(&core.store, "author").await;
    let person = crowd::member(&core.store, "person").await;
    let tasks = index_of_each(&core.store, author, 3 * INTERVAL).await;
    core.drain().await;
    // This person does not leave, so each of these tasks is done at once.
    enqueue(&core.store, &vec![Task::DeleteAccount(person); 5]).await;
    enqueue(&core.store, &tasks).await;
    run(&core, 2 * INTERVAL).await;
    assert_eq!(waiting(&core, Lane::Background), 3);
    assert_eq!(waiting(&core, Lane::Ordinary), INTERVAL + 2);
}

#[tokio::test]
async fn fan_outs_and_other_tasks_alternate() {
    let core = one_node();
    let author = crowd::member(&core.store, "author").await;
    let tasks = index_of_each(&core.store, author, 3).await;
    let posts: Vec<StatusId> = crowd::posts(&core.store, author, 20).await;
    core.drain().await;
    let passes = posts.iter().map(|status| Task::Deliver {
        status: *status,
        from: FanOutProgress::START,
    });
    enqueue(&core.store, &passes.collect::<Vec<_>>()).await;
    enqueue(&core.store, &tasks).await;
    run(&core, 6).await;
    assert_eq!(waiting(&core, Lane::Ordinary), 0);
    assert_eq!(waiting(&core, Lane::FanOut), 17);
}
