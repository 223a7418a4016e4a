//! The caches that a read uses. A single node has one. A cluster has one for each primary.
//!
//! On a single node, any round trip brings the cache up to date. On a cluster, a round trip to one primary says nothing
//! about the others. So a read first looks rows up, then asks the primaries whose caches have answered, and last checks
//! that the entries are unchanged. Missing rows are read in the same round trip. So on a cluster, a function makes a round
//! trip even if all its rows are cached.
//!
//! A primary is asked by slot checks: `EXISTS` of a key that is never written, in the slot of each entry. While a slot
//! moves key by key, and after any move, the reply is a redirection. A primary that knows that it was replaced or cut off
//! replies with an error. One that does not know yet is ignored as soon as this process knows the new one. Invalidations
//! alone are not enough: a primary does not learn that another node has created a key that was absent, and it can keep
//! the keys of a slot for some time after its move.

use std::{collections::BTreeMap, sync::Arc};

use futures_util::future::join_all;

use super::{Cache, Stamp};
use crate::store::{
    prelude::*,
    redis::{
        cluster::{Cluster, slot_of},
        connection::Connection,
        failures::failure,
        nodes::Address,
        servers::Servers,
    },
};

/// Bytes of a slot check besides its slot and its text: room in the map and in the allocator.
const SLOT_BYTES: usize = 32;

pub(super) struct CacheView {
    nodes: Vec<NodeView>,
    /// `None` on a single node.
    cluster: Option<Arc<Cluster>>,
}

/// The cache of the connection to one node, as a read sees it.
#[derive(Default)]
struct NodeView {
    /// `None` on a single node, and for keys without a known primary.
    address: Option<Address>,
    /// `None` without a cache, or while the connection is not open.
    cache: Option<Arc<Cache>>,
    found: Vec<(Key, Stamp)>,
    /// On a cluster: the absent keys that check the slots of the entries, by slot.
    slot_checks: BTreeMap<u16, String>,
}

/// A read of the node with this index in a view.
pub(super) type NodeRead = (usize, Cmd);

/// The result of a read with a view.
pub(super) enum ViewRead {
    Complete(Vec<TrackedReply>),
    /// An entry has changed.
    Changed,
    /// A primary cannot confirm that the entries are unchanged, as while a slot moves.
    Refused,
}

/// A reply, and whether Redis reports changes of its keys.
pub(super) type TrackedReply = (Value, bool);

impl CacheView {
    /// Creates the view of a read that uses no cache.
    pub(super) fn without_cache() -> Self {
        Self::of_one(None)
    }

    /// Creates the view of a read that has found nothing yet.
    pub(super) fn of(connection: &Connection) -> Self {
        match connection.cached_servers() {
            None => Self::without_cache(),
            Some(Servers::One(link)) => Self::of_one(link.cache()),
            Some(Servers::Cluster(cluster)) => Self {
                nodes: Vec::new(),
                cluster: Some(Arc::clone(cluster)),
            },
        }
    }

    fn of_one(cache: Option<Arc<Cache>>) -> Self {
        let node = NodeView {
            cache,
            ..NodeView::default()
        };
        Self {
            nodes: vec![node],
            cluster: None,
        }
    }

    /// Creates the view of a read that has found these entries. `None` if one of them has no cache any more.
    pub(super) fn of_entries(
        connection: &Connection,
        entries: impl IntoIterator<Item = (Key, Stamp)>,
    ) -> Option<Self> {
        let mut view = Self::of(connection);
        for (key, stamp) in entries {
            let node = view.node_index_of(&key);
            view.nodes[node].cache.as_ref()?;
            view.note_entry(node, key, stamp);
        }
        for node in &mut view.nodes {
            node.found.shrink_to_fit();
        }
        Some(view)
    }

    /// Bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        let bytes = |node: &NodeView| {
            let names = node.slot_checks.values().map(String::len).sum::<usize>();
            let slots = node.slot_checks.len() * (size_of::<(u16, String)>() + SLOT_BYTES);
            size_of::<NodeView>() + size_of_val(&*node.found) + slots + names
        };
        self.nodes.iter().map(bytes).sum()
    }

    /// Returns the indices of these keys, grouped by the index of their node.
    pub(super) fn row_indices_by_node(
        &mut self,
        keys: impl ExactSizeIterator<Item = Key>,
    ) -> Vec<Vec<usize>> {
        if self.cluster.is_none() {
            return vec![(0..keys.len()).collect()];
        }
        let mut indices: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (index, key) in keys.enumerate() {
            let node = self.node_index_of(&key);
            indices.resize_with(self.nodes.len(), Vec::new);
            indices[node].push(index);
        }
        indices
    }

    /// Returns the index of the node that serves this key.
    pub(super) fn node_index_of(&mut self, key: &Key) -> usize {
        let Some(cluster) = &self.cluster else {
            return 0;
        };
        let address = cluster.primary_of(slot_of(key.name().as_bytes()));
        let known = self.nodes.iter().position(|node| node.address == address);
        known.unwrap_or_else(|| {
            let cache = address.as_ref().and_then(|node| cluster.cache_at(node));
            self.nodes.push(NodeView {
                address,
                cache,
                ..NodeView::default()
            });
            self.nodes.len() - 1
        })
    }

    /// Notes an entry that was found in the cache of the node with this index.
    pub(super) fn note_entry(&mut self, node: usize, key: Key, stamp: Stamp) {
        let node = &mut self.nodes[node];
        if self.cluster.is_some() {
            let name = key.name();
            let slot = slot_of(name.as_bytes());
            let absent_key = || keys::absent_beside(&name);
            node.slot_checks.entry(slot).or_insert_with(absent_key);
        }
        node.found.push((key, stamp));
    }

    /// Returns whether found entries must be noted for a check. A single node needs none: the caller made a round trip
    /// before.
    pub(super) fn notes_entries(&self) -> bool {
        self.cluster.is_some()
    }

    /// Returns the cache of the node with this index.
    pub(super) fn cache(&self, node: usize) -> Option<&Arc<Cache>> {
        self.nodes[node].cache.as_ref()
    }

    /// Returns the number of invalidations so far if all entries found are unchanged in the caches of the current
    /// connections. They stay valid while that number and the connections stay the same.
    pub(super) fn holds(&self, connection: &Connection) -> Option<u64> {
        if !self.is_current(connection) {
            return None;
        }
        let holds = |node: &NodeView| match &node.cache {
            Some(cache) => cache.holds(&node.found),
            None => Some(0),
        };
        self.nodes.iter().map(holds).sum()
    }

    /// Returns the number of invalidations so far.
    pub(super) fn invalidations(&self) -> u64 {
        let caches = self.nodes.iter().filter_map(|node| node.cache.as_ref());
        caches.map(|cache| cache.invalidations()).sum()
    }

    /// Returns whether its caches are those of the current connections, on a cluster to the known primaries.
    pub(super) fn is_current(&self, connection: &Connection) -> bool {
        self.nodes.iter().all(|node| {
            let Some(cache) = &node.cache else {
                return node.found.is_empty();
            };
            let current = match (connection.cached_servers(), &node.address) {
                (Some(Servers::One(link)), None) => link.cache(),
                (Some(Servers::Cluster(cluster)), Some(address)) => {
                    let all_served = cluster.serves_all(address, node.slot_checks.keys());
                    cluster.cache_at(address).filter(|_| all_served)
                }
                _ => None,
            };
            current.is_some_and(|current| Arc::ptr_eq(cache, &current))
        })
    }
}

impl Connection {
    /// Returns the cache for this key.
    pub(super) fn cache_of(&self, key: &Key) -> Option<Arc<Cache>> {
        match self.cached_servers()? {
            Servers::One(link) => link.cache(),
            Servers::Cluster(cluster) => {
                cluster.cache_at(&cluster.primary_of(slot_of(key.name().as_bytes()))?)
            }
        }
    }

    /// Brings the caches of a view up to date, by a round trip that starts after this call. Returns `false` if a primary
    /// cannot confirm that it reports all changes.
    pub(super) async fn catch_up_with(&self, view: &CacheView) -> Result<bool> {
        match &view.cluster {
            Some(cluster) => {
                let replies = read_nodes(cluster, view, Vec::new()).await?;
                Ok(replies.is_some())
            }
            None => self.catch_up().await.map(|()| true),
        }
    }

    /// Sends independent reads, each of one key or by a script, in one round trip with tracking. On a cluster it also
    /// checks that the found entries of the view are unchanged.
    pub(super) async fn read_with_view(
        &self,
        view: &CacheView,
        reads: Vec<NodeRead>,
    ) -> Result<ViewRead> {
        if let Some(cluster) = &view.cluster {
            return Ok(match read_nodes(cluster, view, reads).await? {
                None => ViewRead::Refused,
                Some(_) if view.holds(self).is_none() => ViewRead::Changed,
                Some(replies) => ViewRead::Complete(replies),
            });
        }
        let commands: Vec<Cmd> = reads.into_iter().map(|(_, read)| read).collect();
        if commands.is_empty() {
            return Ok(ViewRead::Complete(Vec::new()));
        }
        if view.nodes.iter().any(|node| node.cache.is_some()) {
            return self.tracked(commands).await.map(ViewRead::Complete);
        }
        let replies = self.batch(commands).await?.into_iter();
        let replies = replies.map(|reply| (reply, false));
        Ok(ViewRead::Complete(replies.collect()))
    }
}

/// Sends each primary its slot checks and these reads. Replies have the order of the reads. `None` if a connection has no
/// cache or fails, or if a reply is an error. A time-out is an error of the whole read.
async fn read_nodes(
    cluster: &Cluster,
    view: &CacheView,
    reads: Vec<NodeRead>,
) -> Result<Option<Vec<TrackedReply>>> {
    if view.nodes.iter().any(|node| node.cache.is_none()) {
        return Ok(None);
    }
    let mut replies = vec![(Value::Nil, false); reads.len()];
    let mut by_node: Vec<Vec<(usize, Cmd)>> = vec![Vec::new(); view.nodes.len()];
    for (at, (node, read)) in reads.into_iter().enumerate() {
        by_node[node].push((at, read));
    }
    let trips = view.nodes.iter().zip(by_node).map(|(node, reads)| async {
        let (indices, reads): (Vec<usize>, Vec<Cmd>) = reads.into_iter().unzip();
        (check_and_read(cluster, node, &reads).await, indices)
    });
    let mut is_complete = true;
    for (tracked, indices) in join_all(trips).await {
        // A late reply is an error, whatever the others are. Without a cache it would be late again.
        let tracked = tracked?;
        is_complete &= tracked.is_some();
        for (index, reply) in indices.into_iter().zip(tracked.unwrap_or_default()) {
            replies[index] = reply;
        }
    }
    Ok(Some(replies).filter(|_| is_complete))
}

async fn check_and_read(
    cluster: &Cluster,
    node: &NodeView,
    reads: &[Cmd],
) -> Result<Option<Vec<TrackedReply>>> {
    let slot_checks = node.slot_checks.values();
    let mut commands: Vec<Cmd> = slot_checks
        .map(|name| redis::cmd("EXISTS").with(name.as_str()))
        .collect();
    let check_count = commands.len();
    for read in reads {
        commands.push(redis::cmd("CLIENT").with(("CACHING", "YES")));
        commands.push(read.clone());
    }
    let Some(address) = node.address.as_ref().filter(|_| !commands.is_empty()) else {
        return Ok(Some(Vec::new()));
    };
    let replies = cluster.send_directly(address, &commands).await;
    let mut replies = match replies {
        Ok(replies) => replies.into_iter(),
        Err(error) if error.is_timeout() => {
            cluster.refresh_soon();
            return Err(failure(&error));
        }
        Err(_) => return Ok(None),
    };
    if replies
        .by_ref()
        .take(check_count)
        .any(|reply| reply.is_err())
    {
        return Ok(None);
    }
    let mut tracked = Vec::with_capacity(reads.len());
    while let (Some(watched), Some(reply)) = (replies.next(), replies.next()) {
        let Ok(reply) = reply else {
            return Ok(None);
        };
        tracked.push((reply, watched.is_ok()));
    }
    Ok(Some(tracked))
}
