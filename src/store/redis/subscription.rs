//! The subscription of a process: one connection to each primary, on which Redis reports changes for
//! people with open streams here (sharded pub/sub). Messages are lost while a connection is broken or a
//! slot moves. So a person is reported again after each new subscription to their channel, and the
//! stream then reads the current state.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::{Duration, Instant},
};

use redis::{
    AsyncConnectionConfig, Cmd, FromRedisValue, PushInfo, PushKind, RedisResult, Value,
    aio::MultiplexedConnection,
};
use tokio::{
    select,
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::{MissedTickBehavior, interval},
};

use super::{cluster::slot_of, nodes::Node, scripts::With, servers::Servers};
use crate::{
    domain::UserId,
    store::{Store, keys},
};

/// Interval of checks that connections answer and all channels are subscribed.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// A request to start or stop listening for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubscriptionRequest {
    Subscribe(UserId),
    Unsubscribe(UserId),
}

/// The callback for a person with a possible change. It must not block.
pub type OnChange = Arc<dyn Fn(UserId) + Send + Sync>;

pub struct Subscription {
    store: Store,
    on_change: OnChange,
    requests: UnboundedReceiver<SubscriptionRequest>,
    channels: HashMap<UserId, Channel>,
    nodes: Vec<Node>,
    /// Connections by the names of their nodes.
    wires: HashMap<String, Wire>,
    /// Names of the nodes to which a connection is being opened.
    connecting: HashSet<String>,
    drawn: u64,
    event_sender: UnboundedSender<ConnectionEvent>,
    events: UnboundedReceiver<ConnectionEvent>,
    /// Whether the log mentions missing channels already.
    has_warned: bool,
}

/// State of a person's channel.
enum Channel {
    /// Not requested, or requested from a lost connection.
    Open,
    /// Requested at this time.
    Requested(Instant),
    Subscribed,
}

struct Wire {
    number: u64,
    connection: MultiplexedConnection,
}

/// An event of a connection, besides messages.
enum ConnectionEvent {
    /// The attempt to open a connection to this node has ended.
    Opened(String, RedisResult<Wire>),
    /// Subscribed on the connection with this number.
    Subscribed(UserId, u64),
    /// The slot left its node, or we left the channel.
    Left(UserId),
    /// The connection with this number is broken, or its node is silent.
    Broken(u64),
}

impl Store {
    /// Creates a subscription to the requested people, which calls `on_change` for them.
    #[must_use]
    pub fn subscription(
        &self,
        requests: UnboundedReceiver<SubscriptionRequest>,
        on_change: OnChange,
    ) -> Subscription {
        let (event_sender, events) = unbounded_channel();
        Subscription {
            store: self.clone(),
            on_change,
            requests,
            channels: HashMap::new(),
            nodes: Vec::new(),
            wires: HashMap::new(),
            connecting: HashSet::new(),
            drawn: 0,
            event_sender,
            events,
            has_warned: false,
        }
    }
}

impl Subscription {
    /// Listens until the last sender of requests is gone.
    pub async fn run(mut self) {
        let mut checks = interval(CHECK_INTERVAL);
        checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            select! {
                request = self.requests.recv() => match request {
                    Some(request) => self.handle_request(request).await,
                    None => return,
                },
                Some(event) = self.events.recv() => self.handle_event(event).await,
                _ = checks.tick() => {
                    self.ping_connections();
                    self.subscribe_missing().await;
                }
            }
        }
    }

    async fn handle_request(&mut self, request: SubscriptionRequest) {
        match request {
            SubscriptionRequest::Subscribe(person) => {
                self.channels.insert(person, Channel::Open);
                if !self.subscribe(person).await {
                    self.subscribe_missing().await;
                }
            }
            SubscriptionRequest::Unsubscribe(person) => {
                self.channels.remove(&person);
                if let Some(wire) = self.wire_of(person) {
                    wire.send("SUNSUBSCRIBE", person).await;
                }
            }
        }
    }

    async fn handle_event(&mut self, event: ConnectionEvent) {
        match event {
            ConnectionEvent::Opened(name, wire) => self.handle_opened(name, wire).await,
            ConnectionEvent::Subscribed(person, number) => {
                let is_current = self
                    .wire_of(person)
                    .is_some_and(|wire| wire.number == number);
                if is_current && let Some(channel) = self.channels.get_mut(&person) {
                    *channel = Channel::Subscribed;
                    (self.on_change)(person);
                }
            }
            ConnectionEvent::Left(person) => {
                if let Some(channel) = self.channels.get_mut(&person) {
                    *channel = Channel::Open;
                    self.subscribe_missing().await;
                }
            }
            ConnectionEvent::Broken(number) => {
                let name = self.wires.iter().find(|(_, wire)| wire.number == number);
                if let Some(name) = name.map(|(name, _)| name.clone()) {
                    tracing::debug!(name, "the subscription is broken");
                    self.wires.remove(&name);
                    self.reopen(&name);
                    self.subscribe_missing().await;
                }
            }
        }
    }

    async fn handle_opened(&mut self, name: String, wire: RedisResult<Wire>) {
        self.connecting.remove(&name);
        match wire {
            Ok(wire) => {
                self.wires.insert(name, wire);
                self.subscribe_waiting().await;
            }
            Err(error) => {
                tracing::debug!(%error, "the subscription could not connect");
                if !self.has_warned {
                    self.has_warned = true;
                    tracing::warn!("Redis refuses subscriptions; open streams query at intervals");
                }
            }
        }
    }

    /// Marks the channels of a lost node as open.
    fn reopen(&mut self, name: &str) {
        let nodes = &self.nodes;
        for (person, channel) in &mut self.channels {
            if node_of(nodes, *person).is_none_or(|node| node.name() == name) {
                *channel = Channel::Open;
            }
        }
    }

    /// Marks channels that moved to another node as open, as after a failover. Connections to nodes
    /// without slots are dropped, and later events of theirs are ignored.
    fn reopen_moved(&mut self, nodes: &[Node]) {
        for (person, channel) in &mut self.channels {
            let [before, now] =
                [&self.nodes[..], nodes].map(|nodes| node_of(nodes, *person).map(Node::name));
            if before != now {
                *channel = Channel::Open;
            }
        }
    }

    /// Subscribes to all missing channels at their current nodes. Missing connections are opened aside, so a silent
    /// node delays no channel of another one.
    async fn subscribe_missing(&mut self) {
        let waiting = self.waiting();
        if waiting.is_empty() {
            self.has_warned = false;
            return;
        }
        self.find_nodes().await;
        self.connect(&waiting);
        self.subscribe_waiting().await;
    }

    /// Subscribes to the missing channels for which there is a connection.
    async fn subscribe_waiting(&mut self) {
        for person in self.waiting() {
            self.subscribe(person).await;
        }
    }

    /// Returns the people with channels to request.
    fn waiting(&self) -> Vec<UserId> {
        let waited = |channel: &Channel| match channel {
            Channel::Open => true,
            Channel::Requested(since) => since.elapsed() > CHECK_INTERVAL,
            Channel::Subscribed => false,
        };
        let waiting = self.channels.iter().filter(|(_, channel)| waited(channel));
        waiting.map(|(person, _)| *person).collect()
    }

    /// Requests a channel at its node. Returns `false` if there is no connection to the node.
    async fn subscribe(&mut self, person: UserId) -> bool {
        let Some(wire) = self.wire_of(person) else {
            return false;
        };
        let sent = wire.send("SSUBSCRIBE", person).await;
        if sent && let Some(channel) = self.channels.get_mut(&person) {
            *channel = Channel::Requested(Instant::now());
        }
        sent
    }

    fn wire_of(&mut self, person: UserId) -> Option<&mut Wire> {
        let name = node_of(&self.nodes, person)?.name();
        self.wires.get_mut(&name)
    }

    async fn find_nodes(&mut self) {
        match self.store.connection.primaries().await {
            Ok(nodes) => {
                let names: Vec<String> = nodes.iter().map(Node::name).collect();
                self.wires.retain(|name, _| names.contains(name));
                self.reopen_moved(&nodes);
                self.nodes = nodes;
            }
            Err(error) => tracing::debug!(%error, "the primaries are not known"),
        }
    }

    /// Begins to open missing connections to the nodes of these people.
    fn connect(&mut self, people: &[UserId]) {
        let mut wanted: HashMap<String, &Node> = HashMap::new();
        for person in people {
            if let Some(node) = node_of(&self.nodes, *person) {
                wanted.insert(node.name(), node);
            }
        }
        for (name, node) in wanted {
            if self.wires.contains_key(&name) || !self.connecting.insert(name.clone()) {
                continue;
            }
            self.drawn += 1;
            let opening = Wire::connect(
                self.store.connection.servers().clone(),
                node.clone(),
                self.drawn,
                Arc::clone(&self.on_change),
                self.event_sender.clone(),
            );
            let event_sender = self.event_sender.clone();
            tokio::spawn(async move {
                let opened = ConnectionEvent::Opened(name, opening.await);
                // The receiver is gone if the subscription has ended.
                let _ = event_sender.send(opened);
            });
        }
    }

    /// Checks every connection. A silent node counts as a broken connection.
    fn ping_connections(&self) {
        for wire in self.wires.values() {
            let (mut connection, number, event_sender) = (
                wire.connection.clone(),
                wire.number,
                self.event_sender.clone(),
            );
            tokio::spawn(async move {
                if redis::cmd("PING")
                    .exec_async(&mut connection)
                    .await
                    .is_err()
                {
                    // The receiver is gone if the subscription has ended.
                    let _ = event_sender.send(ConnectionEvent::Broken(number));
                }
            });
        }
    }
}

impl Wire {
    async fn connect(
        servers: Servers,
        node: Node,
        number: u64,
        on_change: OnChange,
        event_sender: UnboundedSender<ConnectionEvent>,
    ) -> RedisResult<Self> {
        let on_push = move |push: PushInfo| match event_of(&push, number) {
            Some(Ok(person)) => {
                on_change(person);
                Ok(())
            }
            Some(Err(event)) => event_sender.send(event).map_err(drop),
            None => Ok(()),
        };
        let config = AsyncConnectionConfig::new().set_push_sender(on_push);
        let connection = servers.listen(&node, config).await?;
        Ok(Self { number, connection })
    }

    /// Sends a command for a person's channel. Its result arrives as a push message.
    async fn send(&mut self, command: &str, person: UserId) -> bool {
        let mut command: Cmd = redis::cmd(command).with(keys::live(person));
        command.set_no_response(true);
        command.exec_async(&mut self.connection).await.is_ok()
    }
}

/// Decodes a push message: the person of a message, or an event.
fn event_of(push: &PushInfo, number: u64) -> Option<Result<UserId, ConnectionEvent>> {
    let channel = |value: &Value| String::from_redis_value_ref(value).ok();
    let person = || keys::channel_owner(&push.data.first().and_then(channel)?);
    match push.kind {
        PushKind::SMessage => person().map(Ok),
        PushKind::SSubscribe => {
            let subscribed = |person| Err(ConnectionEvent::Subscribed(person, number));
            person().map(subscribed)
        }
        PushKind::SUnsubscribe => person().map(ConnectionEvent::Left).map(Err),
        PushKind::Disconnection => Some(Err(ConnectionEvent::Broken(number))),
        _ => None,
    }
}

fn node_of(nodes: &[Node], person: UserId) -> Option<&Node> {
    let slot = slot_of(person.to_string().as_bytes());
    nodes.iter().find(|node| node.serves(slot))
}
