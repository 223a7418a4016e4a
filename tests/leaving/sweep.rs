//! A sweep over all keys that continues from a stored position, although Redis or a cluster changes meanwhile.

use redwing::{
    actions::{account_deletion, account_states, mutes, reconcile::reconcile},
    domain::{MuteTerm, SweepPosition, Task, Thing, UserId},
    store::{ChangeOutcome, Store},
};

use super::deletion::traces;
use crate::support::{core::Core, crowd, pool::Redis, redis::RedisServer};

/// Runs one step of a deletion, as a worker does. Returns the task that continues it.
async fn run_step(store: &Store, task: Task) -> Option<Task> {
    let next = match task {
        Task::DeleteAccount(person) => account_deletion::delete_pass(store, person).await,
        Task::Sweep {
            token,
            people,
            from,
        } => account_deletion::sweep_pass(store, &token, &people, from).await,
        other => panic!("{other}"),
    };
    next.expect("an answer")
}

/// Deletes an account until its sweep has examined some keys and not all. Returns the task that continues it.
pub async fn run_into_sweep(store: &Store, person: UserId) -> Task {
    let begun = account_states::delete(store, person).await;
    assert_eq!(begun.expect("an answer"), ChangeOutcome::Changed);
    let next = reconcile(store, &Thing::Leaving(person)).await;
    let mut next = next.expect("an answer");
    while let Some(task) = next {
        match task {
            Task::Sweep { from, .. } if from != SweepPosition::START => return task,
            task => next = run_step(store, task).await,
        }
    }
    panic!("the sweep ended with its first step")
}

/// Runs a sweep to its end, and asserts that nothing of its person is left.
pub async fn assert_completed(core: &mut Core, (gone, login): (UserId, &str), task: Task) {
    let store = core.store.clone();
    let mut next = Some(task);
    while let Some(task) = next {
        next = run_step(&store, task).await;
    }
    assert!(store.user(gone).await.expect("an answer").is_none());
    // The outbox entry of the deletion names the person until it is reconciled.
    core.drain().await;
    assert_eq!(traces(core, gone, login), Vec::<String>::new());
    core.assert_sound().await;
}

/// Creates a person whom so many others mute. No key of the person leads to the mutes.
pub async fn muted_person(core: &Core, login: &str, muting: usize) -> UserId {
    // Ids have several digits, so the search finds no other number by chance.
    core.redis.command(&["SET", "user:id:", "70300"]);
    let store = &core.store;
    let others = crowd::people(store, "other", muting).await;
    let gone = crowd::member(store, login).await;
    // The counter of ids has the last one.
    crowd::member(store, "later").await;
    for other in others {
        let muted = mutes::mute(store, other, gone, MuteTerm::Forever).await;
        muted.expect("an answer");
    }
    core.drain().await;
    gone
}

/// A cursor of SCAN is valid only in the process that gave it. In another one it skips about a quarter of the keys.
#[tokio::test]
async fn a_restart_of_redis_during_a_sweep_leaves_no_trace() {
    let mut core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let gone = muted_person(&core, "gone", 300).await;
    let task = run_into_sweep(&core.store, gone).await;
    core.redis.kill();
    core.redis.restart();
    assert_completed(&mut core, (gone, "gone"), task).await;
}

#[tokio::test]
async fn a_sweep_with_a_position_of_an_earlier_release_examines_all_keys() {
    let mut core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let gone = muted_person(&core, "gone", 100).await;
    let task = run_into_sweep(&core.store, gone).await;
    let Task::Sweep { token, people, .. } = task else {
        panic!("{task}")
    };
    // Behind the last node, as if all keys were examined.
    let from = SweepPosition {
        node: 1,
        cursor: 0,
        nodes: 1,
        servers: 0,
    };
    let task = Task::Sweep {
        token,
        people,
        from,
    };
    assert_completed(&mut core, (gone, "gone"), task).await;
}
