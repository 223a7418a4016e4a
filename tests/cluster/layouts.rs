//! The cost of a lost primary in each layout of docs/cluster.md.

use std::time::{Duration, Instant};

use reqwest::StatusCode;
use tokio::task::block_in_place;

use super::people::{Resident, on_and_off};
use crate::support::{
    Person, Site,
    cluster::{Cluster, Nature, PRIMARIES},
    pool::Redis,
    waiting::{eventually, eventually_blocking},
};

const SETTINGS: [[&str; 2]; 4] = [
    ["--redis-response-ms", "1000"],
    ["--write-deadline-ms", "2000"],
    ["--outbox-delay-ms", "4000"],
    ["--task-claim-ms", "6000"],
];
/// A primary without a spare replica, which node 0 would have.
const LOST: usize = 1;

/// Starts a site, kills a primary and waits for the promotion of a replica. Returns a person with keys
/// on that primary, a person without, and the moment of the kill.
async fn lose_a_primary(replicas: usize) -> (Site, [Resident; 2], Instant) {
    let cluster = Cluster::start(Nature {
        replicas,
        node_timeout: Duration::from_secs(2),
        appendfsync: "no",
    });
    let mut site = Site::on(Redis::own(cluster), SETTINGS.as_flattened()).await;
    let residents = on_and_off(&mut site, LOST).await;
    let killed = Instant::now();
    block_in_place(|| {
        let cluster = site.redis.cluster();
        cluster.kill_node(LOST);
        eventually_blocking("a replica takes over", || {
            cluster.primaries().iter().any(|node| *node >= PRIMARIES)
        });
    });
    (site, residents, killed)
}

impl Resident {
    async fn bookmark(&self) -> StatusCode {
        self.person.submit(&self.bookmark).await.status
    }

    async fn writes_again(&self, killed: Instant, layout: &str) {
        eventually("the bookmark is set", async || {
            self.bookmark().await == StatusCode::SEE_OTHER
        })
        .await;
        println!(
            "{layout}: writes again {:?} after the kill",
            killed.elapsed()
        );
    }
}

async fn is_ready(site: &Site) -> bool {
    Person::visitor(site).get("/readyz").await.status == StatusCode::OK
}

#[tokio::test(flavor = "multi_thread")]
async fn with_one_replica_each_writes_wait_until_the_lost_primary_is_back() {
    let (mut site, [unlucky, lucky], killed) = lose_a_primary(PRIMARIES).await;
    eventually("the promoted replica is read", async || {
        unlucky.person.get("/").await.status == StatusCode::OK
    })
    .await;
    assert_eq!(unlucky.bookmark().await, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(lucky.bookmark().await, StatusCode::SEE_OTHER);
    assert!(!is_ready(&site).await);
    block_in_place(|| {
        let cluster = site.redis.cluster();
        cluster.start_node(LOST);
        cluster.wait_until_whole();
    });
    unlucky.writes_again(killed, "one replica each").await;
    eventually("the site is ready", async || is_ready(&site).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_spare_replica_writes_continue_without_the_lost_primary() {
    let (site, [unlucky, lucky], killed) = lose_a_primary(PRIMARIES + 1).await;
    assert_eq!(lucky.bookmark().await, StatusCode::SEE_OTHER);
    unlucky
        .writes_again(killed, "one replica each and a spare")
        .await;
    eventually("the site is ready", async || is_ready(&site).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_two_replicas_each_writes_continue_without_the_lost_primary() {
    let (site, [unlucky, lucky], killed) = lose_a_primary(2 * PRIMARIES).await;
    assert_eq!(lucky.bookmark().await, StatusCode::SEE_OTHER);
    unlucky.writes_again(killed, "two replicas each").await;
    eventually("the site is ready", async || is_ready(&site).await).await;
}
