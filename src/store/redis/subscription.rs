//! The subscription of a process: one connection to each primary, on which Redis says that something
//! changed for a person with open streams here (sharded pub/sub). What was said while a connection was
//! broken, or a slot on its way, is lost; so a person is named again whenever their channel was
//! subscribed to anew, and whoever listens then looks at what there is.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use redis::{
    AsyncConnectionConfig, Cmd, FromRedisValue, PushInfo, PushKind, RedisResult, Value,
    aio::MultiplexedConnection,
};
use tokio::{
    select,
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::{MissedTickBehavior, interval},
};

use super::{
    cluster::{self, Node},
    link::Link,
    scripts::With,
};
use crate::{
    domain::UserId,
    store::{Store, keys},
};

/// Between two looks at whether connections answer and all channels are subscribed to.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);

/// For whom to listen, and for whom no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    Hear(UserId),
    Leave(UserId),
}

/// What is called with a person for whom something may have changed. It must not wait.
pub type Told = Arc<dyn Fn(UserId) + Send + Sync>;

/// The subscription under way.
pub struct Subscription {
    store: Store,
    told: Told,
    wishes: UnboundedReceiver<Wish>,
    channels: HashMap<UserId, Channel>,
    nodes: Vec<Node>,
    /// By the names of their nodes.
    wires: HashMap<String, Wire>,
    drawn: u64,
    say: UnboundedSender<Heard>,
    heard: UnboundedReceiver<Heard>,
    /// Whether the log has been told that channels are waited for.
    complained: bool,
}

/// How it is with a person's channel.
enum Channel {
    /// Nobody was asked for it, or who was is gone.
    Open,
    /// Asked for, then.
    Asked(Instant),
    Subscribed,
}

struct Wire {
    number: u64,
    connection: MultiplexedConnection,
}

/// What a connection says beside messages.
enum Heard {
    /// On the connection of that number.
    Subscribed(UserId, u64),
    /// A slot has left its node, or we have left a channel.
    Left(UserId),
    /// The connection of that number is broken, or its node answers nothing.
    Broken(u64),
}

impl Store {
    /// A subscription to whom the wishes name; `told` is called for them.
    #[must_use]
    pub fn subscription(&self, wishes: UnboundedReceiver<Wish>, told: Told) -> Subscription {
        let (say, heard) = unbounded_channel();
        Subscription {
            store: self.clone(),
            told,
            wishes,
            channels: HashMap::new(),
            nodes: Vec::new(),
            wires: HashMap::new(),
            drawn: 0,
            say,
            heard,
            complained: false,
        }
    }
}

impl Subscription {
    /// Listens until nobody can wish anything any more.
    pub async fn run(mut self) {
        let mut looks = interval(BETWEEN_LOOKS);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            select! {
                wish = self.wishes.recv() => match wish {
                    Some(wish) => self.follow(wish).await,
                    None => return,
                },
                Some(heard) = self.heard.recv() => self.note(heard).await,
                _ = looks.tick() => {
                    self.ask_whether_they_answer();
                    self.settle().await;
                }
            }
        }
    }

    async fn follow(&mut self, wish: Wish) {
        match wish {
            Wish::Hear(person) => {
                self.channels.insert(person, Channel::Open);
                if !self.subscribe(person).await {
                    self.settle().await;
                }
            }
            Wish::Leave(person) => {
                self.channels.remove(&person);
                if let Some(wire) = self.wire_of(person) {
                    wire.send("SUNSUBSCRIBE", person).await;
                }
            }
        }
    }

    async fn note(&mut self, heard: Heard) {
        match heard {
            Heard::Subscribed(person, number) => {
                let stands = self
                    .wire_of(person)
                    .is_some_and(|wire| wire.number == number);
                if stands && let Some(channel) = self.channels.get_mut(&person) {
                    *channel = Channel::Subscribed;
                    (self.told)(person);
                }
            }
            Heard::Left(person) => {
                if let Some(channel) = self.channels.get_mut(&person) {
                    *channel = Channel::Open;
                    self.settle().await;
                }
            }
            Heard::Broken(number) => {
                let name = self.wires.iter().find(|(_, wire)| wire.number == number);
                if let Some(name) = name.map(|(name, _)| name.clone()) {
                    tracing::debug!(name, "the subscription is broken");
                    self.wires.remove(&name);
                    self.reopen(&name);
                    self.settle().await;
                }
            }
        }
    }

    /// The channels of a node whose connection is gone.
    fn reopen(&mut self, name: &str) {
        let nodes = &self.nodes;
        for (person, channel) in &mut self.channels {
            if node_of(nodes, *person).is_none_or(|node| node.name() == name) {
                *channel = Channel::Open;
            }
        }
    }

    /// The channels that are served elsewhere now, as where a replica took over: the connections to
    /// nodes that serve nothing any more are dropped, and say nothing of what was heard on them.
    fn reopen_moved(&mut self, nodes: &[Node]) {
        for (person, channel) in &mut self.channels {
            let [before, now] =
                [&self.nodes[..], nodes].map(|nodes| node_of(nodes, *person).map(Node::name));
            if before != now {
                *channel = Channel::Open;
            }
        }
    }

    /// Subscribes to what is not, wherever it is served now.
    async fn settle(&mut self) {
        if self.waiting().is_empty() {
            self.complained = false;
            return;
        }
        self.find_nodes().await;
        let waiting = self.waiting();
        self.connect(&waiting).await;
        let mut left = 0;
        for person in waiting {
            left += usize::from(!self.subscribe(person).await);
        }
        if left > 0 && !self.complained {
            self.complained = true;
            tracing::warn!(
                left,
                "Redis takes no subscription; open streams look for themselves"
            );
        }
    }

    /// Whose channels are to be asked for.
    fn waiting(&self) -> Vec<UserId> {
        let waited = |channel: &Channel| match channel {
            Channel::Open => true,
            Channel::Asked(since) => since.elapsed() > BETWEEN_LOOKS,
            Channel::Subscribed => false,
        };
        let waiting = self.channels.iter().filter(|(_, channel)| waited(channel));
        waiting.map(|(person, _)| *person).collect()
    }

    /// Asks for a channel where it is served. `false` where there is no connection to there.
    async fn subscribe(&mut self, person: UserId) -> bool {
        let Some(wire) = self.wire_of(person) else {
            return false;
        };
        let sent = wire.send("SSUBSCRIBE", person).await;
        if sent && let Some(channel) = self.channels.get_mut(&person) {
            *channel = Channel::Asked(Instant::now());
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

    /// Connects to the nodes of these people that it has no connection to.
    async fn connect(&mut self, people: &[UserId]) {
        let mut wanted: HashMap<String, &Node> = HashMap::new();
        for person in people {
            if let Some(node) = node_of(&self.nodes, *person) {
                wanted.insert(node.name(), node);
            }
        }
        wanted.retain(|name, _| !self.wires.contains_key(name));
        let mut attempts = Vec::new();
        for (name, node) in wanted {
            self.drawn += 1;
            let link = self.store.connection.link();
            attempts.push(Wire::connect(
                link, node, self.drawn, &self.told, &self.say, name,
            ));
        }
        for (name, wire) in join_all(attempts).await {
            match wire {
                Ok(wire) => drop(self.wires.insert(name, wire)),
                Err(error) => tracing::debug!(%error, "the subscription could not connect"),
            }
        }
    }

    /// A node that does not answer says so by a broken connection.
    fn ask_whether_they_answer(&self) {
        for wire in self.wires.values() {
            let (mut connection, number, say) =
                (wire.connection.clone(), wire.number, self.say.clone());
            tokio::spawn(async move {
                if redis::cmd("PING")
                    .exec_async(&mut connection)
                    .await
                    .is_err()
                {
                    // Nobody hears it where the subscription has ended.
                    let _ = say.send(Heard::Broken(number));
                }
            });
        }
    }
}

impl Wire {
    async fn connect(
        link: &Link,
        node: &Node,
        number: u64,
        told: &Told,
        say: &UnboundedSender<Heard>,
        name: String,
    ) -> (String, RedisResult<Self>) {
        let (told, say) = (Arc::clone(told), say.clone());
        let hear = move |push: PushInfo| match heard(&push, number) {
            Some(Ok(person)) => {
                told(person);
                Ok(())
            }
            Some(Err(heard)) => say.send(heard).map_err(drop),
            None => Ok(()),
        };
        let connecting = link.listen(node, AsyncConnectionConfig::new().set_push_sender(hear));
        let wire = connecting
            .await
            .map(|connection| Self { number, connection });
        (name, wire)
    }

    /// Sends a command for a person's channel. What comes of it is heard as a push.
    async fn send(&mut self, command: &str, person: UserId) -> bool {
        let mut command: Cmd = redis::cmd(command).with(keys::live(person));
        command.set_no_response(true);
        command.exec_async(&mut self.connection).await.is_ok()
    }
}

/// Whom a message is about, or what else was said.
fn heard(push: &PushInfo, number: u64) -> Option<Result<UserId, Heard>> {
    let channel = |value: &Value| String::from_redis_value_ref(value).ok();
    let person = || keys::channel_owner(&push.data.first().and_then(channel)?);
    match push.kind {
        PushKind::SMessage => person().map(Ok),
        PushKind::SSubscribe => {
            let subscribed = |person| Err(Heard::Subscribed(person, number));
            person().map(subscribed)
        }
        PushKind::SUnsubscribe => person().map(Heard::Left).map(Err),
        PushKind::Disconnection => Some(Err(Heard::Broken(number))),
        _ => None,
    }
}

fn node_of(nodes: &[Node], person: UserId) -> Option<&Node> {
    let slot = cluster::slot_of(&person.to_string());
    nodes.iter().find(|node| node.serves(slot))
}
