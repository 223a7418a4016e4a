//! A primary is killed under load, its replica takes over, and it returns as a replica.

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
/// Allowed wait beyond the election itself: for the new primary's first replica, and until a write
/// is certain.
const BESIDE: Duration = Duration::from_secs(3);

#[tokio::test(flavor = "multi_thread")]
async fn a_primary_killed_under_load_loses_no_accepted_post() {
    let cluster = Cluster::start(Nature {
        node_timeout: NODE_TIMEOUT,
        appendfsync: "everysec",
    });
    let settings = [
        ["--redis-response-ms", "250"],
        ["--write-deadline-ms", "500"],
        ["--outbox-delay-ms", "2000"],
        ["--task-claim-ms", "3000"],
    ];
    let mut site = Site::on(Redis::own(cluster), settings.as_flattened()).await;
    let (stop, stopped) = watch::channel(false);
    let worker = tokio::spawn(redwing::worker::run(site.store.fork(), stopped));
    let load = Load::start(&site, 6).await;
    load.go_on(60).await;

    let killed = Instant::now();
    let promoted = block_in_place(|| {
        let cluster = site.redis.cluster();
        cluster.kill_node(0);
        eventually_blocking("the replica takes over", || {
            cluster.primaries().contains(&PRIMARIES)
        });
        let promoted = killed.elapsed();
        cluster.start_node(0);
        cluster.wait_until_whole();
        promoted
    });
    load.go_on(60).await;
    let histories = load.stop().await;

    stop.send_replace(true);
    worker.await.expect("the worker outlives a failover");
    site.drain().await;
    let scrubbed = audit::perform(&site.store, Scope::Everything, Repair::Yes).await;
    scrubbed.expect("the cluster can be walked");
    site.assert_sound().await;
    assert_all_there(&histories).await;
    let waits = histories.iter().map(|history| history.longest_wait());
    let outage = waits.max().unwrap_or_default();
    let refusals: usize = histories.iter().map(|history| history.refusals).sum();
    let accepted: usize = histories.iter().map(|history| history.accepted.len()).sum();
    println!(
        "promoted after {promoted:?}, longest outage {outage:?}; {accepted} posts accepted and \
         found, {refusals} answers to try again"
    );
    assert!(outage < promoted + BESIDE, "{outage:?}");
}
