//! The nodes of a cluster: their addresses, the slots of the primaries as CLUSTER SLOTS describes them, and
//! a link to each node.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use redis::{Client, ConnectionAddr, ConnectionInfo, ErrorKind, RedisResult, Value};

use super::{
    link::{Link, WhenLate},
    reply::read,
};
use crate::{config::Timeouts, store::Result};

/// The address of a node of a cluster, as in a redirection: `host:port`.
pub(in crate::store) type Address = Arc<str>;

/// A primary: its address, and its slots as first and last of each range. Without an address it is the
/// single node.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    pub(super) address: Option<Address>,
    slots: Vec<(u16, u16)>,
}

impl Node {
    /// Returns the name of the primary, independent of its slots.
    pub fn name(&self) -> String {
        self.address.as_deref().unwrap_or_default().to_owned()
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

    /// Returns the first and the last slot of each of its ranges. A single node has none.
    pub(super) fn slots(&self) -> &[(u16, u16)] {
        &self.slots
    }

    /// Returns whether it serves the same slots as another one.
    pub(super) fn serves_what(&self, other: &Self) -> bool {
        self.slots == other.slots
    }
}

/// Parses a reply to CLUSTER SLOTS: each range with its nodes, the primary first. Returns the primaries,
/// sorted.
pub(super) fn primaries(answer: Value, answering: &Address) -> Result<Vec<Node>> {
    let mut nodes: Vec<Node> = Vec::new();
    for range in read::<Vec<Vec<Value>>>(answer)? {
        let mut parts = range.into_iter();
        let mut next = || parts.next().unwrap_or_default();
        let slots: (u16, u16) = (read(next())?, read(next())?);
        let mut parts = read::<Vec<Value>>(next())?.into_iter();
        let mut next = || parts.next().unwrap_or_default();
        let host: Option<String> = read(next())?;
        let port: u16 = read(next())?;
        let address = resolve(&host.unwrap_or_default(), port, answering);
        let known = |node: &&mut Node| node.address.as_ref() == Some(&address);
        match nodes.iter_mut().find(known) {
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

/// Returns the address in a reply of a node. A node that does not know its host is at the host of the node that
/// answered.
fn resolve(host: &str, port: u16, answering: &Address) -> Address {
    let host = match host {
        "" | "?" => answering.rsplit_once(':').map_or("", |(host, _)| host),
        host => host,
    };
    format!("{host}:{port}").into()
}

/// Parses the address in a redirection.
pub(super) fn redirected(to: &str, answering: &Address) -> Option<Address> {
    let (host, port) = to.rsplit_once(':')?;
    Some(resolve(host, port.parse().ok()?, answering))
}

/// The links to the nodes, with the same options.
pub(super) struct Links {
    options: ConnectionInfo,
    timeouts: Timeouts,
    /// Size of the caches of all connections in bytes. 0: no caches.
    cache_bytes: usize,
    known: Mutex<HashMap<Address, Arc<Link>>>,
}

impl Links {
    pub fn new(options: ConnectionInfo, timeouts: Timeouts, cache_bytes: usize) -> Self {
        Self {
            options,
            timeouts,
            cache_bytes,
            known: Mutex::default(),
        }
    }

    /// Returns separate links to the same nodes, with replies that may take `wait` longer and caches of
    /// `cache_bytes` in total.
    pub fn another(&self, wait: Duration, cache_bytes: usize) -> Self {
        let mut timeouts = self.timeouts.clone();
        timeouts.redis_response += wait;
        Self::new(self.options.clone(), timeouts, cache_bytes)
    }

    pub fn cache_bytes(&self) -> usize {
        self.cache_bytes
    }

    /// Returns whether an open connection has a cache.
    pub fn have_caches(&self) -> bool {
        self.cache_bytes > 0 && self.known().values().any(|link| link.cache().is_some())
    }

    /// Returns the time that a reply may take.
    pub fn patience(&self) -> Duration {
        self.timeouts.redis_response
    }

    /// Returns the link to a node if it exists.
    pub fn known_link(&self, address: &Address) -> Option<Arc<Link>> {
        self.known().get(address).cloned()
    }

    /// Returns the link to one of `nodes` nodes. A new link gets an equal share of `cache_bytes`.
    pub fn to(&self, address: &Address, nodes: usize) -> RedisResult<Arc<Link>> {
        if let Some(link) = self.known_link(address) {
            return Ok(link);
        }
        let client = Client::open(self.info(address)?)?;
        let cache_bytes = self.cache_bytes / nodes.max(1);
        let link = Link::new(client, self.timeouts.clone(), WhenLate::Check);
        let link = Arc::new(link.another_with_cache(cache_bytes));
        let mut known = self.known();
        Ok(Arc::clone(known.entry(Arc::clone(address)).or_insert(link)))
    }

    /// Drops the links to other nodes.
    pub fn retain(&self, is_node: impl Fn(&Address) -> bool) {
        self.known().retain(|address, _| is_node(address));
    }

    fn info(&self, address: &Address) -> RedisResult<ConnectionInfo> {
        let parts = address.rsplit_once(':');
        let Some((host, Ok(port))) = parts.map(|(host, port)| (host.to_owned(), port.parse()))
        else {
            return Err((ErrorKind::Client, "not an address of a node").into());
        };
        let address = match self.options.addr().clone() {
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
        Ok(self.options.clone().set_addr(address))
    }

    fn known(&self) -> MutexGuard<'_, HashMap<Address, Arc<Link>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::nodes::*;

    fn text(text: &str) -> Value {
        Value::BulkString(text.into())
    }

    fn range(first: i64, last: i64, host: Value, port: i64) -> Value {
        let primary = Value::Array(vec![
            host,
            Value::Int(port),
            text("id"),
            Value::Array(vec![]),
        ]);
        Value::Array(vec![Value::Int(first), Value::Int(last), primary])
    }

    #[test]
    fn a_node_that_does_not_know_its_host_is_at_the_host_that_answered() {
        let answering: Address = "10.0.0.9:7001".into();
        let ranges = vec![
            range(0, 99, text("10.0.0.8"), 7002),
            range(100, 199, text(""), 7001),
            range(200, 299, Value::Nil, 7001),
            range(300, 16_383, text("10.0.0.8"), 7002),
        ];
        let nodes = primaries(Value::Array(ranges), &answering).expect("a reply of Redis");
        let names: Vec<String> = nodes.iter().map(Node::name).collect();
        assert_eq!(names, ["10.0.0.8:7002", "10.0.0.9:7001"]);
        assert!(nodes[0].serves(0) && nodes[0].serves(16_383) && !nodes[0].serves(100));
        assert!(nodes[1].serves(100) && nodes[1].serves(299) && !nodes[1].serves(300));
    }

    #[test]
    fn a_redirection_can_omit_the_host() {
        let answering: Address = "10.0.0.9:7001".into();
        let to = |text| redirected(text, &answering).map(|to| to.to_string());
        assert_eq!(to("10.0.0.8:7002").as_deref(), Some("10.0.0.8:7002"));
        assert_eq!(to(":7002").as_deref(), Some("10.0.0.9:7002"));
        assert_eq!(to("?:7002").as_deref(), Some("10.0.0.9:7002"));
        assert_eq!(to("::1:7002").as_deref(), Some("::1:7002"));
        assert_eq!(to("no port"), None);
    }
}
