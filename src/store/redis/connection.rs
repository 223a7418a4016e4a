//! A connection to Redis, single node or cluster, behind one type. Every round trip passes here:
//! time-outs, NOSCRIPT, confirmation by replicas and the mapping of errors are solved once.

use std::time::Duration;

use redis::{Cmd, ErrorKind, FromRedisValue, RedisResult, ServerErrorKind, Value};

pub(in crate::store) use super::reply::read;
use super::{
    clock::millis, cluster::Order, failures::failure, nodes::Node, reply::Outcome,
    request_coalescing::RequestCoalescer, script_call::TypedCall, scripts, servers::Servers,
};
use crate::{
    config::Timeouts,
    store::{Error, Result, cache::recording::note_uncached_read},
};

#[derive(Clone)]
pub struct Connection {
    patience: Duration,
    /// Number of replicas that must confirm a write.
    replicas: u8,
    live: Servers,
    /// The connections for writes that replicas confirm. Nothing else uses them, because WAIT blocks the
    /// commands behind it.
    confirming: Servers,
    /// Shared round trips that bring the cache up to date.
    request_coalescing: RequestCoalescer,
    #[cfg(feature = "failpoints")]
    fuse: Option<super::failpoints::Fuse>,
}

impl Connection {
    /// Creates a connection that is opened at first use, on the runtime that uses it.
    pub fn new(servers: Servers, timeouts: &Timeouts, replicas: u8, cache_bytes: usize) -> Self {
        Self {
            patience: timeouts.redis_response,
            replicas,
            live: servers.another_with_cache(cache_bytes),
            confirming: servers,
            request_coalescing: RequestCoalescer::default(),
            #[cfg(feature = "failpoints")]
            fuse: None,
        }
    }

    /// Returns another connection to the same Redis.
    pub fn fork(&self) -> Self {
        Self {
            live: self.live.another(),
            confirming: self.confirming.another(),
            request_coalescing: RequestCoalescer::default(),
            ..self.clone()
        }
    }

    /// Returns another connection for blocking commands, with replies that may take so much longer.
    pub fn fork_for_blocking(&self, wait: Duration) -> Self {
        Self {
            live: self.live.another_for_blocking(wait),
            confirming: self.confirming.another_for_blocking(wait),
            request_coalescing: RequestCoalescer::default(),
            ..self.clone()
        }
    }

    #[cfg(feature = "failpoints")]
    pub fn with_fuse(&self, fuse: super::failpoints::Fuse) -> Self {
        Self {
            fuse: Some(fuse),
            ..self.clone()
        }
    }

    /// Returns the same connection without a fuse.
    pub fn without_fuse(&self) -> Self {
        Self {
            #[cfg(feature = "failpoints")]
            fuse: None,
            ..self.clone()
        }
    }

    /// Returns the servers, for a connection of another kind.
    pub fn servers(&self) -> &Servers {
        &self.live
    }

    pub fn is_cluster(&self) -> bool {
        self.live.is_cluster()
    }

    pub(super) fn replicas(&self) -> u8 {
        self.replicas
    }

    /// Sends one command.
    pub async fn query<T: FromRedisValue>(&self, command: Cmd) -> Result<T> {
        let answers = self.batch(vec![command]).await?;
        let answer = answers.into_iter().next().unwrap_or_default();
        read(answer)
    }

    /// Sends one command and ignores a reply that is no error.
    pub async fn execute(&self, command: Cmd) -> Result<()> {
        self.batch(vec![command]).await.map(drop)
    }

    /// Sends independent commands in one round trip. Replies have the order of the commands. The first
    /// error fails the batch.
    pub async fn batch(&self, commands: Vec<Cmd>) -> Result<Vec<Value>> {
        self.run_commands(commands, Order::Any).await
    }

    /// Sends independent commands in one round trip, and reads each reply as this type.
    pub async fn query_each<T: FromRedisValue>(
        &self,
        commands: impl IntoIterator<Item = Cmd>,
    ) -> Result<Vec<T>> {
        let answers = self.batch(commands.into_iter().collect()).await?;
        answers.into_iter().map(read).collect()
    }

    /// Sends independent commands in one round trip, and reads each reply as this type. Each has its own error, because
    /// one node of a cluster can fail alone.
    pub async fn try_each<T: FromRedisValue>(&self, commands: Vec<Cmd>) -> Vec<Result<T>> {
        #[cfg(feature = "failpoints")]
        if self.fuse.is_some() {
            let mut answers = Vec::with_capacity(commands.len());
            for command in commands {
                answers.push(self.query(command).await);
            }
            return answers;
        }
        note_uncached_read();
        match self.send(&commands, Order::Any).await {
            Ok(answers) => {
                let answers = answers.into_iter();
                answers
                    .map(|answer| read(answer.map_err(|error| failure(&error))?))
                    .collect()
            }
            Err(error) => commands.iter().map(|_| Err(error.clone())).collect(),
        }
    }

    /// Sends independent commands in one round trip, and reads their replies as one tuple.
    pub async fn query_tuple<T: FromRedisValue, const N: usize>(
        &self,
        commands: [Cmd; N],
    ) -> Result<T> {
        read(Value::Array(self.batch(commands.into()).await?))
    }

    /// Sends groups of independent commands in one round trip, and reads the replies to each group as one
    /// tuple.
    pub async fn query_tuples<T: FromRedisValue, const N: usize>(
        &self,
        groups: impl IntoIterator<Item = [Cmd; N]>,
    ) -> Result<Vec<T>> {
        let commands = groups.into_iter().flatten().collect();
        let mut answers = self.batch(commands).await?.into_iter();
        let mut tuples = Vec::with_capacity(answers.len() / N);
        while answers.len() > 0 {
            tuples.push(read(Value::Array(answers.by_ref().take(N).collect()))?);
        }
        Ok(tuples)
    }

    /// Runs a script and returns its outcome.
    pub async fn run<T: Outcome>(&self, call: &impl TypedCall) -> Result<T> {
        let word: String = self.query(call.command()).await?;
        call.script().outcome(&word)
    }

    /// Runs a script as a durable write and returns its outcome.
    pub async fn run_durably<T: Outcome>(&self, call: &impl TypedCall) -> Result<T> {
        let word: String = self.write_durably(call.command()).await?;
        call.script().outcome(&word)
    }

    /// Runs a script with two outcomes, and returns whether it is the first.
    pub async fn succeeds(&self, call: &impl TypedCall, outcomes: [&str; 2]) -> Result<bool> {
        let word: String = self.query(call.command()).await?;
        call.script().succeeded(&word, outcomes)
    }

    /// Executes commands in order on one node in one round trip. They are not atomic, and an error does
    /// not stop later ones.
    pub async fn chain(&self, commands: Vec<Cmd>) -> Result<Vec<Value>> {
        self.run_commands(commands, Order::Kept).await
    }

    /// Returns the servers with their caches, which Redis keeps current. With a fuse there are none: each command is a
    /// round trip of its own, and other clients may write in between.
    pub(in crate::store) fn cached_servers(&self) -> Option<&Servers> {
        #[cfg(feature = "failpoints")]
        if self.fuse.is_some() {
            return None;
        }
        Some(&self.live).filter(|servers| servers.has_cache())
    }

    /// Returns whether an open connection has a cache.
    pub fn has_cache(&self) -> bool {
        self.cached_servers().is_some()
    }

    /// Makes a round trip that starts after this call, shared with other callers. The cache of a single node is then at
    /// least as new as this call. Any reply will do: a Redis with a full disk refuses a PING, but has
    /// sent its invalidations before.
    pub async fn catch_up(&self) -> Result<()> {
        let trip = || {
            let live = self.live.clone();
            async move {
                let ping = [redis::cmd("PING")];
                let answers = live.send(&ping, Order::Kept).await;
                answers.map(drop).map_err(|error| failure(&error))
            }
        };
        self.request_coalescing.next(trip).await
    }

    /// Sends independent reads, each of one key or by a script, in one round trip with tracking. Each
    /// reply says whether Redis tracks it.
    pub async fn tracked(&self, reads: Vec<Cmd>) -> Result<Vec<(Value, bool)>> {
        let watch = |read: Cmd| [redis::cmd("CLIENT").arg("CACHING").arg("YES").take(), read];
        let mut commands: Vec<Cmd> = reads.into_iter().flat_map(watch).collect();
        let mut answers = self.send_once(&commands, Order::Kept).await?;
        if answers.iter().any(is_no_script) {
            commands = commands.iter().map(scripts::in_full).collect();
            answers = self.send_once(&commands, Order::Kept).await?;
        }
        let mut answers = answers.into_iter();
        let mut read = Vec::with_capacity(commands.len() / 2);
        while let (Some(watched), Some(answer)) = (answers.next(), answers.next()) {
            read.push((answer.map_err(|error| failure(&error))?, watched.is_ok()));
        }
        Ok(read)
    }

    /// Writes durably: the configured number of replicas confirms the write, or the call fails with
    /// [`Error::Unavailable`]. WAIT covers its own connection only, so it follows the write on it; if
    /// the connection breaks, both are sent again. So a script that is sent this way writes at every
    /// call, even if its work is done: what it finds may be unconfirmed, and WAIT needs a write to wait
    /// for.
    pub async fn write_durably<T: FromRedisValue>(&self, command: Cmd) -> Result<T> {
        note_uncached_read();
        if self.replicas == 0 {
            return self.query(command).await;
        }
        self.burn(1)?;
        let mut answers = self.send_and_wait(command.clone()).await?;
        if answers.first().is_some_and(is_no_script) {
            answers = self.send_and_wait(scripts::in_full(&command)).await?;
        }
        let [answer, confirmed] =
            <[RedisResult<Value>; 2]>::try_from(answers).map_err(|_| Error::Unexpected {
                what: "a pipeline",
                answer: "not two answers".into(),
            })?;
        let answer = read(answer.map_err(|error| failure(&error))?)?;
        let confirmed: u64 = read(confirmed.map_err(|error| failure(&error))?)?;
        if confirmed < u64::from(self.replicas) {
            return Err(Error::Unavailable(format!(
                "{confirmed} replicas of {} have the write",
                self.replicas
            )));
        }
        Ok(answer)
    }

    async fn send_and_wait(&self, command: Cmd) -> Result<Vec<RedisResult<Value>>> {
        let mut wait = redis::cmd("WAIT");
        wait.arg(self.replicas).arg(millis(self.patience / 4));
        let answers = self.confirming.send_together(&[command, wait]).await;
        answers.map_err(|error| failure(&error))
    }

    async fn run_commands(&self, commands: Vec<Cmd>, order: Order) -> Result<Vec<Value>> {
        if commands.is_empty() {
            return Ok(Vec::new());
        }
        note_uncached_read();
        #[cfg(feature = "failpoints")]
        match &self.fuse {
            Some(fuse) if fuse.ends() => return self.run_one_by_one(commands).await,
            _ => self.burn(1)?,
        }
        let answers = self.send(&commands, order).await?;
        let answers: RedisResult<Vec<Value>> = answers.into_iter().collect();
        answers.map_err(|error| failure(&error))
    }

    /// With a fuse, each command is a round trip of its own, so that a crash can fall between any two.
    #[cfg(feature = "failpoints")]
    async fn run_one_by_one(&self, commands: Vec<Cmd>) -> Result<Vec<Value>> {
        let mut answers = Vec::with_capacity(commands.len());
        for command in commands {
            self.burn(1)?;
            for answer in self.send(&[command], Order::Kept).await? {
                answers.push(answer.map_err(|error| failure(&error))?);
            }
        }
        Ok(answers)
    }

    /// Sends the commands. A script that Redis does not know is sent in full, as after a restart, a
    /// promotion, or a move of its slot. If the order counts, all later commands are sent again after it.
    async fn send(&self, commands: &[Cmd], order: Order) -> Result<Vec<RedisResult<Value>>> {
        let mut answers = self.send_once(commands, order).await?;
        let is_unknown = |at: &usize| is_no_script(&answers[*at]);
        let places = 0..answers.len();
        let repeated: Vec<usize> = match order {
            Order::Kept => places.skip_while(|at| !is_unknown(at)).collect(),
            Order::Any => places.filter(is_unknown).collect(),
        };
        if !repeated.is_empty() {
            let in_full: Vec<Cmd> = repeated
                .iter()
                .map(|at| scripts::in_full(&commands[*at]))
                .collect();
            let again = self.send_once(&in_full, order).await?;
            for (at, answer) in repeated.into_iter().zip(again) {
                answers[at] = answer;
            }
        }
        Ok(answers)
    }

    async fn send_once(&self, commands: &[Cmd], order: Order) -> Result<Vec<RedisResult<Value>>> {
        let answers = self.live.send(commands, order).await;
        answers.map_err(|error| failure(&error))
    }

    /// Returns the primaries with their slots; one without slots on a single node. Two equal replies
    /// mean that no slot moved in between.
    pub async fn primaries(&self) -> Result<Vec<Node>> {
        self.live.primaries().await
    }

    /// Sends one command without a key, or with a key of this primary.
    pub async fn query_on<T: FromRedisValue>(&self, node: &Node, command: Cmd) -> Result<T> {
        note_uncached_read();
        if !self.is_cluster() {
            return self.query(command).await;
        }
        let answers = self.live.send_to(node, &[command]).await;
        let answers = answers.map_err(|error| failure(&error))?;
        let answer = answers.into_iter().next().unwrap_or(Ok(Value::Nil));
        read(answer.map_err(|error| failure(&error))?)
    }

    /// Sends commands in order over one connection, so one process of Redis answers all of them: to this primary, or
    /// without one to the primary with the key of the first command. Reads the replies as one tuple.
    pub(super) async fn query_one_process<T: FromRedisValue, const N: usize>(
        &self,
        node: Option<&Node>,
        commands: [Cmd; N],
    ) -> Result<T> {
        note_uncached_read();
        self.burn(1)?;
        let answers = match node {
            Some(node) => self.live.send_to(node, &commands).await,
            None => self.live.send_together(&commands).await,
        };
        let answers = answers.map_err(|error| failure(&error))?;
        let answers: RedisResult<Vec<Value>> = answers.into_iter().collect();
        read(Value::Array(answers.map_err(|error| failure(&error))?))
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

fn is_no_script(answer: &RedisResult<Value>) -> bool {
    let no_script = ErrorKind::Server(ServerErrorKind::NoScript);
    matches!(answer, Err(error) if error.kind() == no_script)
}
