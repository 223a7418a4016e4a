//! Tasks and outbox entries. `tasks:{p}` is a stream with one consumer group, never trimmed.
//! `tasks:{p}:later` holds work that is due later. `tasks:{p}:dead` holds work that was given up.
//! [`lanes`] has the partitions.

pub(super) mod backlog;
pub(super) mod calls;
mod consumers;
mod due;
pub(super) mod health;
pub(super) mod lanes;

use std::{collections::BTreeMap, time::Duration};

use redis::streams::{
    StreamAutoClaimReply, StreamClaimReply, StreamId, StreamPendingCountReply, StreamReadReply,
};

use super::{prelude::*, redis::call::millis};
use crate::domain::Task;

pub(super) const GROUP: &str = "workers";
/// The longest delay of a retry.
pub const MAX_RETRY_DELAY: Duration = Duration::from_secs(300);
/// Number of tasks that were given up and are kept. `redwing check` finds the data that a dropped one has
/// not completed.
const MAX_DEAD: usize = 10_000;
/// Kept characters of the reason of each.
const MAX_REASON: usize = 200;

/// An outbox entry in `tasks:{p}:later`. Remove it when nothing is left to do.
#[derive(Debug, Clone)]
#[must_use]
pub struct OutboxEntry {
    entry: String,
    partition: u16,
}

/// A task that this consumer took and has not finished.
#[derive(Debug, Clone)]
pub struct Taken {
    id: String,
    partition: u16,
    pub task: std::result::Result<Task, String>,
    /// Number of failures and of workers lost with it.
    pub attempts: u32,
    /// Whether it continues a task of the same lane.
    pub is_continuation: bool,
    /// Number of deliveries of its stream entry.
    deliveries: usize,
}

impl Taken {
    /// Returns the number of workers that were lost with it since its last attempt.
    pub fn lost_workers(&self) -> u32 {
        u32::try_from(self.deliveries.saturating_sub(1)).unwrap_or(u32::MAX)
    }
}

#[derive(Debug, Clone)]
pub enum Finish {
    Done,
    /// Done, with a task that follows.
    Next(Task),
    /// Failed. It is retried after this time.
    Retry(Duration),
    /// Redis was unavailable. It is run again after this time, and the attempt does not count.
    Postpone(Duration),
    /// Failed too often, for this reason.
    Dead(String),
}

impl Store {
    /// Writes an outbox entry. Each operation has its own entry, so finishing one never removes
    /// another's.
    pub async fn add_outbox_entry(&self, thing: &Thing) -> Result<OutboxEntry> {
        let task = Task::Reconcile(thing.clone());
        let partition = self.partition(&task);
        let entry = format!("{:032x} 0 {task}", rand::random::<u128>());
        let add = calls::AddOutboxEntry {
            later: keys::tasks_later(partition),
            delay_ms: millis(self.config.timeouts.outbox_delay),
            entry: entry.clone(),
        };
        self.connection.execute(add.command()).await?;
        Ok(OutboxEntry { entry, partition })
    }

    /// Removes an outbox entry. Its operation is complete, or its rest is in the stream.
    pub async fn remove_outbox_entry(&self, outbox_entry: OutboxEntry) -> Result<()> {
        let command = redis::cmd("ZREM").with((
            keys::tasks_later(outbox_entry.partition),
            outbox_entry.entry,
        ));
        self.connection.query::<i64>(command).await.map(drop)
    }

    pub async fn enqueue(&self, task: &Task) -> Result<()> {
        self.enqueue_all(std::slice::from_ref(task)).await
    }

    /// Adds a task that is the only record of a decision. Replicas confirm it, as they do every write that is answered
    /// with success.
    pub async fn enqueue_decision(&self, task: &Task) -> Result<()> {
        let add = add_tasks(self.partition(task), vec![task.to_string()]);
        self.connection.write_durably::<String>(add).await.map(drop)
    }

    /// Adds tasks to their streams. One round trip.
    pub async fn enqueue_all(&self, tasks: &[Task]) -> Result<()> {
        let mut partitions: BTreeMap<u16, Vec<String>> = BTreeMap::new();
        for task in tasks {
            let texts = partitions.entry(self.partition(task)).or_default();
            texts.push(task.to_string());
        }
        let adds = partitions.into_iter();
        let adds = adds.map(|(partition, added)| add_tasks(partition, added));
        self.connection.batch(adds.collect()).await.map(drop)
    }

    /// Creates the consumer group of a partition if it does not exist.
    pub async fn create_task_group(&self, partition: u16) -> Result<()> {
        let create = calls::CreateTaskGroup {
            tasks: keys::tasks(partition),
            group: GROUP,
        };
        let created = self.connection.succeeds(&create, ["created", "exists"]);
        created.await.map(drop)
    }

    /// Returns a handle for [`Store::take_task`], which waits up to `wait` longer for replies.
    #[must_use]
    pub fn fork_for_blocking(&self, wait: Duration) -> Self {
        Self {
            connection: self.connection.fork_for_blocking(wait),
            ..self.clone()
        }
    }

    /// Returns a new task of a partition, if one waits.
    pub async fn take_task(&self, partition: u16, consumer: &str) -> Result<Option<Taken>> {
        let tasks = self.read_tasks(read_group(consumer), &[partition]).await?;
        Ok(tasks.into_iter().next())
    }

    /// Waits for a new task in some partitions of one node, up to `wait`. Returns at most one of each.
    pub async fn wait_for_tasks(
        &self,
        partitions: &[u16],
        consumer: &str,
        wait: Duration,
    ) -> Result<Vec<Taken>> {
        let read = read_group(consumer).with("BLOCK").with(millis(wait));
        self.read_tasks(read, partitions).await
    }

    async fn read_tasks(&self, read: Cmd, partitions: &[u16]) -> Result<Vec<Taken>> {
        let streams: Vec<String> = partitions.iter().map(|p| keys::tasks(*p)).collect();
        let read = read.with("STREAMS").with(&streams);
        let read = read.with(vec![">"; streams.len()]);
        let reply: Option<StreamReadReply> = self.connection.query(read).await?;
        let streams_read = reply.into_iter().flat_map(|reply| reply.keys);
        let tasks = streams_read.flat_map(|stream| {
            let place = streams.iter().position(|name| *name == stream.key);
            let partition = place.map_or(0, |place| partitions[place]);
            let entries = stream.ids.into_iter();
            entries.map(move |entry| taken(entry, partition))
        });
        tasks.collect()
    }

    /// Returns the first task after another that this consumer took and did not finish, because Redis
    /// became unavailable or full. Its delivery count stays the same.
    pub async fn pending_task(
        &self,
        partition: u16,
        consumer: &str,
        after: Option<&Taken>,
    ) -> Result<Option<Taken>> {
        let stream = keys::tasks(partition);
        let from = after.map_or_else(|| "-".to_owned(), |taken| format!("({}", taken.id));
        loop {
            let read = pending(&stream)
                .with(&from)
                .with("+")
                .with(1)
                .with(consumer);
            let first: StreamPendingCountReply = self.connection.query(read).await?;
            let Some(entry) = first.ids.into_iter().next() else {
                return Ok(None);
            };
            let reply = self
                .claim(partition, consumer, &entry.id, entry.times_delivered)
                .await?;
            // A task that was finished meanwhile is no longer pending.
            if let Some(entry) = reply.ids.into_iter().next() {
                return taken(entry, partition).map(Some);
            }
        }
    }

    /// Claims a task with this delivery count.
    async fn claim(
        &self,
        partition: u16,
        consumer: &str,
        id: &str,
        deliveries: usize,
    ) -> Result<StreamClaimReply> {
        let claim = redis::cmd("XCLAIM").with((
            keys::tasks(partition),
            GROUP,
            consumer,
            0,
            id,
            "RETRYCOUNT",
            deliveries,
        ));
        self.connection.query(claim).await
    }

    /// Takes over a task that another consumer took longer than `idle` ago. Its worker is lost, which
    /// counts as an attempt. Scans all pending tasks in steps.
    pub async fn claim_task(
        &self,
        partition: u16,
        consumer: &str,
        idle: Duration,
    ) -> Result<Option<Taken>> {
        let mut from = "0-0".to_owned();
        loop {
            let claim = redis::cmd("XAUTOCLAIM").with((
                keys::tasks(partition),
                GROUP,
                consumer,
                millis(idle),
                &from,
                "COUNT",
                1,
            ));
            let reply: StreamAutoClaimReply = self.connection.query(claim).await?;
            if let Some(entry) = reply.claimed.into_iter().next() {
                let deliveries = self.deliveries(partition, &entry.id).await?;
                let mut taken = taken(entry, partition)?;
                taken.deliveries = deliveries;
                taken.attempts = taken.attempts.saturating_add(taken.lost_workers());
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
        Ok(reply.ids.first().map_or(1, |entry| entry.times_delivered))
    }

    /// Reverts the attempt that a claim counted: the claiming worker is alive, but could not reach the
    /// data of the task.
    pub async fn uncount_claim(&self, taken: &Taken, consumer: &str) -> Result<()> {
        let before = taken.deliveries.saturating_sub(1);
        self.claim(taken.partition, consumer, &taken.id, before)
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
        let (result, task, attempts, detail) = match finish {
            Finish::Done => ("done", text, taken.attempts, String::new()),
            Finish::Next(next) => ("next", next.to_string(), 0, String::new()),
            Finish::Retry(after) => {
                let delay_ms = millis(*after).to_string();
                ("retry", text, taken.attempts + 1, delay_ms)
            }
            Finish::Postpone(after) => {
                let delay_ms = millis(*after).to_string();
                ("retry", text, taken.attempts, delay_ms)
            }
            Finish::Dead(reason) => {
                let reason = reason.chars().take(MAX_REASON).collect();
                ("dead", text, taken.attempts + 1, reason)
            }
        };
        let p = taken.partition;
        let finish = calls::FinishTask {
            tasks: keys::tasks(p),
            later: keys::tasks_later(p),
            dead: keys::tasks_dead(p),
            entry_id: taken.id.clone(),
            result,
            max_dead: MAX_DEAD,
            task,
            attempts,
            retry_token: format!("{:032x}", rand::random::<u128>()),
            detail,
        };
        self.connection
            .succeeds(&finish, ["finished", "already_finished"])
            .await
    }

    /// Removes a consumer that holds no task.
    pub async fn retire_consumer(&self, partition: u16, consumer: &str) -> Result<()> {
        let retire = calls::RetireConsumer {
            tasks: keys::tasks(partition),
            consumer: consumer.to_owned(),
        };
        self.connection.run(&retire).await
    }
}

fn read_group(consumer: &str) -> Cmd {
    let group = redis::cmd("XREADGROUP").with(("GROUP", GROUP));
    group.with(consumer).with("COUNT").with(1)
}

fn add_tasks(partition: u16, added: Vec<String>) -> Cmd {
    let tasks = keys::tasks(partition);
    calls::AddTasks { tasks, added }.command()
}

fn pending(stream: &str) -> Cmd {
    redis::cmd("XPENDING").with((stream, GROUP))
}

fn taken(entry: StreamId, partition: u16) -> Result<Taken> {
    let text: String = entry.get("task").unwrap_or_default();
    let task = text.parse().map_err(|_| text);
    Ok(Taken {
        task,
        attempts: entry.get("attempts").unwrap_or_default(),
        is_continuation: entry.get::<String>("continues").is_some(),
        id: entry.id,
        partition,
        deliveries: 1,
    })
}
