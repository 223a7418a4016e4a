//! The cluster under a site. Nodes are killed, frozen and started again on a separate thread, so
//! that waiting for an election blocks no one. Two primaries are never down at once, as there would
//! be no majority for an election.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::task::spawn_blocking;

use crate::support::{
    cluster::{Cluster, Nature, PRIMARIES},
    waiting::pause_for,
};

/// Time after which an unresponsive primary is replaced.
const NODE_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum number of slots moved by one disruption.
const SLOTS_MOVED: usize = 6;

#[derive(Clone)]
pub struct Nodes(Arc<Mutex<Cluster>>);

impl Nodes {
    pub fn start() -> Self {
        let cluster = Cluster::start(Nature {
            replicas: PRIMARIES,
            node_timeout: NODE_TIMEOUT,
            appendfsync: "always",
        });
        Self(Arc::new(Mutex::new(cluster)))
    }

    pub fn url(&self) -> String {
        let cluster = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cluster.url()
    }

    /// Runs an operation on the nodes while people continue.
    async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Cluster) -> T + Send + 'static,
    ) -> T {
        let cluster = Arc::clone(&self.0);
        let done = spawn_blocking(move || {
            let mut cluster = cluster.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut cluster)
        });
        done.await.expect("the nodes accept the command")
    }

    /// Waits until every slot is served and every primary has a connected replica.
    pub async fn whole(&self) {
        self.aside(|cluster| cluster.wait_until_whole()).await;
    }

    /// Returns one of the primaries, and the replica that would take over.
    pub async fn primary(&self, drawn: usize) -> (usize, usize) {
        self.aside(move |cluster| {
            let primaries = cluster.primaries();
            let primary = primaries[drawn % primaries.len()];
            (primary, cluster.replica_of(primary))
        })
        .await
    }

    /// Sends SIGKILL.
    pub async fn kill(&self, node: usize) {
        self.aside(move |cluster| cluster.kill_node(node)).await;
    }

    pub async fn start_again(&self, node: usize) {
        self.aside(move |cluster| cluster.start_node(node)).await;
    }

    pub async fn wait_until_promoted(&self, replica: usize) {
        self.aside(move |cluster| cluster.wait_until_promoted(replica))
            .await;
    }

    /// Freezes a primary for longer than the failover takes. Afterwards it still believes that it
    /// is a primary.
    pub async fn freeze_beyond_failover(&self, primary: usize, replica: usize, then: Duration) {
        self.aside(move |cluster| {
            cluster.pause_node(primary);
            cluster.wait_until_promoted(replica);
        })
        .await;
        pause_for(then).await;
        self.aside(move |cluster| cluster.resume_node(primary))
            .await;
    }

    /// Moves some non-empty slots from one primary to another while they are used.
    pub async fn move_slots(&self, from: usize, drawn: usize) {
        self.aside(move |cluster| {
            let others: Vec<usize> = cluster
                .primaries()
                .into_iter()
                .filter(|node| *node != from)
                .collect();
            let to = others[drawn % others.len()];
            let slots: BTreeSet<u16> = cluster.slots_with_keys(from);
            let first = drawn % slots.len().max(1);
            for slot in slots.into_iter().skip(first).take(SLOTS_MOVED) {
                cluster.move_slot(slot, from, to);
            }
        })
        .await;
    }
}
