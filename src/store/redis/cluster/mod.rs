//! The client of a Redis Cluster. Each node has its own connection, queue and time-outs, so a silent node
//! delays only the commands that it serves. Commands follow redirections, and are sent again while slots move
//! or a replica takes over.

mod slot;
pub(super) mod topology;

use std::{collections::HashMap, io, slice, sync::Arc, time::Duration};

use futures_util::{StreamExt, future::join_all, stream};
use redis::{Cmd, ErrorKind, RedisError, RedisResult, ServerErrorKind, Value};
use tokio::time::{Instant, sleep, timeout_at};

use super::{
    link::{Answers, Link},
    nodes::{Address, Links, Node, redirected},
};
use crate::store::{Result, cache::Cache};
pub(in crate::store) use slot::slot_of;
use slot::slot_of_command;
use topology::Topology;

/// Number of commands that are sent alone at the same time.
const AT_A_TIME: usize = 64;
/// Delays of retries after the first. The response time-out ends them.
const RETRY_FROM: Duration = Duration::from_millis(10);
const RETRY_UP_TO: Duration = Duration::from_millis(160);
/// Time for a new connection to a node whose last connection was silent.
const MOMENT: Duration = Duration::from_millis(100);

/// Whether commands must keep their order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Kept,
    Any,
}

pub struct Cluster {
    topology: Arc<Topology>,
    links: Links,
}

/// The places of the commands for each node, with their slots.
type PlacesByNode = HashMap<Address, Vec<(usize, u16)>>;

/// The next step after an error of a cluster.
#[derive(Debug, PartialEq, Eq)]
enum Reaction {
    /// This node serves the slot from now on.
    Moved(Address),
    /// The slot is moving to this node, which has the keys of this command.
    Ask(Address),
    /// The slot is moving, or another node will serve it.
    Retry,
    /// The node is silent. The caller has waited for long enough.
    GiveUp,
}

impl Cluster {
    /// Creates a client without caches.
    pub(super) fn new(topology: Topology) -> Self {
        Self::with_links(topology, Duration::ZERO, 0)
    }

    fn with_links(topology: Topology, wait: Duration, cache_bytes: usize) -> Self {
        Self {
            links: topology.links(wait, cache_bytes),
            topology: Arc::new(topology),
        }
    }

    /// Returns separate connections to the same cluster.
    pub fn another(&self) -> Self {
        self.another_with_cache(self.links.cache_bytes())
    }

    /// Returns separate connections to the same cluster, with caches of `cache_bytes` in total.
    pub fn another_with_cache(&self, cache_bytes: usize) -> Self {
        Self::with_links(self.topology.another(), Duration::ZERO, cache_bytes)
    }

    /// Returns separate connections to the same cluster, without caches, with replies that may take `wait` longer.
    pub fn another_for_blocking(&self, wait: Duration) -> Self {
        Self::with_links(self.topology.another(), wait, 0)
    }

    /// Returns whether an open connection has a cache.
    pub fn has_caches(&self) -> bool {
        self.links.have_caches()
    }

    /// Returns the last known primary of a slot.
    pub(in crate::store) fn primary_of(&self, slot: u16) -> Option<Address> {
        self.topology.primary_of(slot)
    }

    /// Returns whether a node is the last known primary of these slots.
    pub(in crate::store) fn serves_all<'a>(
        &self,
        node: &Address,
        slots: impl IntoIterator<Item = &'a u16>,
    ) -> bool {
        self.topology.serves_all(node, slots)
    }

    /// Returns the cache of the current connection to a node, if it has one.
    pub(in crate::store) fn cache_at(&self, node: &Address) -> Option<Arc<Cache>> {
        self.links.known_link(node)?.cache()
    }

    /// Sends commands in order over the connection to a node. Does not follow redirections.
    pub(in crate::store) async fn send_directly(
        &self,
        node: &Address,
        commands: &[Cmd],
    ) -> Answers {
        let end = Instant::now() + self.links.patience();
        self.send_to(node, commands, end).await
    }

    /// Returns the primaries, as a node describes them after this call.
    pub async fn primaries(&self) -> Result<Vec<Node>> {
        self.topology.primaries().await
    }

    /// Returns the link to a node.
    pub fn link_to(&self, node: &Node) -> RedisResult<Arc<Link>> {
        self.link_at(node.address.as_ref().ok_or_else(no_primary)?)
    }

    /// Sends commands in order over one connection to a node.
    pub(super) async fn send_to_node(&self, node: &Node, commands: &[Cmd]) -> Answers {
        let address = node.address.as_ref().ok_or_else(no_primary)?;
        self.send_directly(address, commands).await
    }

    /// Sends commands with keys of any slots. The first lost reply ends commands in order. Other commands have errors of
    /// their own, because one node can fail alone.
    pub(super) async fn send(&self, commands: &[Cmd], order: Order) -> Answers {
        match (commands, order) {
            ([_], _) => self.send_together(commands).await,
            (_, Order::Kept) => {
                let mut answers = Vec::with_capacity(commands.len());
                for command in commands {
                    answers.extend(self.send_together(slice::from_ref(command)).await?);
                }
                Ok(answers)
            }
            (_, Order::Any) => Ok(self.send_by_node(commands).await),
        }
    }

    /// Sends each primary the commands of its slots in one pipeline. A command that this node does not answer now, as
    /// while its slot moves, is sent again alone.
    async fn send_by_node(&self, commands: &[Cmd]) -> Vec<RedisResult<Value>> {
        let end = Instant::now() + self.links.patience();
        let (of_nodes, mut alone) = self.places_by_node(commands);
        let pipelines = of_nodes.into_iter().map(|(node, places)| async move {
            let pipeline: Vec<Cmd> = places.iter().map(|(at, _)| commands[*at].clone()).collect();
            let answers = self.send_to(&node, &pipeline, end).await;
            (node, places, answers)
        });
        let mut answers = vec![Ok(Value::Nil); commands.len()];
        for (node, places, sent) in join_all(pipelines).await {
            let sent = sent.unwrap_or_else(|error| vec![Err(error); places.len()]);
            for ((at, slot), answer) in places.into_iter().zip(sent) {
                let error = answer.as_ref().err();
                match error.and_then(|error| reaction_to(error, Some(&node))) {
                    None => answers[at] = answer,
                    Some(Reaction::GiveUp) => {
                        self.refresh_soon();
                        answers[at] = answer;
                    }
                    Some(Reaction::Moved(to)) => {
                        self.topology.slot_moved(slot, to);
                        self.refresh_soon();
                        alone.push(at);
                    }
                    Some(Reaction::Ask(_) | Reaction::Retry) => alone.push(at),
                }
            }
        }
        let mut sent_alone = stream::iter(alone)
            .map(|at| async move { (at, self.send_alone(&commands[at], end).await) })
            .buffer_unordered(AT_A_TIME);
        while let Some((at, answer)) = sent_alone.next().await {
            answers[at] = answer;
        }
        answers
    }

    async fn send_alone(&self, command: &Cmd, end: Instant) -> RedisResult<Value> {
        let answers = self.send_until(slice::from_ref(command), end).await?;
        answers.into_iter().next().unwrap_or(Ok(Value::Nil))
    }

    /// Returns the places and slots of the commands for each known primary, and the places of those without a key or
    /// without a known primary.
    fn places_by_node(&self, commands: &[Cmd]) -> (PlacesByNode, Vec<usize>) {
        let (mut of_nodes, mut others) = (PlacesByNode::new(), Vec::new());
        for (at, command) in commands.iter().enumerate() {
            let slot = slot_of_command(command);
            match slot.and_then(|slot| Some((self.topology.primary_of(slot)?, slot))) {
                Some((node, slot)) => of_nodes.entry(node).or_default().push((at, slot)),
                None => others.push(at),
            }
        }
        (of_nodes, others)
    }

    /// Sends commands in order over one connection to the primary with the key of the first. One without a key
    /// can go to any primary. All attempts together take no longer than a response may take.
    pub async fn send_together(&self, commands: &[Cmd]) -> Answers {
        let end = Instant::now() + self.links.patience();
        self.send_until(commands, end).await
    }

    async fn send_until(&self, commands: &[Cmd], end: Instant) -> Answers {
        let Some(first) = commands.first() else {
            return Ok(Vec::new());
        };
        let Some(slot) = slot_of_command(first) else {
            return Ok(vec![Ok(self.topology.ask_any(first).await?)]);
        };
        let mut pause = Duration::ZERO;
        let mut asked: Option<Address> = None;
        loop {
            let is_asked = asked.is_some();
            let node = asked.take().or_else(|| self.topology.primary_of(slot));
            let answers = match &node {
                Some(node) if is_asked => self.send_asking(node, commands, end).await,
                Some(node) => self.send_to(node, commands, end).await,
                None => Err(no_primary()),
            };
            let reaction =
                first_error(&answers).and_then(|error| reaction_to(error, node.as_ref()));
            match reaction {
                Some(Reaction::Ask(to)) => asked = Some(to),
                Some(Reaction::Moved(to)) => {
                    self.topology.slot_moved(slot, to);
                    self.refresh_soon();
                }
                Some(Reaction::Retry) => {
                    let refreshed = timeout_at(end, self.topology.refresh()).await;
                    if !matches!(refreshed, Ok(Ok(()))) {
                        return answers;
                    }
                }
                Some(Reaction::GiveUp) => {
                    self.refresh_soon();
                    return answers;
                }
                None => return answers,
            }
            if Instant::now() + pause >= end {
                return answers;
            }
            sleep(pause).await;
            pause = (pause * 2).clamp(RETRY_FROM, RETRY_UP_TO);
        }
    }

    /// Sends commands to the node to which their slot is moving.
    async fn send_asking(&self, node: &Address, commands: &[Cmd], end: Instant) -> Answers {
        let mut commands = commands.to_vec();
        commands.insert(0, redis::cmd("ASKING"));
        let mut answers = self.send_to(node, &commands, end).await?;
        answers.remove(0)?;
        Ok(answers)
    }

    /// Sends commands to a node. While it is silent, they fail at once, so that they do not pile up.
    async fn send_to(&self, node: &Address, commands: &[Cmd], end: Instant) -> Answers {
        let link = self.link_at(node)?;
        if link.is_silent(MOMENT).await {
            let silent = io::Error::new(io::ErrorKind::TimedOut, "the node is silent");
            return Err(silent.into());
        }
        link.send_until(end, commands).await
    }

    /// Returns the link to a node. Before it opens one, it drops the links to nodes that are no longer primaries, with
    /// their caches.
    fn link_at(&self, node: &Address) -> RedisResult<Arc<Link>> {
        if let Some(link) = self.links.known_link(node) {
            return Ok(link);
        }
        let primaries = self.topology.addresses_of_primaries();
        self.links.retain(|address| primaries.contains(address));
        self.links.to(node, primaries.len())
    }

    /// Asks for the primaries without waiting. Concurrent errors share a question.
    pub(in crate::store) fn refresh_soon(&self) {
        if self.topology.is_fresh() {
            return;
        }
        let topology = Arc::clone(&self.topology);
        tokio::spawn(async move {
            if let Err(error) = topology.refresh().await {
                tracing::debug!(%error, "no node describes the cluster");
            }
        });
    }
}

/// Returns the error of the first command, or of the connection.
fn first_error(answers: &Answers) -> Option<&RedisError> {
    match answers {
        Ok(answers) => answers.first()?.as_ref().err(),
        Err(error) => Some(error),
    }
}

/// Returns the next step after an error, or `None` if it is final.
fn reaction_to(error: &RedisError, answering: Option<&Address>) -> Option<Reaction> {
    use ServerErrorKind::{Ask, BusyLoading, ClusterDown, MasterDown, Moved, ReadOnly, TryAgain};

    let to = || redirected(error.redirect_node()?.0, answering?);
    match error.kind() {
        ErrorKind::Server(Moved) => to().map(Reaction::Moved),
        ErrorKind::Server(Ask) => to().map(Reaction::Ask),
        ErrorKind::Server(TryAgain | ClusterDown | MasterDown | BusyLoading | ReadOnly) => {
            Some(Reaction::Retry)
        }
        ErrorKind::Io if error.is_timeout() => Some(Reaction::GiveUp),
        ErrorKind::Io => Some(Reaction::Retry),
        _ => None,
    }
}

fn no_primary() -> RedisError {
    (ErrorKind::Io, "no known primary serves the slot").into()
}
