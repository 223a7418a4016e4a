//! Tasks and outbox entries. `tasks:{p}` is a stream with one consumer group, never trimmed.
//! `tasks:{p}:later` holds work that is due later. `tasks:{p}:dead` holds work that was given up.

pub(super) mod backlog;

use std::time::Duration;

use redis::{
    Cmd,
    streams::{
        StreamAutoClaimReply, StreamClaimReply, StreamId, StreamPendingCountReply, StreamReadReply,
    },
};

use super::{
    Error, Result, Store, UnixMs, keys,
    redis::{
        call::millis,
        connection::read,
        scripts::{self, With},
    },
};
use crate::domain::{Task, Thing};

pub(super) const GROUP: &str = "workers";
/// Number of due entries moved per step.
const MOVED_AT_ONCE: usize = 100;

/// An outbox entry in `tasks:{p}:later`. Remove it when nothing is left to do.
#[derive(Debug, Clone)]
#[must_use]
pub struct OutboxEntry {
    entry: String,
    partition: u16,
}

/// A task held by this consumer.
#[derive(Debug, Clone)]
pub struct Taken {
    id: String,
    partition: u16,
    pub task: std::result::Result<Task, String>,
    /// Number of failures and of workers lost with it.
    pub attempts: u32,
    /// Number of deliveries of its stream entry.
    deliveries: usize,
}

/// Outcome of a task.
#[derive(Debug, Clone)]
pub enum Finish {
    Done,
    /// Done, with a task that follows.
    Next(Task),
    /// Failed. It is retried after this time.
    Retry(Duration),
    /// Failed too often, for this reason.
    Dead(String),
}

impl Store {
    /// Returns the number of task partitions: one on a single node, several on a cluster.
    #[must_use]
    pub fn partitions(&self) -> u16 {
        if self.connection.is_cluster() { 16 } else { 1 }
    }

    fn partition(&self, task: &Task) -> u16 {
        let number = match task {
            Task::Deliver { status, .. } | Task::Withdraw { status, .. } | Task::Index(status) => {
                status.get()
            }
            Task::TakeAlong { original, .. } => original.get(),
            Task::Reconcile(Thing::Status(status)) => status.get(),
            Task::Rebuild(timeline) => timeline.owner().get(),
            Task::Reconcile(
                Thing::Edge(user, _)
                | Thing::Account(user, _)
                | Thing::Favourite(user, _)
                | Thing::Repost(user, _)
                | Thing::TagFollow(user, _)
                | Thing::Names(user),
            ) => user.get(),
            Task::Reconcile(Thing::ListMembership(list, _) | Thing::List(list)) => list.owner.get(),
        };
        u16::try_from(number % u64::from(self.partitions())).unwrap_or_default()
    }

    /// Writes an outbox entry. Each operation has its own entry, so finishing one never removes
    /// another's.
    pub async fn add_outbox_entry(&self, thing: &Thing) -> Result<OutboxEntry> {
        let task = Task::Reconcile(thing.clone());
        let partition = self.partition(&task);
        let entry = format!("{:032x} 0 {task}", rand::random::<u128>());
        let due = self.now().await?.0 + millis(self.config.timeouts.outbox_delay);
        let command = redis::cmd("ZADD")
            .with(keys::tasks_later(partition))
            .with(due)
            .with(&entry);
        self.connection.query::<i64>(command).await?;
        Ok(OutboxEntry { entry, partition })
    }

    /// Removes an outbox entry. Its operation is complete, or its rest is in the stream.
    pub async fn remove_outbox_entry(&self, outbox_entry: OutboxEntry) -> Result<()> {
        let command = redis::cmd("ZREM")
            .with(keys::tasks_later(outbox_entry.partition))
            .with(outbox_entry.entry);
        self.connection.query::<i64>(command).await.map(drop)
    }

    /// Adds a task to the stream.
    pub async fn enqueue(&self, task: &Task) -> Result<()> {
        self.enqueue_all(std::slice::from_ref(task)).await
    }

    /// Adds tasks to their streams. One round trip.
    pub async fn enqueue_all(&self, tasks: &[Task]) -> Result<()> {
        let add = |task: &Task| {
            redis::cmd("XADD")
                .with(keys::tasks(self.partition(task)))
                .with("*")
                .with(&["task", &task.to_string(), "attempts", "0"])
        };
        let added = self
            .connection
            .batch(tasks.iter().map(add).collect())
            .await?;
        added
            .into_iter()
            .try_for_each(|id| read::<String>(id).map(drop))
    }

    /// Creates the consumer group if it does not exist.
    pub async fn found_group(&self, partition: u16) -> Result<()> {
        let create = redis::cmd("XGROUP")
            .with("CREATE")
            .with(keys::tasks(partition))
            .with(GROUP)
            .with(0)
            .with("MKSTREAM");
        match self.connection.query::<String>(create).await {
            Err(Error::Unexpected { answer, .. }) if answer.contains("BUSYGROUP") => Ok(()),
            other => other.map(drop),
        }
    }

    /// Returns a handle for [`Store::take_task`], which waits up to `wait` longer for replies.
    #[must_use]
    pub fn fork_for_blocking(&self, wait: Duration) -> Self {
        Self {
            connection: self.connection.fork_for_blocking(wait),
            ..self.clone()
        }
    }

    /// Waits for a new task, up to `wait`; zero does not wait.
    pub async fn take_task(
        &self,
        partition: u16,
        consumer: &str,
        wait: Duration,
    ) -> Result<Option<Taken>> {
        let mut read_group = read_group(consumer);
        if !wait.is_zero() {
            read_group = read_group.with("BLOCK").with(millis(wait));
        }
        let read_group = read_group
            .with("STREAMS")
            .with(keys::tasks(partition))
            .with(">");
        let reply: Option<StreamReadReply> = self.connection.query(read_group).await?;
        let entry = reply.and_then(|reply| reply.keys.into_iter().next()?.ids.into_iter().next());
        entry.map(|entry| taken(entry, partition)).transpose()
    }

    /// Returns the first task that this consumer took and did not finish because Redis became
    /// unavailable. Its delivery count stays the same.
    pub async fn held_task(&self, partition: u16, consumer: &str) -> Result<Option<Taken>> {
        let stream = keys::tasks(partition);
        loop {
            let first = pending(&stream).with("-").with("+").with(1).with(consumer);
            let held: StreamPendingCountReply = self.connection.query(first).await?;
            let Some(held) = held.ids.into_iter().next() else {
                return Ok(None);
            };
            let reply = self
                .hold(partition, consumer, &held.id, held.times_delivered)
                .await?;
            // A task that was finished meanwhile is no longer held.
            if let Some(entry) = reply.ids.into_iter().next() {
                return taken(entry, partition).map(Some);
            }
        }
    }

    /// Claims a task with this delivery count.
    async fn hold(
        &self,
        partition: u16,
        consumer: &str,
        id: &str,
        deliveries: usize,
    ) -> Result<StreamClaimReply> {
        let claim = redis::cmd("XCLAIM")
            .with(keys::tasks(partition))
            .with(GROUP)
            .with(consumer)
            .with(0)
            .with(id)
            .with("RETRYCOUNT")
            .with(deliveries);
        self.connection.query(claim).await
    }

    /// Takes over a task that another consumer has held for longer than `idle`. Its worker is lost,
    /// which counts as an attempt. Scans all held tasks in steps.
    pub async fn claim_task(
        &self,
        partition: u16,
        consumer: &str,
        idle: Duration,
    ) -> Result<Option<Taken>> {
        let mut from = "0-0".to_owned();
        loop {
            let claim = redis::cmd("XAUTOCLAIM")
                .with(keys::tasks(partition))
                .with(GROUP)
                .with(consumer)
                .with(millis(idle))
                .with(&from)
                .with("COUNT")
                .with(1);
            let reply: StreamAutoClaimReply = self.connection.query(claim).await?;
            if let Some(entry) = reply.claimed.into_iter().next() {
                let deliveries = self.deliveries(partition, &entry.id).await?;
                let lost = u32::try_from(deliveries.saturating_sub(1)).unwrap_or(u32::MAX);
                let mut taken = taken(entry, partition)?;
                taken.attempts = taken.attempts.saturating_add(lost);
                taken.deliveries = deliveries;
                return Ok(Some(taken));
            }
            if reply.next_stream_id == "0-0" {
                return Ok(None);
            }
            from = reply.next_stream_id;
        }
    }

    async fn deliveries(&self, partition: u16, id: &str) -> Result<usize> {
        let this = pending(&keys::tasks(partition)).with(id).with(id).with(1);
        let reply: StreamPendingCountReply = self.connection.query(this).await?;
        Ok(reply.ids.first().map_or(1, |held| held.times_delivered))
    }

    /// Reverts the attempt that a claim counted: the claiming worker is alive, but could not reach the
    /// data of the task.
    pub async fn uncount_claim(&self, taken: &Taken, consumer: &str) -> Result<()> {
        let before = taken.deliveries.saturating_sub(1);
        self.hold(taken.partition, consumer, &taken.id, before)
            .await
            .map(drop)
    }

    /// Acknowledges a task and adds the task that follows, in one step. Returns `false` if another
    /// worker had finished it.
    pub async fn finish_task(&self, taken: &Taken, finish: &Finish) -> Result<bool> {
        let text = taken
            .task
            .as_ref()
            .map_or_else(Clone::clone, Task::to_string);
        let token = format!("{:032x}", rand::random::<u128>());
        let (what, task, attempts, last) = match finish {
            Finish::Done => ("done", text, taken.attempts, String::new()),
            Finish::Next(next) => ("next", next.to_string(), 0, String::new()),
            Finish::Retry(after) => {
                let due = self.now().await?.0 + millis(*after);
                ("retry", text, taken.attempts + 1, due.to_string())
            }
            Finish::Dead(reason) => ("dead", text, taken.attempts + 1, reason.clone()),
        };
        let p = taken.partition;
        let finish = scripts::FINISH_TASK
            .on([keys::tasks(p), keys::tasks_later(p), keys::tasks_dead(p)])
            .with(&taken.id)
            .with(what)
            .with(task)
            .with(attempts)
            .with(token)
            .with(last);
        let reply: String = self.connection.query(finish).await?;
        scripts::FINISH_TASK.succeeded(&reply, ["finished", "already_finished"])
    }

    /// Moves entries due by `until`, or by now, to the stream. Returns their number.
    pub async fn move_due(&self, partition: u16, until: Option<UnixMs>) -> Result<usize> {
        let mut moved = 0;
        loop {
            let step = scripts::MOVE_DUE
                .on([keys::tasks_later(partition), keys::tasks(partition)])
                .with(until.map_or_else(String::new, |until| until.0.to_string()))
                .with(MOVED_AT_ONCE);
            let count: usize = self.connection.query(step).await?;
            moved += count;
            if count < MOVED_AT_ONCE {
                return Ok(moved);
            }
        }
    }

    /// Removes a consumer that holds no task.
    pub async fn retire_consumer(&self, partition: u16, consumer: &str) -> Result<()> {
        let retire = scripts::RETIRE_CONSUMER
            .on([keys::tasks(partition)])
            .with(consumer);
        self.connection.query::<String>(retire).await.map(drop)
    }

    /// Returns the number of tasks to do now, due later, and given up, over all partitions.
    pub async fn task_counts(&self) -> Result<[u64; 3]> {
        let counts = (0..self.partitions()).flat_map(|p| {
            [
                redis::cmd("XLEN").with(keys::tasks(p)),
                redis::cmd("ZCARD").with(keys::tasks_later(p)),
                redis::cmd("XLEN").with(keys::tasks_dead(p)),
            ]
        });
        let mut sums = [0; 3];
        for (at, answer) in self
            .connection
            .batch(counts.collect())
            .await?
            .into_iter()
            .enumerate()
        {
            sums[at % 3] += read::<u64>(answer)?;
        }
        Ok(sums)
    }
}

fn read_group(consumer: &str) -> Cmd {
    let group = redis::cmd("XREADGROUP").with("GROUP").with(GROUP);
    group.with(consumer).with("COUNT").with(1)
}

fn pending(stream: &str) -> Cmd {
    redis::cmd("XPENDING").with(stream).with(GROUP)
}

fn taken(entry: StreamId, partition: u16) -> Result<Taken> {
    let text: String = entry.get("task").unwrap_or_default();
    let task = text.parse().map_err(|_| text);
    Ok(Taken {
        task,
        attempts: entry.get("attempts").unwrap_or_default(),
        id: entry.id,
        partition,
        deliveries: 1,
    })
}
