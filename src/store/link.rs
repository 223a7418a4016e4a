//! The way to Redis: a connection that is made at its first use, shared by all who use it, and made
//! anew after whatever broke it, so that nobody meets a failure of the past.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared},
};
use redis::{
    AsyncConnectionConfig, Client, Cmd, ErrorKind, FromRedisValue, Pipeline, ProtocolVersion,
    RedisError, RedisResult, Value, aio::MultiplexedConnection, cluster_async::ClusterConnection,
};
use tokio::time::timeout;

use super::cluster::{self, Node, Order};
use crate::config::Timeouts;

/// Where Redis is: what a connection is made from.
#[derive(Clone)]
pub(super) enum Target {
    Node(Box<Client>),
    Cluster(Arc<Vec<String>>),
}

/// A connection that stands.
#[derive(Clone)]
pub(super) enum Wire {
    Node(MultiplexedConnection),
    Cluster(ClusterConnection),
}

/// How long any node of a cluster may take to say how the cluster is.
const PROBE: Duration = Duration::from_millis(300);

/// Connecting, under way or done. Whoever comes meanwhile waits for the same.
type Attempt = Shared<BoxFuture<'static, RedisResult<Wire>>>;

#[derive(Clone)]
pub(super) struct Link {
    target: Target,
    timeouts: Timeouts,
    current: Arc<Mutex<Option<Attempt>>>,
    /// Whether it is being found out if the connection still serves.
    suspected: Arc<AtomicBool>,
}

impl Link {
    pub(super) fn new(target: Target, timeouts: Timeouts) -> Self {
        Self {
            target,
            timeouts,
            current: Arc::default(),
            suspected: Arc::default(),
        }
    }

    /// Another one to the same place, whose answers may take `wait` longer.
    pub(super) fn another(&self, wait: Duration) -> Self {
        let mut timeouts = self.timeouts.clone();
        timeouts.redis_response += wait;
        Self::new(self.target.clone(), timeouts)
    }

    /// A connection of its own to one node, that Redis may say things on.
    pub(super) async fn listen(
        &self,
        node: &Node,
        config: AsyncConnectionConfig,
    ) -> RedisResult<MultiplexedConnection> {
        let info = match &self.target {
            Target::Node(client) => client.get_connection_info().clone(),
            Target::Cluster(nodes) => cluster::one_of(nodes, node)?,
        };
        let settings = info.redis_settings().clone();
        let info = info.set_redis_settings(settings.set_protocol(ProtocolVersion::RESP3));
        let config = config
            .set_connection_timeout(Some(self.timeouts.redis_connect))
            .set_response_timeout(Some(self.timeouts.redis_response));
        let client = Client::open(info)?;
        client
            .get_multiplexed_async_connection_with_config(&config)
            .await
    }

    pub(super) fn is_cluster(&self) -> bool {
        matches!(self.target, Target::Cluster(_))
    }

    /// Commands of one slot, one behind the other on one connection. Sends once more over a new one
    /// where the old one turned out to be dead, as after a restart of Redis: every command leaves
    /// the same data when it is executed twice.
    pub(super) async fn query<T: FromRedisValue>(&self, pipeline: &Pipeline) -> RedisResult<T> {
        let answer = self.query_once(pipeline).await;
        if answer
            .as_ref()
            .is_err_and(RedisError::is_connection_dropped)
        {
            return self.query_once(pipeline).await;
        }
        answer
    }

    async fn query_once<T: FromRedisValue>(&self, pipeline: &Pipeline) -> RedisResult<T> {
        self.over(async |wire| match wire {
            Wire::Node(mut node) => pipeline.query_async(&mut node).await,
            Wire::Cluster(mut cluster) => pipeline.query_async(&mut cluster).await,
        })
        .await
    }

    /// Commands of any slots, each with an answer of its own.
    pub(super) async fn send(
        &self,
        commands: &[Cmd],
        order: Order,
    ) -> RedisResult<Vec<RedisResult<Value>>> {
        if !self.is_cluster() {
            let mut pipeline = Pipeline::with_capacity(commands.len());
            pipeline.ignore_errors();
            for command in commands {
                pipeline.add_command(command.clone());
            }
            return self.query(&pipeline).await;
        }
        self.on_cluster(async |cluster| {
            let mut answers = cluster::send(&cluster, commands, order).await;
            match answers.iter().position(is_late) {
                Some(at) => answers.swap_remove(at).map(|_| Vec::new()),
                None => Ok(answers),
            }
        })
        .await
    }

    /// A trip over a connection to a cluster.
    pub(super) async fn on_cluster<T>(
        &self,
        trip: impl AsyncFnOnce(ClusterConnection) -> RedisResult<T>,
    ) -> RedisResult<T> {
        self.over(async |wire| match wire {
            Wire::Cluster(cluster) => trip(cluster).await,
            Wire::Node(_) => Err((ErrorKind::Client, "not a cluster").into()),
        })
        .await
    }

    /// A trip over the connection. One that could not connect, or whose connection broke, was its
    /// last one.
    async fn over<T>(&self, trip: impl AsyncFnOnce(Wire) -> RedisResult<T>) -> RedisResult<T> {
        let attempt = self.attempt();
        let answer = match attempt.clone().await {
            Ok(wire) => trip(wire).await,
            Err(error) => {
                self.give_up(&attempt);
                return Err(error);
            }
        };
        match &answer {
            Err(error) if self.is_cluster() && error.is_timeout() => self.suspect(attempt),
            // A node that is alone is connected to anew at once: where nobody answers on a
            // connection any more, the next trip would be late as well.
            Err(error) if !self.is_cluster() || error.is_connection_dropped() => {
                self.give_up(&attempt);
            }
            Ok(_) | Err(_) => {}
        }
        answer
    }

    /// A late answer of a cluster may be one node's fault, which its client mends, or its client's:
    /// that can stop for ever when a primary dies, as its repair of a connection and its look at the
    /// slots then wait for each other. So it is asked for something that any node can answer, and
    /// given up where that is late too.
    fn suspect(&self, attempt: Attempt) {
        if self.suspected.swap(true, Ordering::Relaxed) {
            return;
        }
        let link = self.clone();
        tokio::spawn(async move {
            // The first may have been sent to the one node that does not answer.
            if is_mute(&attempt).await && is_mute(&attempt).await {
                tracing::warn!("the client of the cluster does not answer and is replaced");
                link.give_up(&attempt);
            }
            link.suspected.store(false, Ordering::Relaxed);
        });
    }

    fn attempt(&self) -> Attempt {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        current
            .get_or_insert_with(|| {
                let connecting = connect(self.target.clone(), self.timeouts.clone());
                let attempt = connecting.boxed().shared();
                // It goes on also where the one who began it stops waiting.
                tokio::spawn(attempt.clone().map(drop));
                attempt
            })
            .clone()
    }

    /// The next trip connects anew, unless another one does already.
    fn give_up(&self, broken: &Attempt) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if current.as_ref().is_some_and(|now| now.ptr_eq(broken)) {
            *current = None;
        }
    }
}

async fn connect(target: Target, timeouts: Timeouts) -> RedisResult<Wire> {
    match target {
        Target::Node(client) => {
            let config = AsyncConnectionConfig::new()
                .set_connection_timeout(Some(timeouts.redis_connect))
                .set_response_timeout(Some(timeouts.redis_response));
            let connecting = client.get_multiplexed_async_connection_with_config(&config);
            connecting.await.map(Wire::Node)
        }
        Target::Cluster(nodes) => {
            let client = cluster::client(&nodes, &timeouts)?;
            let longest = timeouts.redis_connect + timeouts.redis_response;
            let connected = timeout(longest, client.get_async_connection()).await;
            let late = |_| RedisError::from((ErrorKind::Io, "connecting to the cluster timed out"));
            connected.map_err(late)?.map(Wire::Cluster)
        }
    }
}

/// Whether the client of a cluster has nothing to say, whichever node it asks.
async fn is_mute(attempt: &Attempt) -> bool {
    match attempt.clone().await {
        Ok(Wire::Cluster(cluster)) => {
            !matches!(timeout(PROBE, cluster::probe(cluster)).await, Ok(Ok(_)))
        }
        Ok(Wire::Node(_)) | Err(_) => false,
    }
}

fn is_late<T>(answer: &RedisResult<T>) -> bool {
    answer.as_ref().is_err_and(RedisError::is_timeout)
}
