//! The health of the task queue: its sizes, its age, and its workers.

use redis::streams::StreamRangeReply;

use crate::store::prelude::*;

/// Time without a sign of life after which a worker counts as lost, in ms. A worker gives one every few seconds, except
/// during a long task.
const ACTIVE_MS: u64 = 120_000;
/// Time after which a lost worker is forgotten.
const REMEMBERED_S: u64 = 3600;

/// The task queue over all partitions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QueueHealth {
    /// Tasks to run now.
    pub waiting: u64,
    /// Outbox entries and retries, which are due later.
    pub later: u64,
    /// Tasks that were given up.
    pub dead: u64,
    /// Age of the oldest task to run now, in ms.
    pub oldest_ms: u64,
    /// Workers that were alive recently, and those that were not.
    pub active_workers: u64,
    pub lost_workers: u64,
}

impl Store {
    /// Returns the health of the task queue. One round trip. A worker that was alive at a time ahead was alive
    /// before the clock was set back.
    pub async fn queue_health(&self) -> Result<QueueHealth> {
        let now = self.now().await?.0;
        let mut health = QueueHealth::default();
        let (since, until) = (now.saturating_sub(ACTIVE_MS), now + ACTIVE_MS);
        let mut reads = vec![
            redis::cmd("ZCOUNT").with((keys::WORKERS, since, until)),
            redis::cmd("ZCARD").with(keys::WORKERS),
        ];
        for partition in 0..self.partitions() {
            let tasks = keys::tasks(partition);
            reads.extend([
                redis::cmd("XLEN").with(&tasks),
                redis::cmd("ZCARD").with(keys::tasks_later(partition)),
                redis::cmd("XLEN").with(keys::tasks_dead(partition)),
                redis::cmd("XRANGE").with((&tasks, "-", "+", "COUNT", 1)),
            ]);
        }
        let mut answers = self.connection.batch(reads).await?.into_iter();
        let mut next = |count: usize| Value::Array(answers.by_ref().take(count).collect());
        let (active, all): (u64, u64) = read(next(2))?;
        for _ in 0..self.partitions() {
            let (waiting, later, dead, first): (u64, u64, u64, StreamRangeReply) = read(next(4))?;
            health.waiting += waiting;
            health.later += later;
            health.dead += dead;
            let added = first.ids.first().and_then(|entry| {
                let (ms, _) = entry.id.split_once('-')?;
                ms.parse::<u64>().ok()
            });
            let age = added.map_or(0, |added| now.saturating_sub(added));
            health.oldest_ms = health.oldest_ms.max(age);
        }
        health.active_workers = active;
        health.lost_workers = all.saturating_sub(active);
        Ok(health)
    }

    /// Notes that a worker is alive, and forgets those that were lost long ago. One round trip.
    pub async fn note_worker(&self, worker: &str) -> Result<()> {
        let now = self.now().await?.0;
        let note = vec![
            redis::cmd("ZADD").with((keys::WORKERS, now, worker)),
            redis::cmd("ZREMRANGEBYSCORE").with((
                keys::WORKERS,
                "-inf",
                now.saturating_sub(1000 * REMEMBERED_S),
            )),
            redis::cmd("ZREMRANGEBYSCORE").with((keys::WORKERS, now + 1000 * REMEMBERED_S, "+inf")),
            redis::cmd("EXPIRE").with((keys::WORKERS, REMEMBERED_S)),
        ];
        self.connection.chain(note).await.map(drop)
    }

    /// Notes that a worker has ended.
    pub async fn forget_worker(&self, worker: &str) -> Result<()> {
        let forget = redis::cmd("ZREM").with((keys::WORKERS, worker));
        self.connection.query::<i64>(forget).await.map(drop)
    }
}
