//! Walks over the keys of a changing Redis: restarts, failovers, and slots that move between primaries.

use std::hash::{DefaultHasher, Hash, Hasher};

use futures_util::future::try_join_all;
use redis::InfoDict;

use super::{
    nodes::Node,
    scan::{ScanPosition, run_id_of, server_info},
    scripts::With,
};
use crate::{
    domain::SweepPosition,
    store::{Error, Result, Store, Walk},
};

/// A primary with the run id of its process.
type Server = (String, Node);

impl Store {
    /// Returns a walk over all keys that continues at a stored position, and the digest of the servers for the next
    /// position. It begins again if the servers are not those of the position: another process orders its keys in
    /// another way, and a slot that moved can be on a primary that the walk has left. `Unavailable` while slots move,
    /// because SCAN may then miss their keys.
    pub async fn walk_from(&self, from: SweepPosition) -> Result<(Walk, u64)> {
        let mut walk = self.begin_walk().await?;
        if !walk.was_settled {
            return Err(Error::Unavailable("slots move between nodes".to_owned()));
        }
        let run_ids = self.run_ids(&walk.nodes).await?;
        let mut servers: Vec<Server> = run_ids.into_iter().zip(walk.nodes).collect();
        // Two nodes can describe the address of a third one in different ways, so the order does not depend on it.
        servers.sort_unstable_by(|one, other| identity(one).cmp(&identity(other)));
        let digest = digest_of(&servers);
        if from.servers == digest {
            let run_id = servers.get(from.node).map(|(run_id, _)| run_id.clone());
            walk.at = from.node;
            walk.scan = ScanPosition::of(from.cursor, run_id.unwrap_or_default());
        }
        walk.nodes = servers.into_iter().map(|(_, node)| node).collect();
        Ok((walk, digest))
    }

    /// Returns the run id of the process of each node.
    async fn run_ids(&self, nodes: &[Node]) -> Result<Vec<String>> {
        let info = |node| self.connection.query_on(node, server_info());
        let infos: Vec<InfoDict> = try_join_all(nodes.iter().map(info)).await?;
        Ok(infos.iter().map(run_id_of).collect())
    }

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
            None => walk.scan = ScanPosition::default(),
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

/// Returns what makes a server another one: its process and its slots.
fn identity((run_id, node): &Server) -> (&str, &[(u16, u16)]) {
    (run_id, node.slots())
}

fn digest_of(servers: &[Server]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for server in servers {
        identity(server).hash(&mut hasher);
    }
    hasher.finish()
}
