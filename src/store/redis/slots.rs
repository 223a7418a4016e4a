//! Walks over the keys of a changing cluster: failovers, and slots that move between primaries.

use super::{nodes::Node, scripts::With};
use crate::store::{Result, Store, Walk};

impl Store {
    /// Continues a walk after a failure. Primaries with finished slots are skipped. Only a primary that
    /// replaced another one is walked from its first key.
    pub async fn resume_walk(&self, walk: &mut Walk) -> Result<()> {
        let mut nodes = self.connection.primaries().await?;
        if nodes == walk.nodes {
            return Ok(());
        }
        let done = walk.nodes.get(..walk.at).unwrap_or_default();
        nodes.retain(|node| !done.iter().any(|done| done.serves_what(node)));
        let current = walk.nodes.get(walk.at);
        match nodes.iter().position(|node| Some(node) == current) {
            Some(at) => nodes.swap(0, at),
            None => walk.cursor = 0,
        }
        walk.nodes = nodes;
        walk.at = 0;
        Ok(())
    }

    /// Returns whether the walk saw the whole database: no slot moved meanwhile. The keys of a moving
    /// slot move one by one, and SCAN may miss them at both ends.
    pub async fn saw_all(&self, walk: &Walk) -> Result<bool> {
        let nodes = self.connection.primaries().await?;
        Ok(walk.was_settled && nodes == walk.nodes && self.slots_are_settled(&nodes).await?)
    }

    /// Returns whether no slot is moving.
    pub async fn is_settled(&self) -> Result<bool> {
        let nodes = self.connection.primaries().await?;
        self.slots_are_settled(&nodes).await
    }

    pub(in crate::store) async fn slots_are_settled(&self, nodes: &[Node]) -> Result<bool> {
        if !self.connection.is_cluster() {
            return Ok(true);
        }
        for node in nodes {
            let told = redis::cmd("CLUSTER").with("NODES");
            let told: String = self.connection.query_on(node, told).await?;
            // Each node reports its own slots: [slot->-to] and [slot-<-from].
            if told.contains("->-") || told.contains("-<-") {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
