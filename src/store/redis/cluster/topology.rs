//! The primaries of a cluster and their slots, known once for all connections of the process. A question about
//! them goes to all nodes at once, and the first node that reaches the majority counts. So a silent node
//! delays no question, and a node that was cut off or has just started does not mislead.

use std::{
    collections::{BTreeSet, HashMap},
    slice,
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
    time::Duration,
};

use futures_util::{FutureExt, StreamExt, future::select_ok, stream::FuturesUnordered};
use redis::{Cmd, ConnectionAddr, ConnectionInfo, ErrorKind, RedisResult, Value};
use tokio::time::Instant;

use crate::{
    config::Timeouts,
    store::{
        Error, Result,
        redis::{
            failures::failure,
            nodes::{Address, Links, Node, primaries},
            reply::read,
            request_coalescing::RequestCoalescer,
        },
    },
};

/// Age of an answer about the slots at which an error is a reason to ask again.
const FRESH: Duration = Duration::from_millis(300);

pub struct Topology {
    /// Nodes in the settings.
    seeds: Vec<Address>,
    /// Separate links for questions, because commands can block the others.
    links: Links,
    questions: RequestCoalescer,
    /// Shared by all connections of the process.
    known: Arc<RwLock<Known>>,
}

#[derive(Default)]
struct Known {
    primaries: Vec<Node>,
    /// Slots that moved since, by redirections.
    moved: HashMap<u16, Address>,
    at: Option<Instant>,
}

/// The cluster as one node sees it.
struct View {
    primaries: Vec<Node>,
    /// Whether the node reaches the majority of the primaries.
    is_of_majority: bool,
}

impl Topology {
    /// Creates the topology of the cluster with these nodes. All connections use the options of the first.
    pub fn new(seeds: &[ConnectionInfo], timeouts: &Timeouts) -> RedisResult<Self> {
        let no_node = (ErrorKind::InvalidClientConfig, "no node of a cluster");
        let options = seeds.first().ok_or(no_node)?.clone();
        Ok(Self {
            seeds: seeds.iter().map(address_of).collect::<RedisResult<_>>()?,
            links: Links::new(options, timeouts.clone(), 0),
            questions: RequestCoalescer::default(),
            known: Arc::default(),
        })
    }

    /// Returns the same topology with separate connections, for another runtime.
    pub fn another(&self) -> Self {
        Self {
            seeds: self.seeds.clone(),
            links: self.links.another(Duration::ZERO, 0),
            questions: RequestCoalescer::default(),
            known: Arc::clone(&self.known),
        }
    }

    /// Returns separate links to the nodes, with replies that may take `wait` longer and caches of
    /// `cache_bytes` in total.
    pub fn links(&self, wait: Duration, cache_bytes: usize) -> Links {
        self.links.another(wait, cache_bytes)
    }

    /// Returns the addresses of the known primaries, and of those that redirections named since.
    pub fn addresses_of_primaries(&self) -> BTreeSet<Address> {
        let known = self.known();
        let mut addresses = known.addresses();
        addresses.extend(known.moved.values().cloned());
        addresses
    }

    /// Returns whether a node is the last known primary of these slots.
    pub fn serves_all<'a>(&self, node: &Address, slots: impl IntoIterator<Item = &'a u16>) -> bool {
        let known = self.known();
        let primary = known
            .primaries
            .iter()
            .find(|primary| primary.address.as_ref() == Some(node));
        slots.into_iter().all(|slot| match known.moved.get(slot) {
            Some(address) => address == node,
            None => primary.is_some_and(|primary| primary.serves(*slot)),
        })
    }

    /// Returns the last known primary of a slot.
    pub fn primary_of(&self, slot: u16) -> Option<Address> {
        let known = self.known();
        if let Some(address) = known.moved.get(&slot) {
            return Some(Arc::clone(address));
        }
        let primary = known.primaries.iter().find(|node| node.serves(slot))?;
        primary.address.clone()
    }

    /// Records a redirection.
    pub fn slot_moved(&self, slot: u16, to: Address) {
        self.known_mut().moved.insert(slot, to);
    }

    /// Returns whether the last answer is so new that another one would hardly differ.
    pub fn is_fresh(&self) -> bool {
        self.known().at.is_some_and(|at| at.elapsed() < FRESH)
    }

    /// Returns the primaries, as a node describes them after this call.
    pub async fn primaries(self: &Arc<Self>) -> Result<Vec<Node>> {
        self.refresh().await?;
        Ok(self.known().primaries.clone())
    }

    /// Asks for the primaries. Concurrent callers share a question that starts after their call.
    pub async fn refresh(self: &Arc<Self>) -> Result<()> {
        let question = || {
            let topology = Arc::clone(self);
            async move { topology.ask_for_primaries().await }
        };
        self.questions.next(question).await
    }

    /// Asks all nodes. If none reaches the majority, the first view counts.
    async fn ask_for_primaries(&self) -> Result<()> {
        let nodes = self.addresses().into_iter();
        let mut questions: FuturesUnordered<_> = nodes.map(|node| self.view_of(node)).collect();
        let mut found = Err(Error::Unavailable("no node was asked".to_owned()));
        while let Some(view) = questions.next().await {
            match view {
                Ok(view) if view.is_of_majority => {
                    found = Ok(view);
                    break;
                }
                view if found.is_err() => found = view,
                _ => {}
            }
        }
        *self.known_mut() = Known {
            primaries: found?.primaries,
            moved: HashMap::new(),
            at: Some(Instant::now()),
        };
        let addresses = self.addresses();
        self.links.retain(|address| addresses.contains(address));
        Ok(())
    }

    async fn view_of(&self, node: Address) -> Result<View> {
        let questions = ["INFO", "SLOTS"].map(|part| redis::cmd("CLUSTER").arg(part).take());
        let end = Instant::now() + self.links.patience();
        let answers = match self.links.to(&node, 1) {
            Ok(link) => link.send_until(end, &questions).await,
            Err(error) => Err(error),
        };
        let answers: RedisResult<Vec<Value>> =
            answers.and_then(|answers| answers.into_iter().collect());
        let answers = Value::Array(answers.map_err(|error| failure(&error))?);
        let (info, slots): (String, Value) = read(answers)?;
        let primaries = primaries(slots, &node)?;
        if primaries.is_empty() {
            let reason = "the node knows no primary with slots";
            return Err(Error::Unavailable(reason.to_owned()));
        }
        Ok(View {
            primaries,
            is_of_majority: info.contains("cluster_state:ok"),
        })
    }

    /// Sends a command without a key to all primaries. Returns the first reply.
    pub async fn ask_any(&self, command: &Cmd) -> RedisResult<Value> {
        let end = Instant::now() + self.links.patience();
        let ask = |node: Address| async move {
            let link = self.links.to(&node, 1)?;
            let answers = link.send_until(end, slice::from_ref(command)).await?;
            answers.into_iter().next().unwrap_or(Ok(Value::Nil))
        };
        let mut nodes = self.known().addresses();
        if nodes.is_empty() {
            nodes.extend(self.seeds.iter().cloned());
        }
        let questions = nodes.into_iter().map(|node| ask(node).boxed());
        select_ok(questions).await.map(|(answer, _)| answer)
    }

    /// Returns the nodes in the settings and all known primaries.
    fn addresses(&self) -> BTreeSet<Address> {
        let mut addresses = self.known().addresses();
        addresses.extend(self.seeds.iter().cloned());
        addresses
    }

    fn known(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn known_mut(&self) -> RwLockWriteGuard<'_, Known> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// Returns the addresses of the primaries.
    fn addresses(&self) -> BTreeSet<Address> {
        let primaries = self.primaries.iter();
        primaries.filter_map(|node| node.address.clone()).collect()
    }
}

fn address_of(info: &ConnectionInfo) -> RedisResult<Address> {
    match info.addr() {
        ConnectionAddr::Tcp(host, port) | ConnectionAddr::TcpTls { host, port, .. } => {
            Ok(format!("{host}:{port}").into())
        }
        _ => Err((
            ErrorKind::InvalidClientConfig,
            "a node of a cluster without host and port",
        )
            .into()),
    }
}
