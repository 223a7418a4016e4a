//! The link to Redis: a connection that is opened at first use, shared, and opened again after an error.
//! Callers do not see errors of the past. Its cache starts and ends with it.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
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

use super::{
    cluster::{self, Node, Order},
    wire::{Target, Wire, connect},
};
use crate::{config::Timeouts, store::cache::Cache};

/// Time for any node of a cluster to describe the cluster.
const PROBE: Duration = Duration::from_millis(300);

/// A connection attempt, pending or complete. Concurrent callers wait for the same one.
type Attempt = Shared<BoxFuture<'static, RedisResult<Wire>>>;

#[derive(Clone)]
pub(in crate::store) struct Link {
    target: Target,
    timeouts: Timeouts,
    /// Size of the connection's cache in bytes. 0: no cache.
    cache_bytes: usize,
    current: Arc<Mutex<Option<Attempt>>>,
    /// Whether a check of the connection is under way.
    suspected: Arc<AtomicBool>,
}

impl Link {
    pub(in crate::store) fn new(target: Target, timeouts: Timeouts) -> Self {
        Self {
            target,
            timeouts,
            cache_bytes: 0,
            current: Arc::default(),
            suspected: Arc::default(),
        }
    }

    /// Adds a cache of so many bytes, if Redis can keep it current: on a single node.
    pub(super) fn with_cache(self, cache_bytes: usize) -> Self {
        Self {
            cache_bytes,
            ..self
        }
    }

    /// Returns another link to the same Redis.
    pub(in crate::store) fn another(&self) -> Self {
        Self::new(self.target.clone(), self.timeouts.clone()).with_cache(self.cache_bytes)
    }

    /// Returns another link without a cache, with replies that may take `wait` longer.
    pub(super) fn another_for_blocking(&self, wait: Duration) -> Self {
        let mut timeouts = self.timeouts.clone();
        timeouts.redis_response += wait;
        Self::new(self.target.clone(), timeouts)
    }

    /// Opens a separate connection to one node for messages from Redis.
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

    /// Returns the cache of the current connection, if it has one.
    pub(in crate::store) fn cache(&self) -> Option<Arc<Cache>> {
        match self.current().as_ref()?.peek() {
            Some(Ok(Wire::Node(_, cache))) => cache.clone(),
            _ => None,
        }
    }

    pub(in crate::store) fn is_cluster(&self) -> bool {
        matches!(self.target, Target::Cluster(_))
    }

    /// Sends commands of one slot in order on one connection. If the connection turns out to be dead, as
    /// after a restart of Redis, sends them again over a new one: every command leaves the same data
    /// when executed twice.
    pub(in crate::store) async fn query<T: FromRedisValue>(
        &self,
        pipeline: &Pipeline,
    ) -> RedisResult<T> {
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
            Wire::Node(mut node, _) => pipeline.query_async(&mut node).await,
            Wire::Cluster(mut cluster) => pipeline.query_async(&mut cluster).await,
        })
        .await
    }

    /// Sends commands of any slots. Each gets its own reply.
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

    /// Makes a round trip to a cluster.
    pub(super) async fn on_cluster<T>(
        &self,
        trip: impl AsyncFnOnce(ClusterConnection) -> RedisResult<T>,
    ) -> RedisResult<T> {
        self.over(async |wire| match wire {
            Wire::Cluster(cluster) => trip(cluster).await,
            Wire::Node(..) => Err((ErrorKind::Client, "not a cluster").into()),
        })
        .await
    }

    /// Makes a round trip. A connection that could not be opened or broke is replaced by the next one. A
    /// reply over a connection that was replaced meanwhile counts as lost, because the caller then reads
    /// the cache of the current connection.
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
            Ok(_) if self.cache_bytes > 0 && !self.is_current(&attempt) => {
                return Err((ErrorKind::Io, "the connection was replaced").into());
            }
            Err(error) if self.is_cluster() && error.is_timeout() => self.suspect(attempt),
            // A single node gets a new connection at once: if the old one is silent, the next round trip
            // would be late as well.
            Err(error) if !self.is_cluster() || error.is_connection_dropped() => {
                self.give_up(&attempt);
            }
            Ok(_) | Err(_) => {}
        }
        answer
    }

    /// Checks the client after a late reply of a cluster. The cause may be one node, which the client
    /// repairs, or the client itself: it can stop for ever when a primary dies, because its reconnection
    /// and its refresh of slots wait for each other. So it gets a command that any node can answer, and
    /// is replaced if that is late too.
    fn suspect(&self, attempt: Attempt) {
        if self.suspected.swap(true, Ordering::Relaxed) {
            return;
        }
        let link = self.clone();
        tokio::spawn(async move {
            // The first one may have gone to the silent node.
            if is_mute(&attempt).await && is_mute(&attempt).await {
                tracing::warn!("the client of the cluster does not answer and is replaced");
                link.give_up(&attempt);
            }
            link.suspected.store(false, Ordering::Relaxed);
        });
    }

    fn attempt(&self) -> Attempt {
        self.current()
            .get_or_insert_with(|| {
                let connecting =
                    connect(self.target.clone(), self.timeouts.clone(), self.cache_bytes);
                let attempt = connecting.boxed().shared();
                // The attempt continues if its first caller stops waiting.
                tokio::spawn(attempt.clone().map(drop));
                attempt
            })
            .clone()
    }

    /// Replaces the connection, unless another caller has done so.
    fn give_up(&self, broken: &Attempt) {
        let mut current = self.current();
        if current.as_ref().is_some_and(|now| now.ptr_eq(broken)) {
            *current = None;
        }
    }

    fn is_current(&self, attempt: &Attempt) -> bool {
        let current = self.current();
        current.as_ref().is_some_and(|now| now.ptr_eq(attempt))
    }

    fn current(&self) -> MutexGuard<'_, Option<Attempt>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns whether the client of a cluster is silent, whichever node it asks.
async fn is_mute(attempt: &Attempt) -> bool {
    match attempt.clone().await {
        Ok(Wire::Cluster(cluster)) => {
            !matches!(timeout(PROBE, cluster::probe(cluster)).await, Ok(Ok(_)))
        }
        Ok(Wire::Node(..)) | Err(_) => false,
    }
}

fn is_late<T>(answer: &RedisResult<T>) -> bool {
    answer.as_ref().is_err_and(RedisError::is_timeout)
}
