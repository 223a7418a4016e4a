//! The order in which a worker takes tasks: lanes in turn, and the partitions of a lane in turn.

use std::{
    sync::atomic::{AtomicU16, AtomicU32, Ordering},
    time::Duration,
};

use crate::{
    domain::Lane,
    store::{Error, Result, Store, Taken},
};

/// Time in which an idle worker on a cluster waits once for each partition of a lane.
const MAX_ROUND: Duration = Duration::from_millis(1600);
/// Of so many tasks, one is background work, as long as other tasks wait.
const BACKGROUND_INTERVAL: u32 = 16;

/// Takes tasks for one consumer.
pub(super) struct TaskReader {
    /// A connection that may wait.
    store: Store,
    consumer: String,
    /// Number of times that it looked for a task. It decides which lane is read first.
    turn: AtomicU32,
    /// The place after the last read is the first in every lane. A busy or unavailable partition then delays no other.
    first: AtomicU16,
    /// The partition of a cluster that it waits for next.
    awaited: AtomicU16,
}

impl TaskReader {
    pub(super) fn new(store: Store, consumer: String) -> Self {
        Self {
            store,
            consumer,
            turn: AtomicU32::new(1),
            first: AtomicU16::new(0),
            awaited: AtomicU16::new(0),
        }
    }

    /// Returns the next task: of the lane in turn, or else of another lane. If there is none, waits for new tasks up to
    /// `wait`, and returns at most one of each lane.
    pub(super) async fn next_tasks(&self, wait: Duration) -> Result<Vec<Taken>> {
        for lane in lanes_in_turn(self.turn.fetch_add(1, Ordering::Relaxed)) {
            if let Some(taken) = self.take_task(lane).await? {
                return Ok(vec![taken]);
            }
        }
        match wait.is_zero() {
            true => Ok(Vec::new()),
            false => self.wait_for_tasks(wait).await,
        }
    }

    /// Reads each partition of a lane once.
    async fn take_task(&self, lane: Lane) -> Result<Option<Taken>> {
        let partitions = self.store.partitions_of(lane);
        let count = partitions.end - partitions.start;
        let first = self.first.load(Ordering::Relaxed);
        for place in 0..count {
            let place = (first + place) % count;
            self.first.store((place + 1) % count, Ordering::Relaxed);
            let partition = partitions.start + place;
            let taken = self.store.take_task(partition, &self.consumer).await;
            if let Some(taken) = create_missing_group(&self.store, partition, taken).await? {
                return Ok(Some(taken));
            }
        }
        Ok(None)
    }

    /// Waits for new tasks of all lanes, or on a cluster of the next partition, because the partitions are in several
    /// slots.
    async fn wait_for_tasks(&self, wait: Duration) -> Result<Vec<Taken>> {
        let (awaited, wait) = match self.store.is_cluster() {
            true => {
                let next = self.awaited.fetch_add(1, Ordering::Relaxed);
                let lane = self.store.partitions_of(Lane::Ordinary);
                let share = MAX_ROUND / u32::from(lane.end - lane.start);
                let partition = next % self.store.partitions();
                (partition..partition + 1, wait.min(share))
            }
            false => (0..self.store.partitions(), wait),
        };
        let partitions: Vec<u16> = awaited.collect();
        let waited = self.store.wait_for_tasks(&partitions, &self.consumer, wait);
        match waited.await {
            Err(error) if is_missing_group(&error) => {
                for partition in partitions {
                    self.store.create_task_group(partition).await?;
                }
                Ok(Vec::new())
            }
            tasks => tasks,
        }
    }
}

/// Returns the order in which the lanes are read at a turn. Ordinary tasks and fan-outs alternate.
fn lanes_in_turn(turn: u32) -> [Lane; 3] {
    match turn {
        turn if turn.is_multiple_of(BACKGROUND_INTERVAL) => {
            [Lane::Background, Lane::FanOut, Lane::Ordinary]
        }
        turn if turn.is_multiple_of(2) => [Lane::FanOut, Lane::Ordinary, Lane::Background],
        _ => [Lane::Ordinary, Lane::FanOut, Lane::Background],
    }
}

/// Returns a task that was read of a consumer group, which is created if it is missing.
pub(super) async fn create_missing_group(
    store: &Store,
    partition: u16,
    taken: Result<Option<Taken>>,
) -> Result<Option<Taken>> {
    match taken {
        Err(error) if is_missing_group(&error) => {
            store.create_task_group(partition).await.map(|()| None)
        }
        taken => taken,
    }
}

fn is_missing_group(error: &Error) -> bool {
    matches!(error, Error::Unexpected { answer, .. } if answer.contains("NOGROUP"))
}
