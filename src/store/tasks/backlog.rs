//! Waiting work, as `redwing check` reads it: all entries of the task queues in pages, with those that
//! have waited too long.

use std::{collections::VecDeque, ops::Range};

use redis::streams::{StreamPendingCountReply, StreamRangeReply};

use super::{GROUP, calls};
use crate::{
    domain::Task,
    store::{
        prelude::*,
        redis::{call::millis, scan::ScanPosition},
    },
};

/// Number of entries per read.
const ENTRIES: usize = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queue {
    /// Due later: outbox entries and retries.
    Later,
    /// To be done now.
    Now,
    /// Taken by a worker and not finished.
    Pending,
    /// Given up.
    Dead,
}

#[derive(Debug, Clone)]
pub struct Entry {
    pub partition: u16,
    /// Identifies it in its queue.
    pub id: String,
    /// `Err` with the stored text if it is not a task. Always `Err` in [`Queue::Pending`].
    pub task: std::result::Result<Task, String>,
    /// Whether it has waited too long: no worker handles it.
    pub late: bool,
}

/// Position in a queue that is being read.
pub struct BacklogReader {
    queue: Queue,
    /// The partitions of a lane that had entries before it was read, from the one that is being read on.
    partitions: VecDeque<u16>,
    /// The first partition of the next lane.
    next_lane: u16,
    /// The last entry of a stream that was read.
    last_id: Option<String>,
    /// The position in a ZSET.
    scan: ScanPosition,
}

impl BacklogReader {
    pub fn of(queue: Queue) -> Self {
        Self {
            queue,
            partitions: VecDeque::new(),
            next_lane: 0,
            last_id: None,
            scan: ScanPosition::default(),
        }
    }
}

impl Store {
    /// Returns the next entries of a queue, over all partitions. `None` at its end. An entry that exists
    /// throughout is returned, sometimes twice, also if it moves to a later lane.
    pub async fn waiting(&self, reading: &mut BacklogReader) -> Result<Option<Vec<Entry>>> {
        // A task can move to a later lane, so the sizes of a lane are read when the lanes before it have been.
        while reading.partitions.is_empty() {
            let lane = reading.next_lane..reading.next_lane + self.partitions_per_lane();
            if lane.end > self.partitions() {
                return Ok(None);
            }
            reading.next_lane = lane.end;
            reading.partitions = self.partitions_with_entries(reading.queue, lane).await?;
        }
        let Some(&partition) = reading.partitions.front() else {
            return Ok(None);
        };
        let (entries, is_complete) = match reading.queue {
            Queue::Later => self.waiting_later(reading, partition).await?,
            Queue::Now => {
                let tasks = keys::tasks(partition);
                self.in_stream(reading, partition, tasks).await?
            }
            Queue::Dead => {
                let dead = keys::tasks_dead(partition);
                self.in_stream(reading, partition, dead).await?
            }
            Queue::Pending => self.pending_too_long(reading, partition).await?,
        };
        if is_complete {
            reading.partitions.pop_front();
        }
        Ok(Some(entries))
    }

    /// Returns those of some partitions in which a queue has entries. One round trip.
    async fn partitions_with_entries(
        &self,
        queue: Queue,
        partitions: Range<u16>,
    ) -> Result<VecDeque<u16>> {
        let sizes = partitions.clone().map(|p| match queue {
            Queue::Later => redis::cmd("ZCARD").with(keys::tasks_later(p)),
            Queue::Now | Queue::Pending => redis::cmd("XLEN").with(keys::tasks(p)),
            Queue::Dead => redis::cmd("XLEN").with(keys::tasks_dead(p)),
        });
        let sizes: Vec<u64> = self.connection.query_each(sizes).await?;
        let sized = partitions.zip(sizes).filter(|(_, size)| *size > 0);
        Ok(sized.map(|(partition, _)| partition).collect())
    }

    /// Returns the next entries of a ZSET, and whether they are its last.
    async fn waiting_later(
        &self,
        reading: &mut BacklogReader,
        partition: u16,
    ) -> Result<(Vec<Entry>, bool)> {
        let limits = &self.config.timeouts;
        let allowed = millis(limits.task_claim + limits.outbox_delay);
        let now = self.now().await?.0;
        let key = keys::tasks_later(partition);
        let rows = self
            .connection
            .scan_entries("ZSCAN", &key, &mut reading.scan, ENTRIES);
        let (rows, is_complete): (Vec<(String, f64)>, bool) = rows.await?;
        let entry = |(text, due): (String, f64)| {
            let task = text.splitn(3, ' ').nth(2).unwrap_or(&text);
            Entry {
                partition,
                task: task.parse().map_err(|_| task.to_owned()),
                late: due + (allowed as f64) < now as f64,
                id: text,
            }
        };
        Ok((rows.into_iter().map(entry).collect(), is_complete))
    }

    /// Returns the next entries of a stream, and whether they are its last.
    async fn in_stream(
        &self,
        reading: &mut BacklogReader,
        partition: u16,
        key: String,
    ) -> Result<(Vec<Entry>, bool)> {
        let limits = self.config.timeouts.task_claim * self.config.limits.task_attempts;
        let oldest = self.now().await?.0.saturating_sub(millis(limits));
        let range = redis::cmd("XRANGE").with((key, from(reading), "+", "COUNT", ENTRIES));
        let reply: StreamRangeReply = self.connection.query(range).await?;
        let last = reply.ids.last().filter(|_| reply.ids.len() == ENTRIES);
        reading.last_id = last.map(|entry| entry.id.clone());
        let entries = reply.ids.into_iter().map(|entry| {
            let text: String = entry.get("task").unwrap_or_default();
            Entry {
                partition,
                task: text.parse().map_err(|_| text),
                late: since_ms(&entry.id) < oldest,
                id: entry.id,
            }
        });
        Ok((entries.collect(), reading.last_id.is_none()))
    }

    /// Returns the next tasks that no worker took over although their worker is lost, and whether they are the last. All
    /// of them are late.
    async fn pending_too_long(
        &self,
        reading: &mut BacklogReader,
        partition: u16,
    ) -> Result<(Vec<Entry>, bool)> {
        let pending = redis::cmd("XPENDING").with((
            keys::tasks(partition),
            GROUP,
            "IDLE",
            2 * millis(self.config.timeouts.task_claim),
            from(reading),
            "+",
            ENTRIES,
        ));
        let reply: StreamPendingCountReply = match self.connection.query(pending).await {
            Err(Error::Unexpected { answer, .. }) if answer.contains("NOGROUP") => {
                reading.last_id = None;
                return Ok((Vec::new(), true));
            }
            reply => reply?,
        };
        let last = reply.ids.last().filter(|_| reply.ids.len() == ENTRIES);
        reading.last_id = last.map(|entry| entry.id.clone());
        let entries = reply.ids.into_iter().map(|entry| Entry {
            partition,
            task: Err(format!("taken by {}", entry.consumer)),
            late: true,
            id: entry.id,
        });
        Ok((entries.collect(), reading.last_id.is_none()))
    }

    /// Moves a task that was given up back to the stream. Returns `false` if it was no longer there.
    pub async fn revive(&self, entry: &Entry) -> Result<bool> {
        let Ok(task) = &entry.task else {
            return Ok(false);
        };
        let p = entry.partition;
        let revive = calls::ReviveTask {
            dead: keys::tasks_dead(p),
            tasks: keys::tasks(p),
            entry_id: entry.id.clone(),
            task: task.to_string(),
        };
        self.connection
            .succeeds(&revive, ["revived", "not_found"])
            .await
    }
}

/// Returns the exclusive start after the last entry read.
fn from(reading: &BacklogReader) -> String {
    let after = reading.last_id.as_ref();
    after.map_or_else(|| "-".to_owned(), |id| format!("({id}"))
}

/// Returns the time at which a stream entry was added, in ms.
fn since_ms(id: &str) -> u64 {
    let (ms, _) = id.split_once('-').unwrap_or((id, ""));
    ms.parse().unwrap_or_default()
}
