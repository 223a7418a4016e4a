//! What is particular to a Redis Cluster: its client, single commands to many slots at once, and
//! its primaries.

use futures_util::{StreamExt, stream};
use redis::{
    Cmd, ConnectionAddr, ConnectionInfo, IntoConnectionInfo, RedisResult, Value,
    cluster::ClusterClient,
    cluster_async::ClusterConnection,
    cluster_routing::{RoutingInfo, SingleNodeRoutingInfo},
    io::tcp::TcpSettings,
};

use super::reply::read;
use crate::{
    config::Timeouts,
    store::{Error, Result},
};

/// Number of commands in flight with independent keys.
const AT_A_TIME: usize = 64;
/// Number of retries of a command, and their delays in ms, while slots move or a replica takes over. The
/// response time-out ends them earlier.
const RETRIES: u32 = 32;
const RETRY_FROM_MS: u64 = 10;
const RETRY_UP_TO_MS: u64 = 160;

/// Whether commands must keep their order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Kept,
    Any,
}

/// A primary: its address, and its slots as first and last of each range. Without an address it is the
/// single node.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::store) struct Node {
    address: Option<(String, u16)>,
    slots: Vec<(u16, u16)>,
}

impl Node {
    /// Returns the name of the primary, independent of its slots.
    pub(in crate::store) fn name(&self) -> String {
        self.address
            .as_ref()
            .map_or_else(String::new, |(host, port)| format!("{host}:{port}"))
    }

    pub(super) fn alone() -> Self {
        Self {
            address: None,
            slots: Vec::new(),
        }
    }

    /// Returns whether it serves the slot. A single node serves all.
    pub(super) fn serves(&self, slot: u16) -> bool {
        let within = |(first, last): &(u16, u16)| (*first..=*last).contains(&slot);
        self.address.is_none() || self.slots.iter().any(within)
    }

    /// Returns whether it serves the same slots as another one.
    pub(super) fn serves_what(&self, other: &Self) -> bool {
        self.slots == other.slots
    }
}

/// Returns the slot of a hash tag: its CRC16 (XMODEM), as in Redis.
pub(super) fn slot_of(tag: &str) -> u16 {
    const SLOTS: u16 = 16_384;
    let crc = tag.bytes().fold(0_u16, |crc, byte| {
        let crc = crc ^ (u16::from(byte) << 8);
        (0..8).fold(crc, |crc, _| match crc & 0x8000 {
            0 => crc << 1,
            _ => (crc << 1) ^ 0x1021,
        })
    });
    crc % SLOTS
}

/// Creates a client that finds the cluster through any of these nodes.
pub(super) fn client(nodes: &[String], timeouts: &Timeouts) -> RedisResult<ClusterClient> {
    ClusterClient::builder(nodes.iter().map(String::as_str))
        .connection_timeout(timeouts.redis_connect)
        .response_timeout(timeouts.redis_response)
        .overall_response_timeout(Some(timeouts.redis_response))
        .retries(RETRIES)
        .min_retry_wait(RETRY_FROM_MS)
        .max_retry_wait(RETRY_UP_TO_MS)
        .tcp_settings(TcpSettings::default().set_nodelay(true))
        .build()
}

/// Returns the address of one node, with the connection options of the others.
pub(in crate::store) fn one_of(nodes: &[String], node: &Node) -> RedisResult<ConnectionInfo> {
    let first = nodes.first().map_or("", String::as_str);
    let info = first.into_connection_info()?;
    let Some((host, port)) = node.address.clone() else {
        return Ok(info);
    };
    let address = match info.addr().clone() {
        ConnectionAddr::TcpTls {
            insecure,
            tls_params,
            ..
        } => ConnectionAddr::TcpTls {
            host,
            port,
            insecure,
            tls_params,
        },
        _ => ConnectionAddr::Tcp(host, port),
    };
    let settings = TcpSettings::default().set_nodelay(true);
    Ok(info.set_addr(address).set_tcp_settings(settings))
}

/// Sends each command alone, multiplexed, because a cluster accepts no pipeline over several slots.
pub(super) async fn send(
    cluster: &ClusterConnection,
    commands: &[Cmd],
    order: Order,
) -> Vec<RedisResult<Value>> {
    let at_once = if order == Order::Kept { 1 } else { AT_A_TIME };
    stream::iter(commands.to_vec())
        .map(|command: Cmd| {
            let mut cluster = cluster.clone();
            async move { command.query_async(&mut cluster).await }
        })
        .buffered(at_once)
        .collect()
        .await
}

/// Sends a command that any node can answer.
pub(in crate::store) async fn probe(mut cluster: ClusterConnection) -> RedisResult<Value> {
    let command = redis::cmd("CLUSTER").arg("INFO").take();
    command.query_async(&mut cluster).await
}

/// Returns CLUSTER SLOTS: each range with its nodes, the primary first.
pub(in crate::store) async fn slots(
    mut cluster: ClusterConnection,
) -> RedisResult<Vec<Vec<Value>>> {
    let command = redis::cmd("CLUSTER").arg("SLOTS").take();
    command.query_async(&mut cluster).await
}

/// Returns the primaries in CLUSTER SLOTS, sorted.
pub(in crate::store) fn primaries(ranges: Vec<Vec<Value>>) -> Result<Vec<Node>> {
    let mut nodes: Vec<Node> = Vec::new();
    for range in ranges {
        let mut parts = range.into_iter();
        let mut next = || parts.next().unwrap_or_default();
        let slots: (u16, u16) = (read(next())?, read(next())?);
        let address = address(next())?;
        match nodes
            .iter_mut()
            .find(|node| node.address.as_ref() == Some(&address))
        {
            Some(node) => node.slots.push(slots),
            None => nodes.push(Node {
                address: Some(address),
                slots: vec![slots],
            }),
        }
    }
    nodes.sort_unstable();
    Ok(nodes)
}

/// Parses host and port of a node in CLUSTER SLOTS.
fn address(node: Value) -> Result<(String, u16)> {
    let mut parts = read::<Vec<Value>>(node)?.into_iter();
    let mut next = || parts.next().unwrap_or_default();
    let host: Option<String> = read(next())?;
    let port = read(next())?;
    match host.filter(|host| !host.is_empty()) {
        Some(host) => Ok((host, port)),
        None => Err(Error::Unexpected {
            what: "CLUSTER SLOTS",
            answer: "a node that does not know its own address".into(),
        }),
    }
}

pub(in crate::store) async fn query_on(
    mut cluster: ClusterConnection,
    node: &Node,
    command: Cmd,
) -> RedisResult<Value> {
    let route = match node.address.clone() {
        Some((host, port)) => SingleNodeRoutingInfo::ByAddress { host, port },
        None => SingleNodeRoutingInfo::RandomPrimary,
    };
    let answer = cluster.route_command(command, RoutingInfo::SingleNode(route));
    answer.await.and_then(Value::extract_error)
}

#[cfg(test)]
mod tests {
    use super::super::cluster::*;

    #[test]
    fn slots_match_those_of_redis() {
        assert_eq!(slot_of("123456789"), 0x31c3);
        assert_eq!(slot_of("foo"), 12_182);
    }
}
