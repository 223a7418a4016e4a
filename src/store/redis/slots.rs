//! What a walk over all keys makes of a cluster that changes meanwhile: primaries that take over from
//! others, and slots on their way between them.

use super::{cluster::Node, scripts::With};
use crate::store::{Result, Store, Walk};

impl Store {
    /// Goes on with a walk that a failure held up. Primaries that serve what was walked over are
    /// done; only one that took another's place is walked over from its first key.
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

    /// Whether the walk could see the whole database: no slot went from one primary to another
    /// meanwhile, nor was any on its way. The keys of such a slot go one by one, and SCAN may miss
    /// them at both.
    pub async fn saw_all(&self, walk: &Walk) -> Result<bool> {
        let nodes = self.connection.primaries().await?;
        Ok(walk.was_settled && nodes == walk.nodes && self.slots_are_settled(&nodes).await?)
    }

    /// Whether no slot is on its way from one primary to another.
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
            // Each node tells of its own: [slot->-to] and [slot-<-from].
            if told.contains("->-") || told.contains("-<-") {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
