//! The task queue with broken entries: they do not block other tasks.

use std::time::Duration;

use redwing::domain::{Task, Timeline, UserId};

use super::Bench;
use crate::support::{
    core::Core, pool::Redis, redis::RedisServer, running_worker::RunningWorker, waiting::eventually,
};

#[tokio::test]
async fn a_malformed_outbox_entry_blocks_no_other() {
    let core = Core::start();
    core.store.create_task_group(0).await.expect("a group");
    Bench::on(core.redis.one_node()).given(
        "ZADD tasks:{0}:later 1 malformed
         ZADD tasks:{0}:later 2 'ab 0 {\"status\":\"5\"}'",
    );
    let moved = core.store.move_due(0, None).await;
    assert!(moved.is_ok(), "{moved:?}");
    let [now, later, _] = crate::support::state::task_counts(&core.store)
        .await
        .expect("an answer");
    assert!(now >= 1 && later == 0, "{now} now, {later} later");
}

#[tokio::test]
async fn a_dead_workers_task_is_found_behind_ten_tasks_of_living_workers() {
    let core = Core::start();
    core.store.create_task_group(0).await.expect("a group");
    for number in 1..=11 {
        let task = rebuild(number);
        core.store.enqueue(&task).await.expect("an answer");
    }
    for worker in 1..=11 {
        let worker = format!("worker-{worker}");
        let taken = core.store.take_task(0, &worker).await;
        taken.expect("an answer").expect("a task");
    }
    let mut bench = Bench::on(core.redis.one_node());
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
    let mut bench = Bench::on(core.redis.one_node());
    bench.given("SET tasks:{0}:later 'not a ZSET'");
    core.store.create_task_group(0).await.expect("a group");
    let task = rebuild(1);
    core.store.enqueue(&task).await.expect("an answer");
    let worker = RunningWorker::start(&core.store);
    let done = async || bench.run("XLEN tasks:{0}") == "0";
    eventually("the task is done", done).await;
    worker.stop().await;
}

/// Simulates workers that took a task one after the other and died.
async fn taken_by(core: &Core, workers: u32) {
    core.store.create_task_group(0).await.expect("a group");
    let task = rebuild(1);
    core.store.enqueue(&task).await.expect("an answer");
    let first = core.store.take_task(0, "worker-1").await;
    first.expect("an answer").expect("the task");
    for worker in 2..=workers {
        let worker = format!("worker-{worker}");
        let claimed = core.store.claim_task(0, &worker, Duration::ZERO).await;
        claimed.expect("an answer").expect("the task");
    }
}

#[tokio::test]
async fn a_task_that_kills_its_workers_is_given_up() {
    for (workers, given_up) in [(2, 0), (3, 1)] {
        let core = Core::with(&["--task-attempts", "3", "--task-claim-ms", "1"]);
        taken_by(&core, workers).await;
        let worker = RunningWorker::start(&core.store);
        eventually("it is done or given up", async || {
            crate::support::state::task_counts(&core.store)
                .await
                .expect("an answer")
                == [0, 0, given_up]
        })
        .await;
        worker.stop().await;
        let dead = Bench::on(core.redis.one_node()).run("XRANGE tasks:{0}:dead - +");
        assert_eq!(
            dead.contains("workers that took it were lost"),
            given_up == 1,
            "{dead}"
        );
    }
}

#[tokio::test]
async fn a_worker_that_comes_back_to_its_task_uses_up_no_attempt() {
    let core = Core::start();
    taken_by(&core, 1).await;
    for _ in 0..20 {
        let pending = core.store.pending_task(0, "worker-1", None).await;
        assert_eq!(pending.expect("an answer").expect("the task").attempts, 0);
    }
    let claimed = core.store.claim_task(0, "worker-2", Duration::ZERO).await;
    assert_eq!(claimed.expect("an answer").expect("the task").attempts, 1);
}

#[tokio::test]
async fn a_claim_by_a_worker_that_cannot_run_it_uses_up_no_attempt() {
    let core = Core::start();
    taken_by(&core, 1).await;
    for _ in 0..20 {
        let claimed = core.store.claim_task(0, "worker-2", Duration::ZERO).await;
        let claimed = claimed.expect("an answer").expect("the task");
        assert_eq!(claimed.attempts, 1, "the worker that was lost");
        let uncounted = core.store.uncount_claim(&claimed, "worker-2").await;
        uncounted.expect("an answer");
    }
}

#[tokio::test]
async fn a_task_no_longer_held_hides_no_task_behind_it() {
    let core = Core::start();
    taken_by(&core, 1).await;
    let mut bench = Bench::on(core.redis.one_node());
    bench.given("XTRIM tasks:{0} MAXLEN 0");
    let task = rebuild(2);
    core.store.enqueue(&task).await.expect("an answer");
    let second = core.store.take_task(0, "worker-1").await;
    second.expect("an answer").expect("the task");
    let pending = core.store.pending_task(0, "worker-1", None).await;
    assert_eq!(
        pending.expect("an answer").expect("the second").task,
        Ok(task)
    );
}

#[tokio::test]
async fn a_stopping_worker_takes_over_no_task() {
    const HELD: usize = 500;
    let core = Core::with(&["--task-claim-ms", "1"]);
    core.store.create_task_group(0).await.expect("a group");
    for number in 1..=HELD {
        let task = rebuild(number as u64);
        core.store.enqueue(&task).await.expect("an answer");
    }
    let mut bench = Bench::on(core.redis.one_node());
    bench.given(&format!(
        "XREADGROUP GROUP workers dead COUNT {HELD} STREAMS tasks:{{0}} >"
    ));
    let left = async || {
        crate::support::state::task_counts(&core.store)
            .await
            .expect("an answer")[0]
    };
    let worker = RunningWorker::start(&core.store);
    eventually("it has begun", async || left().await < HELD as u64).await;
    worker.stop().await;
    assert!(left().await > 0, "the rest is left to others");
}

#[tokio::test]
async fn a_worker_that_was_lost_while_the_clock_was_ahead_is_not_active() {
    const DAY_MS: u64 = 86_400_000;
    let core = Core::start();
    core.store.note_worker("living").await.expect("an answer");
    let ahead = core.store.now().await.expect("a time").0 + DAY_MS;
    let ahead = ahead.to_string();
    core.redis
        .command(&["ZADD", "tasks:workers", &ahead, "lost"]);
    let health = core.store.queue_health().await.expect("an answer");
    assert_eq!((health.active_workers, health.lost_workers), (1, 1));
    core.store.note_worker("living").await.expect("an answer");
    let health = core.store.queue_health().await.expect("an answer");
    assert_eq!((health.active_workers, health.lost_workers), (1, 0));
}

#[tokio::test]
async fn the_health_of_the_queue_takes_one_round_trip() {
    let core = Core::on(Redis::Node(RedisServer::with(&[])), &[]);
    let server = core.redis.one_node();
    let mut fewest = u64::MAX;
    // The first one connects, and reads the clock.
    for _ in 0..5 {
        let before = server.trips();
        core.store.queue_health().await.expect("an answer");
        fewest = fewest.min(server.trips() - before - 1);
    }
    assert!(fewest <= 1, "{fewest}");
}

/// Returns a task; a different number returns a different task.
fn rebuild(number: u64) -> Task {
    Task::Rebuild(Timeline::Home(UserId::new(number).expect("in range")))
}

#[tokio::test]
async fn idle_consumers_without_tasks_are_removed_from_every_partition() {
    let core = Core::start();
    let mut bench = Bench::on(core.redis.one_node());
    // The third partition has no stream.
    bench.given(
        "XGROUP CREATE tasks:{0} workers 0 MKSTREAM
         XGROUP CREATE tasks:{1} workers 0 MKSTREAM
         XGROUP CREATECONSUMER tasks:{0} workers killed
         XGROUP CREATECONSUMER tasks:{1} workers killed
         XADD tasks:{0} * task 'rebuild 1' attempts 0
         XREADGROUP GROUP workers busy COUNT 1 STREAMS tasks:{0} >",
    );
    let hour = Duration::from_secs(3600);
    let retired = core.store.retire_idle_consumers(hour).await;
    retired.expect("an answer");
    let left = bench.run("XINFO CONSUMERS tasks:{1} workers");
    assert!(left.contains("killed"), "it read a moment ago");
    let retired = core.store.retire_idle_consumers(Duration::ZERO).await;
    retired.expect("an answer");
    let left = bench.run("XINFO CONSUMERS tasks:{1} workers");
    assert!(!left.contains("killed"), "{left}");
    let left = bench.run("XINFO CONSUMERS tasks:{0} workers");
    assert!(left.contains("busy") && !left.contains("killed"), "{left}");
}
