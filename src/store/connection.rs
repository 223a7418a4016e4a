//! One connection to Redis, to a single node or to a cluster, behind one type. Every trip goes
//! through here: time-outs, NOSCRIPT and the mapping of failures are solved once.

use std::sync::Arc;

use redis::{
    Client, Cmd, ErrorKind, FromRedisValue, RedisError, RedisResult, ServerErrorKind, Value,
    aio::{ConnectionManager, ConnectionManagerConfig},
    cluster::ClusterClient,
    cluster_async::ClusterConnection,
};
use tokio::sync::OnceCell;

use super::{Error, Result, scripts};
use crate::config::Timeouts;

/// How many commands of independent keys are under way at a time on a cluster.
const CLUSTER_CONCURRENCY: usize = 64;

/// Where Redis is: what a connection is made from.
#[derive(Clone)]
pub(super) enum Target {
    Node(Box<Client>),
    Cluster(Box<ClusterClient>),
}

#[derive(Clone)]
pub(super) struct Connection {
    target: Target,
    timeouts: Timeouts,
    live: Arc<OnceCell<Live>>,
    #[cfg(feature = "failpoints")]
    fuse: Option<super::failpoints::Fuse>,
}

#[derive(Clone)]
enum Live {
    Node(ConnectionManager),
    Cluster(ClusterConnection),
}

impl Connection {
    /// A connection that is made at its first use, on the runtime that uses it.
    pub(super) fn new(target: Target, timeouts: Timeouts) -> Self {
        Self {
            target,
            timeouts,
            live: Arc::default(),
            #[cfg(feature = "failpoints")]
            fuse: None,
        }
    }

    /// Another connection to the same place.
    pub(super) fn fork(&self) -> Self {
        Self {
            live: Arc::default(),
            ..self.clone()
        }
    }

    /// The same, for commands that wait: an answer may take that much longer.
    pub(super) fn fork_for_blocking(&self, wait: std::time::Duration) -> Self {
        let mut fork = self.fork();
        fork.timeouts.redis_response += wait;
        fork
    }

    #[cfg(feature = "failpoints")]
    pub(super) fn with_fuse(&self, fuse: super::failpoints::Fuse) -> Self {
        Self {
            fuse: Some(fuse),
            ..self.clone()
        }
    }

    pub(super) fn is_cluster(&self) -> bool {
        matches!(self.target, Target::Cluster(_))
    }

    async fn live(&self) -> Result<Live> {
        let live = self.live.get_or_try_init(|| self.open()).await;
        live.cloned().map_err(|error| failure(&error))
    }

    async fn open(&self) -> RedisResult<Live> {
        match &self.target {
            Target::Node(client) => {
                let config = ConnectionManagerConfig::new()
                    .set_connection_timeout(Some(self.timeouts.redis_connect))
                    .set_response_timeout(Some(self.timeouts.redis_response))
                    .set_number_of_retries(1);
                let manager =
                    ConnectionManager::new_lazy_with_config(Client::clone(client), config)?;
                Ok(Live::Node(manager))
            }
            Target::Cluster(client) => Ok(Live::Cluster(client.get_async_connection().await?)),
        }
    }

    /// One command.
    pub(super) async fn query<T: FromRedisValue>(&self, command: Cmd) -> Result<T> {
        let answers = self.batch(vec![command]).await?;
        let answer = answers.into_iter().next().unwrap_or_default();
        read(answer)
    }

    /// Independent commands in one round trip. Answers stand in the order of the commands; the
    /// first failure among them is the batch's.
    pub(super) async fn batch(&self, commands: Vec<Cmd>) -> Result<Vec<Value>> {
        self.run(commands, Order::Any).await
    }

    /// Commands that are executed one after the other, on one node in one round trip. They are
    /// not atomic, and one that fails does not stop those behind it.
    pub(super) async fn chain(&self, commands: Vec<Cmd>) -> Result<Vec<Value>> {
        self.run(commands, Order::Kept).await
    }

    /// Commands on keys of one slot, with nothing in between them.
    pub(super) async fn atomic<T: FromRedisValue>(&self, commands: Vec<Cmd>) -> Result<T> {
        self.burn(1)?;
        let mut pipeline = redis::pipe();
        pipeline.atomic();
        for command in commands {
            pipeline.add_command(command);
        }
        match self.live().await? {
            Live::Node(mut node) => query_node(&pipeline, &mut node).await,
            Live::Cluster(mut cluster) => {
                let answer = pipeline.query_async(&mut cluster).await;
                answer.map_err(|error| failure(&error))
            }
        }
    }

    async fn run(&self, commands: Vec<Cmd>, order: Order) -> Result<Vec<Value>> {
        if commands.is_empty() {
            return Ok(Vec::new());
        }
        #[cfg(feature = "failpoints")]
        if self.fuse.is_some() {
            return self.run_one_by_one(commands).await;
        }
        let mut answers = self.send(&commands, order).await?;
        if answers.iter().any(is_no_script) {
            self.load_scripts().await?;
            answers = self.send(&commands, order).await?;
        }
        let answers: RedisResult<Vec<Value>> = answers.into_iter().collect();
        answers.map_err(|error| failure(&error))
    }

    /// With a fuse, each command is a trip of its own, so that a crash can fall between any two.
    #[cfg(feature = "failpoints")]
    async fn run_one_by_one(&self, commands: Vec<Cmd>) -> Result<Vec<Value>> {
        let mut answers = Vec::with_capacity(commands.len());
        for command in commands {
            self.burn(1)?;
            let command = std::slice::from_ref(&command);
            let mut answer = self.send(command, Order::Kept).await?;
            if answer.iter().any(is_no_script) {
                self.load_scripts().await?;
                answer = self.send(command, Order::Kept).await?;
            }
            let answer: RedisResult<Vec<Value>> = answer.into_iter().collect();
            answers.extend(answer.map_err(|error| failure(&error))?);
        }
        Ok(answers)
    }

    async fn send(&self, commands: &[Cmd], order: Order) -> Result<Vec<RedisResult<Value>>> {
        match self.live().await? {
            Live::Node(mut node) => {
                let mut pipeline = redis::Pipeline::with_capacity(commands.len());
                pipeline.ignore_errors();
                for command in commands {
                    pipeline.add_command(command.clone());
                }
                query_node(&pipeline, &mut node).await
            }
            Live::Cluster(cluster) => Ok(send_to_cluster(&cluster, commands, order).await),
        }
    }

    /// Gives Redis every script again: after a restart or SCRIPT FLUSH it knows none.
    async fn load_scripts(&self) -> Result<()> {
        for script in scripts::ALL {
            let mut load = redis::cmd("SCRIPT");
            load.arg("LOAD").arg(script.source());
            let loaded: RedisResult<Value> = match self.live().await? {
                Live::Node(mut node) => load.query_async(&mut node).await,
                Live::Cluster(mut cluster) => load.query_async(&mut cluster).await,
            };
            loaded.map_err(|error| failure(&error))?;
        }
        Ok(())
    }

    #[cfg(feature = "failpoints")]
    fn burn(&self, commands: usize) -> Result<()> {
        match &self.fuse {
            Some(fuse) => fuse.burn(commands),
            None => Ok(()),
        }
    }

    #[cfg(not(feature = "failpoints"))]
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "the failpoints' signature"
    )]
    fn burn(&self, _commands: usize) -> Result<()> {
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Kept,
    Any,
}

/// Sends once more over a new connection where the old one turned out to be dead, as after a restart
/// of Redis: every command leaves the same data when it is executed twice.
async fn query_node<T: FromRedisValue>(
    pipeline: &redis::Pipeline,
    node: &mut ConnectionManager,
) -> Result<T> {
    let mut answer = pipeline.query_async(node).await;
    if answer
        .as_ref()
        .is_err_and(RedisError::is_connection_dropped)
    {
        answer = pipeline.query_async(node).await;
    }
    answer.map_err(|error| failure(&error))
}

/// A cluster takes no pipeline over several slots: single commands, multiplexed.
async fn send_to_cluster(
    cluster: &ClusterConnection,
    commands: &[Cmd],
    order: Order,
) -> Vec<RedisResult<Value>> {
    use futures_util::{StreamExt, stream};

    let at_once = if order == Order::Kept {
        1
    } else {
        CLUSTER_CONCURRENCY
    };
    stream::iter(commands.to_vec())
        .map(|command: Cmd| {
            let mut cluster = cluster.clone();
            async move { command.query_async(&mut cluster).await }
        })
        .buffered(at_once)
        .collect()
        .await
}

fn is_no_script(answer: &RedisResult<Value>) -> bool {
    let no_script = ErrorKind::Server(ServerErrorKind::NoScript);
    matches!(answer, Err(error) if error.kind() == no_script)
}

/// An answer as the type it is documented to have.
pub(super) fn read<T: FromRedisValue>(answer: Value) -> Result<T> {
    redis::from_redis_value(answer).map_err(|_| Error::Unexpected {
        what: "a Redis command",
        answer: format!("not a {}", std::any::type_name::<T>()),
    })
}

/// What the log may say of a failure: where an answer could not be read, never the answer.
fn describe(error: &RedisError) -> String {
    match error.kind() {
        ErrorKind::UnexpectedReturnType | ErrorKind::Parse => format!("{:?}", error.kind()),
        _ => error.to_string(),
    }
}

/// Answers that are not server errors of ours are about reaching Redis, or about its state.
pub(super) fn failure(error: &RedisError) -> Error {
    const PASSING: [&str; 12] = [
        "EXECABORT",
        "LATE",
        "LOADING",
        "READONLY",
        "CLUSTERDOWN",
        "TRYAGAIN",
        "MASTERDOWN",
        "OOM",
        "MISCONF",
        "NOREPLICAS",
        "BUSY",
        "UNKILLABLE",
    ];
    let text = describe(error);
    let code = error.code().unwrap_or_default();
    // An error raised inside a script keeps its code only in its text.
    let inside = PASSING.iter().any(|code| {
        error
            .detail()
            .is_some_and(|detail| detail.contains(&format!("{code} ")))
    });
    match error.kind() {
        _ if PASSING.contains(&code) || inside => Error::Unavailable(text),
        ErrorKind::Server(_)
        | ErrorKind::Extension
        | ErrorKind::UnexpectedReturnType
        | ErrorKind::Parse => Error::Unexpected {
            what: "Redis",
            answer: text,
        },
        _ => Error::Unavailable(text),
    }
}
