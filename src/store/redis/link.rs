//! The link to one node: a connection that is opened at first use, shared, and opened again after an error.
//! Callers do not see errors of the past. Its cache starts and ends with it.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared},
};
use parking_lot::Mutex;
use redis::{
    AsyncConnectionConfig, Client, Cmd, ErrorKind, Pipeline, ProtocolVersion, RedisError,
    RedisResult, Value, aio::MultiplexedConnection,
};
use tokio::time::{Instant, timeout, timeout_at};

use super::wire::{Wire, connect};
use crate::{config::Timeouts, store::cache::Cache};

/// The replies to commands that were sent together, or the error of the connection.
pub(super) type Answers = RedisResult<Vec<RedisResult<Value>>>;

/// A connection attempt, pending or complete. Concurrent callers wait for the same one.
type Attempt = Shared<BoxFuture<'static, RedisResult<Wire>>>;

/// The reaction to a late reply.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum WhenLate {
    /// Replace the connection, because the next round trip over it would be late as well.
    Replace,
    /// Check the connection first. The node can be busy, and new connections would make it busier.
    Check,
}

pub struct Link {
    /// The address of the node and all options of a connection.
    client: Client,
    timeouts: Timeouts,
    /// Size of the connection's cache in bytes. 0: no cache.
    cache_bytes: usize,
    when_late: WhenLate,
    current: Mutex<Option<Attempt>>,
    /// Whether a check of the connection is under way.
    is_checking: AtomicBool,
    /// Whether the last connection did not open or did not pass a check in time.
    was_silent: Arc<AtomicBool>,
}

impl Link {
    pub fn new(client: Client, timeouts: Timeouts, when_late: WhenLate) -> Self {
        Self {
            client,
            timeouts,
            cache_bytes: 0,
            when_late,
            current: Mutex::default(),
            is_checking: AtomicBool::new(false),
            was_silent: Arc::default(),
        }
    }

    /// Returns another link to the same node.
    pub fn another(&self) -> Self {
        self.another_with_cache(self.cache_bytes)
    }

    /// Returns another link without a cache, with replies that may take `wait` longer.
    pub fn another_for_blocking(&self, wait: Duration) -> Self {
        let mut timeouts = self.timeouts.clone();
        timeouts.redis_response += wait;
        Self::new(self.client.clone(), timeouts, self.when_late)
    }

    /// Returns another link with a cache of so many bytes, if Redis can keep it current.
    pub fn another_with_cache(&self, cache_bytes: usize) -> Self {
        Self {
            cache_bytes,
            ..Self::new(self.client.clone(), self.timeouts.clone(), self.when_late)
        }
    }

    /// Opens a separate connection for messages from Redis.
    pub async fn listen(
        &self,
        config: AsyncConnectionConfig,
    ) -> RedisResult<MultiplexedConnection> {
        let info = self.client.get_connection_info().clone();
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
    pub fn cache(&self) -> Option<Arc<Cache>> {
        match self.current.lock().as_ref()?.peek() {
            Some(Ok(wire)) => wire.cache.clone(),
            _ => None,
        }
    }

    /// Sends commands in order in one round trip. Each gets its own reply.
    pub async fn send(self: &Arc<Self>, commands: &[Cmd]) -> Answers {
        let longest = self.timeouts.redis_connect + self.timeouts.redis_response;
        self.send_until(Instant::now() + longest, commands).await
    }

    /// Sends commands in order in one round trip, which ends at this time. If the connection turns out to be
    /// dead, as after a restart of Redis, sends them again over a new one: every command leaves the same
    /// data when executed twice.
    pub async fn send_until(self: &Arc<Self>, end: Instant, commands: &[Cmd]) -> Answers {
        let mut pipeline = Pipeline::with_capacity(commands.len());
        pipeline.ignore_errors();
        for command in commands {
            pipeline.add_command(command.clone());
        }
        let answers = self.send_once(end, &pipeline).await;
        if answers
            .as_ref()
            .is_err_and(RedisError::is_connection_dropped)
        {
            return self.send_once(end, &pipeline).await;
        }
        answers
    }

    /// Returns whether the node is silent: the last connection to it was, and a new one does not open within this
    /// moment. The attempt continues without the caller.
    pub async fn is_silent(&self, moment: Duration) -> bool {
        if !self.was_silent.load(Ordering::Relaxed) {
            return false;
        }
        let attempt = self.attempt();
        match timeout(moment, attempt.clone()).await {
            Ok(Ok(_)) => false,
            Ok(Err(_)) => {
                self.give_up(&attempt);
                true
            }
            Err(_) => true,
        }
    }

    /// Makes a round trip. A connection that could not be opened or broke is replaced by the next one. A reply over
    /// a connection that was replaced meanwhile counts as lost, because the caller then reads the cache of
    /// the current connection.
    async fn send_once(self: &Arc<Self>, end: Instant, pipeline: &Pipeline) -> Answers {
        let attempt = self.attempt();
        let round_trip = async {
            let mut wire = attempt.clone().await?;
            pipeline.query_async(&mut wire.connection).await
        };
        let late = |_| Err(io::Error::from(io::ErrorKind::TimedOut).into());
        let answers: Answers = timeout_at(end, round_trip).await.unwrap_or_else(late);
        match (&answers, attempt.peek()) {
            (Ok(_), _) if self.cache_bytes > 0 && !self.is_current(&attempt) => {
                return Err((ErrorKind::Io, "the connection was replaced").into());
            }
            // A connection that is being opened has its own time-out.
            (Ok(_), _) | (Err(_), None) => {}
            (Err(error), Some(Ok(wire)))
                if error.is_timeout() && self.when_late == WhenLate::Check =>
            {
                self.check(attempt.clone(), wire.clone());
            }
            (Err(_), Some(_)) => self.give_up(&attempt),
        }
        answers
    }

    /// Replaces an open connection that does not answer within the time for a new one.
    fn check(self: &Arc<Self>, attempt: Attempt, mut wire: Wire) {
        if self.is_checking.swap(true, Ordering::Relaxed) {
            return;
        }
        let link = Arc::clone(self);
        tokio::spawn(async move {
            let ping = redis::cmd("PING");
            let answer = ping.exec_async(&mut wire.connection);
            let is_silent = match timeout(link.timeouts.redis_connect, answer).await {
                Ok(answer) => answer.is_err_and(|error| error.is_timeout()),
                Err(_) => true,
            };
            if is_silent {
                link.was_silent.store(true, Ordering::Relaxed);
                link.give_up(&attempt);
            }
            link.is_checking.store(false, Ordering::Relaxed);
        });
    }

    fn attempt(&self) -> Attempt {
        self.current
            .lock()
            .get_or_insert_with(|| {
                let connecting =
                    connect(self.client.clone(), self.timeouts.clone(), self.cache_bytes);
                let was_silent = Arc::clone(&self.was_silent);
                let note_silence = move |opened: &RedisResult<Wire>| {
                    let is_late = opened.as_ref().is_err_and(RedisError::is_timeout);
                    was_silent.store(is_late, Ordering::Relaxed);
                };
                let attempt = connecting.inspect(note_silence).boxed().shared();
                // The attempt continues if its first caller stops waiting.
                tokio::spawn(attempt.clone().map(drop));
                attempt
            })
            .clone()
    }

    /// Replaces the connection, unless another caller has done so.
    fn give_up(&self, broken: &Attempt) {
        let mut current = self.current.lock();
        if current.as_ref().is_some_and(|now| now.ptr_eq(broken)) {
            *current = None;
        }
    }

    fn is_current(&self, attempt: &Attempt) -> bool {
        let current = self.current.lock();
        current.as_ref().is_some_and(|now| now.ptr_eq(attempt))
    }
}
