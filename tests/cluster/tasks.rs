//! The worker on a cluster: what it reads while it has no task, and its tasks while a primary is silent.

use redwing::{
    domain::{FanOutProgress, Lane, StatusId, Task},
    store::Key,
    worker,
};

use super::people::{calls, serving};
use crate::support::{
    cluster::{Cluster, Nature},
    core::Core,
    pool::Redis,
    running_worker::RunningWorker,
    waiting::{PATIENCE, eventually},
};

const SILENT: usize = 0;
const MOVING_FROM: usize = 0;
const MOVING_TO: usize = 1;
const SETTINGS: [[&str; 2]; 3] = [
    ["--redis-connect-ms", "1000"],
    ["--redis-response-ms", "3000"],
    ["--write-deadline-ms", "4000"],
];
/// Number of tasks of the other primaries. A pause or a wait for the silent primary before each would take too long.
const TASKS: usize = 100;

#[tokio::test]
async fn a_worker_without_tasks_reads_few_partitions() {
    let mut core = Core::on(Redis::own(Cluster::start(Nature::STEADY)), &[]);
    let partitions = u64::from(core.store.partitions());
    let worker = RunningWorker::start(&core.store);
    let cluster = core.redis.cluster();
    eventually("it has asked for the sizes ten times", async || {
        calls(cluster, "xlen") >= 10 * partitions
    })
    .await;
    worker.stop().await;
    let (sizes, reads) = (calls(cluster, "xlen"), calls(cluster, "xreadgroup"));
    assert!(10 * reads < sizes, "{reads} reads, {sizes} sizes");
}

/// Returns tasks of statuses that do not exist, with all their keys on other primaries than the silent one.
fn tasks_elsewhere(core: &mut Core) -> Vec<Task> {
    let lane = core.store.partitions_of(Lane::FanOut);
    let cluster = core.redis.cluster();
    let is_elsewhere = |id: &u64| {
        let place = u16::try_from(id % u64::from(lane.end - lane.start)).expect("a place");
        let partition = Key::Tasks(lane.start + place).name();
        let keys = [partition, format!("status:{{{id}}}")];
        keys.iter().all(|key| serving(cluster, key) != SILENT)
    };
    let ids = (1..).filter(is_elsewhere).take(TASKS);
    ids.map(withdraw).collect()
}

/// Returns the task of a fan-out of a status that does not exist.
fn withdraw(id: u64) -> Task {
    Task::Withdraw {
        status: StatusId::new(id).expect("an id"),
        from: FanOutProgress::START,
    }
}

/// Returns the partitions of fan-outs on other primaries than the silent one, each with its primary.
fn partitions_elsewhere(core: &mut Core) -> Vec<(usize, String)> {
    let lane = core.store.partitions_of(Lane::FanOut);
    let cluster = core.redis.cluster();
    let keys = lane.map(|partition| Key::Tasks(partition).name());
    keys.map(|key| (serving(cluster, &key), key))
        .filter(|(node, _)| *node != SILENT)
        .collect()
}

#[tokio::test]
async fn tasks_of_other_primaries_do_not_wait_for_a_silent_one() {
    let nature = Nature {
        // No replica takes over during the test.
        node_timeout: 2 * PATIENCE,
        ..Nature::STEADY
    };
    let cluster = Cluster::start(nature);
    let mut core = Core::on(Redis::own(cluster), SETTINGS.as_flattened());
    let tasks = tasks_elsewhere(&mut core);
    let added = core.store.enqueue_all(&tasks).await;
    added.expect("the store answers");
    let partitions = partitions_elsewhere(&mut core);
    let cluster = core.redis.cluster();
    cluster.pause_node(SILENT);
    let worker = RunningWorker::start(&core.store);
    eventually("the tasks are done", async || {
        partitions.iter().all(|(node, key)| {
            let length = cluster.ask(*node, &["XLEN", key]);
            length.is_ok_and(|length| length.starts_with(":0"))
        })
    })
    .await;
    cluster.resume_node(SILENT);
    worker.stop().await;
    core.drain().await;
}

#[tokio::test]
async fn partitions_are_read_while_their_slots_move() {
    let mut core = Core::on(Redis::own(Cluster::start(Nature::STEADY)), &[]);
    let lane = core.store.partitions_of(Lane::FanOut);
    let tasks: Vec<Task> = (1..=lane.len() as u64).map(withdraw).collect();
    let added = core.store.enqueue_all(&tasks).await;
    added.expect("the store answers");
    let cluster = core.redis.cluster();
    let keys = lane.clone().map(|partition| Key::Tasks(partition).name());
    let keys: Vec<String> = keys
        .filter(|key| serving(cluster, key) == MOVING_FROM)
        .collect();
    let [moved, moving, ..] = &keys[..] else {
        panic!("the primary has two partitions");
    };
    cluster.move_slot(cluster.slot_of(moved), MOVING_FROM, MOVING_TO);
    cluster.move_keys_of_slot(cluster.slot_of(moving), MOVING_FROM, MOVING_TO);
    for _ in 0..2 {
        let readable = core.store.readable_partitions().await;
        let readable = readable.expect("all answer");
        assert_eq!(
            readable.all,
            (0..core.store.partitions()).collect::<Vec<_>>()
        );
        assert_eq!(readable.with_tasks, lane.clone().collect::<Vec<_>>());
    }
    cluster.move_slot(cluster.slot_of(moving), MOVING_FROM, MOVING_TO);
    core.drain().await;
    let readable = core.store.readable_partitions().await;
    assert_eq!(readable.expect("all answer").with_tasks, [0; 0]);
}

#[tokio::test]
async fn busy_lanes_and_partitions_are_read_in_turn() {
    let core = Core::on(Redis::own(Cluster::start(Nature::STEADY)), &[]);
    let places = core.store.partitions_of(Lane::FanOut).len();
    let each_twice = 1..=2 * places as u64;
    let passes = each_twice.clone().map(withdraw);
    let others = each_twice.map(|id| Task::Index(StatusId::new(id).expect("an id")));
    let tasks: Vec<Task> = passes.chain(others).collect();
    let added = core.store.enqueue_all(&tasks).await;
    added.expect("the store answers");
    let done = worker::do_some(&core.store, 2 * places).await;
    assert_eq!(done.expect("the store answers"), 2 * places);
    let readable = core.store.readable_partitions().await;
    let with_tasks = readable.expect("all answer").with_tasks;
    let [ordinary, passes] =
        [Lane::Ordinary, Lane::FanOut].map(|lane| core.store.partitions_of(lane));
    assert_eq!(with_tasks, ordinary.chain(passes).collect::<Vec<_>>());
}
