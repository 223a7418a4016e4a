//! The way to Redis: a connection that is made at its first use, shared by all who use it, and made
//! anew after whatever broke it, so that nobody meets a failure of the past. Its cache begins and
//! ends with it.

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

/// How long any node of a cluster may take to say how the cluster is.
const PROBE: Duration = Duration::from_millis(300);

/// Connecting, under way or done. Whoever comes meanwhile waits for the same.
type Attempt = Shared<BoxFuture<'static, RedisResult<Wire>>>;

#[derive(Clone)]
pub(in crate::store) struct Link {
    target: Target,
    timeouts: Timeouts,
    /// How large the cache of a connection is; 0: there is none.
    cache_bytes: usize,
    current: Arc<Mutex<Option<Attempt>>>,
    /// Whether it is being found out if the connection still serves.
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

    /// With a cache of so many bytes, where Redis can keep it right: on one node.
    pub(super) fn with_cache(self, cache_bytes: usize) -> Self {
        Self {
            cache_bytes,
            ..self
        }
    }

    /// Another one to the same place.
    pub(in crate::store) fn another(&self) -> Self {
        Self::new(self.target.clone(), self.timeouts.clone()).with_cache(self.cache_bytes)
    }

    /// Another one, whose answers may take `wait` longer. What it reads is not kept.
    pub(super) fn another_for_blocking(&self, wait: Duration) -> Self {
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

    /// The cache of the connection that stands, if it has one.
    pub(in crate::store) fn cache(&self) -> Option<Arc<Cache>> {
        match self.current().as_ref()?.peek() {
            Some(Ok(Wire::Node(_, cache))) => cache.clone(),
            _ => None,
        }
    }

    pub(in crate::store) fn is_cluster(&self) -> bool {
        matches!(self.target, Target::Cluster(_))
    }

    /// Commands of one slot, one behind the other on one connection. Sends once more over a new one
    /// where the old one turned out to be dead, as after a restart of Redis: every command leaves
    /// the same data when it is executed twice.
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
            Wire::Node(..) => Err((ErrorKind::Client, "not a cluster").into()),
        })
        .await
    }

    /// A trip over the connection. One that could not connect, or whose connection broke, was its
    /// last one. An answer over a connection that was replaced meanwhile counts as lost: whoever
    /// makes a trip and then looks into the cache finds the cache of the connection it went over.
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
        self.current()
            .get_or_insert_with(|| {
                let connecting =
                    connect(self.target.clone(), self.timeouts.clone(), self.cache_bytes);
                let attempt = connecting.boxed().shared();
                // It goes on also where the one who began it stops waiting.
                tokio::spawn(attempt.clone().map(drop));
                attempt
            })
            .clone()
    }

    /// The next trip connects anew, unless another one does already.
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

/// Whether the client of a cluster has nothing to say, whichever node it asks.
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
