//! Tasks and reminders: `tasks:{p}` is a stream read by one consumer group, `tasks:{p}:later` what
//! is due at a time, `tasks:{p}:dead` what was given up. A stream of tasks is never trimmed.

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
/// How many due entries one step moves.
const MOVED_AT_ONCE: usize = 100;

/// A reminder that stands in `later`. Forget it when nothing is left to do.
#[derive(Debug, Clone)]
#[must_use]
pub struct OutboxEntry {
    entry: String,
    partition: u16,
}

/// A task that this consumer holds.
#[derive(Debug, Clone)]
pub struct Taken {
    id: String,
    partition: u16,
    pub task: std::result::Result<Task, String>,
    /// How often it failed, and how many workers were lost with it.
    pub attempts: u32,
    /// How often it was handed out since it stands in the stream.
    deliveries: usize,
}

/// How a task ends.
#[derive(Debug, Clone)]
pub enum Finish {
    Done,
    /// This follows from it.
    Next(Task),
    /// It failed: again after that long.
    Retry(Duration),
    /// It failed too often, for this reason.
    Dead(String),
}

impl Store {
    /// How many partitions tasks have: one on one node, several on a cluster.
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

    /// Leaves a reminder. Each operation has one of its own, so that being done with one never
    /// removes another's.
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

    /// Forgets a reminder: all that its operation had to do is done, or stands in the stream.
    pub async fn forget(&self, outbox_entry: OutboxEntry) -> Result<()> {
        let command = redis::cmd("ZREM")
            .with(keys::tasks_later(outbox_entry.partition))
            .with(outbox_entry.entry);
        self.connection.query::<i64>(command).await.map(drop)
    }

    /// Puts a task into the stream.
    pub async fn enqueue(&self, task: &Task) -> Result<()> {
        self.enqueue_all(std::slice::from_ref(task)).await
    }

    /// Puts tasks into their streams. One trip.
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

    /// Makes the consumer group, where it is not there yet.
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

    /// A handle for [`Store::take_task`], whose answers may take `wait` longer.
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

    /// The first task that this consumer took and never finished, because Redis went away. It
    /// counts as delivered no more often than before.
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
            // One that was finished and removed meanwhile is held no longer.
            if let Some(entry) = reply.ids.into_iter().next() {
                return taken(entry, partition).map(Some);
            }
        }
    }

    /// Holds a task from now on, handed out that often.
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

    /// Takes over a task that another consumer has held for longer than `idle`: its worker is lost,
    /// which counts as an attempt. Looks through all that are held, in steps.
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

    /// Takes back that a claim counts as an attempt: the one who claimed it lives, and could not
    /// reach what the task is about.
    pub async fn uncount_claim(&self, taken: &Taken, consumer: &str) -> Result<()> {
        let before = taken.deliveries.saturating_sub(1);
        self.hold(taken.partition, consumer, &taken.id, before)
            .await
            .map(drop)
    }

    /// Acknowledges a task and leaves what follows from it, in one step. `false` where another
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
        Ok(self.connection.query::<i64>(finish).await? == 1)
    }

    /// Moves what is due by `until`, or by now, to the stream, and answers with how much.
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

    /// Removes a consumer that holds nothing any more.
    pub async fn retire_consumer(&self, partition: u16, consumer: &str) -> Result<()> {
        let retire = scripts::RETIRE_CONSUMER
            .on([keys::tasks(partition)])
            .with(consumer);
        self.connection.query::<i64>(retire).await.map(drop)
    }

    /// How many tasks are to be done now, are due later, and were given up, over all partitions.
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
