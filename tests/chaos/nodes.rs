//! The cluster under a site: its nodes are killed, frozen and started again on a thread of their
//! own, so that waiting for an election stops nobody. Two primaries are never down at once: there
//! would be no majority to elect another.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::task::spawn_blocking;

use crate::support::{
    cluster::{Cluster, Nature},
    waiting::until_the_moment,
};

/// After this a primary that does not answer is replaced.
const NODE_TIMEOUT: Duration = Duration::from_secs(2);
/// How many slots one blow moves at most.
const SLOTS_MOVED: usize = 6;

#[derive(Clone)]
pub struct Nodes(Arc<Mutex<Cluster>>);

impl Nodes {
    pub fn start() -> Self {
        let cluster = Cluster::start(Nature {
            node_timeout: NODE_TIMEOUT,
            appendfsync: "always",
        });
        Self(Arc::new(Mutex::new(cluster)))
    }

    pub fn url(&self) -> String {
        let cluster = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cluster.url()
    }

    /// Does something to the nodes while people go on.
    async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Cluster) -> T + Send + 'static,
    ) -> T {
        let cluster = Arc::clone(&self.0);
        let done = spawn_blocking(move || {
            let mut cluster = cluster.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut cluster)
        });
        done.await.expect("the nodes do as they are told")
    }

    /// Returns when every slot is served and every primary has a replica that follows it.
    pub async fn whole(&self) {
        self.aside(|cluster| cluster.wait_until_whole()).await;
    }

    /// One of the primaries, and the replica that would take over from it.
    pub async fn primary(&self, drawn: usize) -> (usize, usize) {
        self.aside(move |cluster| {
            let primaries = cluster.primaries();
            let primary = primaries[drawn % primaries.len()];
            (primary, cluster.replica_of(primary))
        })
        .await
    }

    /// SIGKILL.
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

    /// It stops answering for longer than the others wait, and then takes itself for a primary still.
    pub async fn freeze_beyond_failover(&self, primary: usize, replica: usize, then: Duration) {
        self.aside(move |cluster| {
            cluster.pause_node(primary);
            cluster.wait_until_promoted(replica);
        })
        .await;
        until_the_moment(then).await;
        self.aside(move |cluster| cluster.resume_node(primary))
            .await;
    }

    /// Moves some slots that hold keys from one primary to another, while they are used.
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
