//! The queue of tasks where something in it is broken: nothing else is held up by that.

use std::time::Duration;

use redwing::{
    domain::{Task, UserId},
    worker,
};
use tokio::sync::watch;

use super::Bench;
use crate::support::{core::Core, waiting::eventually};

#[tokio::test]
async fn a_malformed_reminder_holds_up_no_other() {
    let core = Core::start();
    core.store.found_group(0).await.expect("a group");
    Bench::on(&core.redis).given(
        "ZADD tasks:{0}:later 1 malformed
         ZADD tasks:{0}:later 2 'ab 0 reconcile-status 5'",
    );
    let moved = core.store.move_due(0, None).await;
    assert!(moved.is_ok(), "{moved:?}");
    let [now, later, _] = core.store.task_counts().await.expect("an answer");
    assert!(now >= 1 && later == 0, "{now} now, {later} later");
}

#[tokio::test]
async fn a_task_that_a_dead_worker_held_is_found_behind_ten_that_are_held_by_living_ones() {
    let core = Core::start();
    core.store.found_group(0).await.expect("a group");
    for number in 1..=11 {
        let task = Task::Rebuild(UserId::new(number).expect("in range"));
        core.store.enqueue(&task).await.expect("an answer");
    }
    for worker in 1..=11 {
        let worker = format!("worker-{worker}");
        let taken = core.store.take_task(0, &worker, Duration::ZERO).await;
        taken.expect("an answer").expect("a task");
    }
    let mut bench = Bench::on(&core.redis);
    let held = bench.run("XPENDING tasks:{0} workers - + 1 worker-11");
    let id = held.trim_matches('[').split(',').next().expect("an entry");
    bench.given(&format!(
        "XCLAIM tasks:{{0}} workers worker-11 0 {id} IDLE 90000"
    ));
    let minute = Duration::from_secs(60);
    let claimed = core.store.claim_task(0, "rescuer", minute).await;
    assert!(claimed.expect("an answer").is_some());
}

#[tokio::test]
async fn a_worker_whose_chores_fail_still_works() {
    let core = Core::start();
    let (stop, stopped) = watch::channel(false);
    let mut bench = Bench::on(&core.redis);
    bench.given("SET tasks:{0}:later 'not a ZSET'");
    core.store.found_group(0).await.expect("a group");
    let task = Task::Rebuild(UserId::new(1).expect("in range"));
    core.store.enqueue(&task).await.expect("an answer");
    let running = tokio::spawn(worker::run(core.store.fork(), stopped));
    let done = async || bench.run("XLEN tasks:{0}") == "0";
    eventually("the task is done", done).await;
    stop.send_replace(true);
    running.await.expect("it ends");
}
