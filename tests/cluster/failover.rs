//! A primary is killed under load and a replica takes over. With one replica each, the killed node must
//! return as a replica before posts are accepted again; with two it may stay away.

use std::time::{Duration, Instant};

use redwing::audit::{self, Repair, Scope};
use tokio::{sync::watch, task::block_in_place};

use super::load::{Load, assert_all_there};
use crate::support::{
    Site,
    cluster::{Cluster, Nature, PRIMARIES},
    pool::Redis,
    waiting::eventually_blocking,
};

const NODE_TIMEOUT: Duration = Duration::from_secs(2);
/// Long enough for a busy machine: the replies before and after the failover must not be late.
const SETTINGS: [[&str; 2]; 4] = [
    ["--redis-response-ms", "1000"],
    ["--write-deadline-ms", "1500"],
    ["--outbox-delay-ms", "3000"],
    ["--task-claim-ms", "4000"],
];
/// Allowed wait after Redis accepts durable writes again, beside as long as that took: for the answers to two
/// requests that met the failover, each as long as its deadline.
const BESIDE: Duration = Duration::from_millis(4_000);

/// The killed primary.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Killed {
    Returns,
    StaysAway,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_primary_killed_under_load_loses_no_accepted_post() {
    kill_a_primary_under_load(PRIMARIES, Killed::Returns).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_two_replicas_each_posts_continue_while_the_killed_primary_stays_away() {
    kill_a_primary_under_load(2 * PRIMARIES, Killed::StaysAway).await;
}

async fn kill_a_primary_under_load(replicas: usize, primary: Killed) {
    let cluster = Cluster::start(Nature {
        replicas,
        node_timeout: NODE_TIMEOUT,
        appendfsync: "everysec",
    });
    let mut site = Site::on(Redis::own(cluster), SETTINGS.as_flattened()).await;
    let (stop, stopped) = watch::channel(false);
    let worker = tokio::spawn(redwing::worker::run(site.store.fork(), stopped));
    let load = Load::start(&site, 6).await;
    load.go_on(60).await;

    let killed = Instant::now();
    let [promoted, durable] = block_in_place(|| {
        let cluster = site.redis.cluster();
        cluster.kill_node(0);
        eventually_blocking("a replica takes over", || {
            cluster.primaries().iter().any(|node| *node >= PRIMARIES)
        });
        let promoted = killed.elapsed();
        if primary == Killed::Returns {
            cluster.start_node(0);
        }
        eventually_blocking("each primary has a replica", || {
            cluster
                .primaries()
                .iter()
                .all(|node| cluster.has_replica(*node))
        });
        [promoted, killed.elapsed()]
    });
    load.go_on(60).await;
    let histories = load.stop().await;

    stop.send_replace(true);
    worker.await.expect("the worker outlives a failover");
    // Its last task may have failed.
    site.drain_after_lost_worker().await;
    let scrubbed = audit::perform(&site.store, Scope::Everything, Repair::Yes).await;
    scrubbed.expect("the cluster can be walked");
    site.assert_sound().await;
    assert_all_there(&histories).await;
    let waits = histories.iter().map(|history| history.longest_wait());
    let outage = waits.max().unwrap_or_default();
    let refusals: usize = histories.iter().map(|history| history.refusals).sum();
    let accepted: usize = histories.iter().map(|history| history.accepted.len()).sum();
    println!(
        "{replicas} replicas: promoted after {promoted:?}, with a replica after {durable:?}, longest outage \
         {outage:?}; {accepted} posts accepted and found, {refusals} answers to try again"
    );
    assert!(outage < 2 * durable + BESIDE, "{outage:?}, {durable:?}");
}
