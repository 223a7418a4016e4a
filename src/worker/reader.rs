//! The order in which a worker takes tasks: lanes in turn, and the partitions of a lane in turn.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicU16, AtomicU32, Ordering},
    time::Duration,
};

use parking_lot::Mutex;

use crate::{
    domain::Lane,
    store::{Error, Result, Store, Taken},
};

/// Time in which an idle worker on a cluster waits once for each partition of a lane.
const MAX_ROUND: Duration = Duration::from_millis(1600);
/// Of so many tasks, one is background work, as long as other tasks wait.
const BACKGROUND_INTERVAL: u32 = 16;
/// Of so many turns, one is for a pass of a further fan-out, as long as other tasks wait.
const FURTHER_INTERVAL: u32 = 6;
/// Number of turns after which the partitions with tasks are asked for again, so that others do not wait.
const TURNS_OF_A_LIST: u32 = 4;

/// Takes tasks for one consumer.
pub(super) struct TaskReader {
    /// A connection that may wait.
    store: Store,
    consumer: String,
    /// Number of times that it looked for a task. It decides which lane is read first.
    turn: AtomicU32,
    /// The place after the last read, for each lane. It is read first, so a busy or unavailable partition delays no other.
    first: [AtomicU16; Lane::ALL.len()],
    /// The place of the partition of a cluster that it waits for next.
    awaited: AtomicU16,
    /// The partitions of a cluster that had tasks when it asked last.
    with_tasks: Mutex<Vec<u16>>,
    /// The partitions that it has read. Redis lists the consumer there.
    read: Mutex<BTreeSet<u16>>,
}

impl TaskReader {
    pub(super) fn new(store: Store, consumer: String) -> Self {
        Self {
            store,
            consumer,
            turn: AtomicU32::new(1),
            first: Default::default(),
            awaited: AtomicU16::new(0),
            with_tasks: Mutex::default(),
            read: Mutex::default(),
        }
    }

    /// Notes that tasks of this partition are read or claimed.
    pub(super) fn note_read(&self, partition: u16) {
        self.read.lock().insert(partition);
    }

    /// Returns the partitions that were read since the last call.
    pub(super) fn take_read_partitions(&self) -> BTreeSet<u16> {
        std::mem::take(&mut self.read.lock())
    }

    /// Returns the next task: of the lane in turn, or else of another lane. If there is none, waits for new tasks up to
    /// `wait`, and returns at most one of each lane.
    pub(super) async fn next_tasks(&self, wait: Duration) -> Result<Vec<Taken>> {
        let turn = self.turn.fetch_add(1, Ordering::Relaxed);
        let known = std::mem::take(&mut *self.with_tasks.lock());
        if !turn.is_multiple_of(TURNS_OF_A_LIST)
            && let Some(taken) = self.take_in_turn(turn, &known).await?
        {
            *self.with_tasks.lock() = known;
            return Ok(vec![taken]);
        }
        let partitions = self.store.readable_partitions().await?;
        if let Some(taken) = self.take_in_turn(turn, &partitions.with_tasks).await? {
            if self.store.is_cluster() {
                *self.with_tasks.lock() = partitions.with_tasks;
            }
            return Ok(vec![taken]);
        }
        match wait.is_zero() {
            true => Ok(Vec::new()),
            false => self.wait_for_tasks(&partitions.all, wait).await,
        }
    }

    async fn take_in_turn(&self, turn: u32, with_tasks: &[u16]) -> Result<Option<Taken>> {
        for lane in lanes_in_turn(turn) {
            if let Some(taken) = self.take_task(lane, with_tasks).await? {
                return Ok(Some(taken));
            }
        }
        Ok(None)
    }

    /// Reads each partition of a lane that can have tasks once.
    async fn take_task(&self, lane: Lane, with_tasks: &[u16]) -> Result<Option<Taken>> {
        let partitions = self.store.partitions_of(lane);
        let count = partitions.end - partitions.start;
        let next = &self.first[lane as usize];
        let first = next.load(Ordering::Relaxed);
        for place in 0..count {
            let place = (first + place) % count;
            let partition = partitions.start + place;
            if !with_tasks.contains(&partition) {
                continue;
            }
            next.store((place + 1) % count, Ordering::Relaxed);
            if let Some(taken) = self.read_partition(partition).await? {
                return Ok(Some(taken));
            }
        }
        Ok(None)
    }

    async fn read_partition(&self, partition: u16) -> Result<Option<Taken>> {
        self.note_read(partition);
        match self.store.take_task(partition, &self.consumer).await {
            Err(error) if is_missing_group(&error) => {
                self.store.create_task_group(partition).await?;
                self.store.take_task(partition, &self.consumer).await
            }
            taken => taken,
        }
    }

    /// Waits for new tasks of these partitions, or on a cluster of the next one, because they are in several slots.
    async fn wait_for_tasks(&self, partitions: &[u16], wait: Duration) -> Result<Vec<Taken>> {
        let (awaited, wait) = match self.store.is_cluster() {
            true => {
                let next = self.awaited.fetch_add(1, Ordering::Relaxed);
                let lane = self.store.partitions_of(Lane::Ordinary);
                let share = MAX_ROUND / u32::from(lane.end - lane.start);
                let place = usize::from(next) % partitions.len();
                (&partitions[place..=place], wait.min(share))
            }
            false => (partitions, wait),
        };
        self.read.lock().extend(awaited);
        let waited = self.store.wait_for_tasks(awaited, &self.consumer, wait);
        match waited.await {
            Err(error) if is_missing_group(&error) => {
                for partition in awaited {
                    self.store.create_task_group(*partition).await?;
                }
                Ok(Vec::new())
            }
            tasks => tasks,
        }
    }
}

/// Returns the order in which the lanes are read at a turn. Ordinary tasks and fan-outs alternate.
fn lanes_in_turn(turn: u32) -> [Lane; Lane::ALL.len()] {
    use Lane::{Background, FanOut, FurtherFanOut, Ordinary};
    match turn {
        turn if turn.is_multiple_of(BACKGROUND_INTERVAL) => {
            [Background, FanOut, FurtherFanOut, Ordinary]
        }
        turn if turn.is_multiple_of(FURTHER_INTERVAL) => {
            [FurtherFanOut, FanOut, Ordinary, Background]
        }
        turn if turn.is_multiple_of(2) => [FanOut, Ordinary, FurtherFanOut, Background],
        _ => [Ordinary, FanOut, FurtherFanOut, Background],
    }
}

/// Returns a task that a worker had taken. Without a consumer group there is none.
pub(super) fn ignore_missing_group(taken: Result<Option<Taken>>) -> Result<Option<Taken>> {
    match taken {
        Err(error) if is_missing_group(&error) => Ok(None),
        taken => taken,
    }
}

fn is_missing_group(error: &Error) -> bool {
    matches!(error, Error::Unexpected { answer, .. } if answer.contains("NOGROUP"))
}
