//! The servers behind a connection: one node, or a cluster.

use std::{sync::Arc, time::Duration};

use redis::{
    AsyncConnectionConfig, Client, Cmd, ConnectionInfo, IntoConnectionInfo, RedisResult,
    aio::MultiplexedConnection, io::tcp::TcpSettings,
};

use super::{
    cluster::{Cluster, Order, topology::Topology},
    link::{Answers, Link, WhenLate},
    nodes::Node,
};
use crate::{config::Timeouts, store::Result};

#[derive(Clone)]
pub enum Servers {
    One(Arc<Link>),
    Cluster(Arc<Cluster>),
}

impl Servers {
    /// Parses `REDIS_URL`. Connections are opened at first use, on the runtime that uses them.
    pub fn at(url: &str, timeouts: &Timeouts) -> RedisResult<Self> {
        if !url.contains(',') && !url.contains("+cluster://") {
            let client = Client::open(node(url)?)?;
            let link = Link::new(client, timeouts.clone(), WhenLate::Replace);
            return Ok(Self::One(Arc::new(link)));
        }
        let nodes: RedisResult<Vec<ConnectionInfo>> = url.split(',').map(node).collect();
        let topology = Topology::new(&nodes?, timeouts)?;
        Ok(Self::Cluster(Arc::new(Cluster::new(topology))))
    }

    /// Returns separate connections with caches of `cache_bytes` in total, if Redis can keep them current.
    pub fn another_with_cache(&self, cache_bytes: usize) -> Self {
        match self {
            Self::One(link) => Self::One(Arc::new(link.another_with_cache(cache_bytes))),
            Self::Cluster(cluster) => {
                Self::Cluster(Arc::new(cluster.another_with_cache(cache_bytes)))
            }
        }
    }

    /// Returns separate connections to the same servers.
    pub fn another(&self) -> Self {
        match self {
            Self::One(link) => Self::One(Arc::new(link.another())),
            Self::Cluster(cluster) => Self::Cluster(Arc::new(cluster.another())),
        }
    }

    /// Returns separate connections without a cache, with replies that may take `wait` longer.
    pub fn another_for_blocking(&self, wait: Duration) -> Self {
        match self {
            Self::One(link) => Self::One(Arc::new(link.another_for_blocking(wait))),
            Self::Cluster(cluster) => Self::Cluster(Arc::new(cluster.another_for_blocking(wait))),
        }
    }

    pub fn is_cluster(&self) -> bool {
        matches!(self, Self::Cluster(_))
    }

    /// Returns whether an open connection has a cache.
    pub fn has_cache(&self) -> bool {
        match self {
            Self::One(link) => link.cache().is_some(),
            Self::Cluster(cluster) => cluster.has_caches(),
        }
    }

    /// Sends commands of any slots. Each gets its own reply.
    pub(super) async fn send(&self, commands: &[Cmd], order: Order) -> Answers {
        match self {
            Self::One(link) => link.send(commands).await,
            Self::Cluster(cluster) => cluster.send(commands, order).await,
        }
    }

    /// Sends commands in order over one connection, to the node with the key of the first.
    pub(super) async fn send_together(&self, commands: &[Cmd]) -> Answers {
        match self {
            Self::One(link) => link.send(commands).await,
            Self::Cluster(cluster) => cluster.send_together(commands).await,
        }
    }

    /// Returns the primaries; one without slots on a single node.
    pub async fn primaries(&self) -> Result<Vec<Node>> {
        match self {
            Self::One(_) => Ok(vec![Node::alone()]),
            Self::Cluster(cluster) => cluster.primaries().await,
        }
    }

    /// Sends commands in order over one connection to a node.
    pub(super) async fn send_to(&self, node: &Node, commands: &[Cmd]) -> Answers {
        match self {
            Self::One(link) => link.send(commands).await,
            Self::Cluster(cluster) => cluster.send_to_node(node, commands).await,
        }
    }

    /// Opens a separate connection to a node for messages from Redis.
    pub(super) async fn listen(
        &self,
        node: &Node,
        config: AsyncConnectionConfig,
    ) -> RedisResult<MultiplexedConnection> {
        match self {
            Self::One(link) => link.listen(config).await,
            Self::Cluster(cluster) => cluster.link_to(node)?.listen(config).await,
        }
    }
}

/// Parses the address of one node.
fn node(url: &str) -> RedisResult<ConnectionInfo> {
    let info = url
        .trim()
        .replace("+cluster://", "://")
        .into_connection_info()?;
    Ok(info.set_tcp_settings(TcpSettings::default().set_nodelay(true)))
}
