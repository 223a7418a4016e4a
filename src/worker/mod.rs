//! The worker: reads a task, runs it, acknowledges it; moves due entries; takes over tasks of dead
//! workers. Each pass returns to the end of the stream, so all accounts get their share.

use std::{
    sync::atomic::{AtomicU16, Ordering},
    time::Duration,
};

use tokio::{sync::watch, time::Instant};

use crate::{
    actions::{fan_out, homes, reconcile::reconcile, reposts, search},
    domain::Task,
    store::{Begin, Error, Finish, Result, Store, Taken, UnixMs},
};

/// Time that a read waits for a task, and that a stop may wait for the read.
const WAIT: Duration = Duration::from_millis(500);
/// Time in which an idle worker visits every partition.
const MAX_ROUND: Duration = Duration::from_millis(1600);
/// Interval at which due entries are moved and tasks of dead workers are taken over.
const MAINTENANCE_INTERVAL: Duration = Duration::from_secs(1);
/// Pause while Redis is unavailable.
const PAUSE: Duration = Duration::from_millis(500);
/// Delay of the first retry. It doubles up to the longest.
const RETRY_DELAY: Duration = Duration::from_secs(1);
const MAX_RETRY_DELAY: Duration = Duration::from_secs(300);
/// A horizon beyond every due time: 2^53 - 1 ms.
const END_OF_TIME: UnixMs = UnixMs((1 << 53) - 1);

/// Works until `stop` turns true. A running task is completed, and no further one starts. While Redis is
/// unavailable it pauses.
pub async fn run(store: Store, mut stop: watch::Receiver<bool>) {
    let worker = Worker::new(&store.giving_way(), stop.clone());
    let mut maintenance_due = Instant::now();
    while !*stop.borrow_and_update() {
        let step = async {
            if Instant::now() >= maintenance_due {
                maintenance_due = Instant::now() + MAINTENANCE_INTERVAL;
                worker.run_maintenance().await;
            }
            worker.run_next_task(WAIT).await
        };
        if let Err(error) = step.await {
            tracing::warn!(%error, "the worker pauses");
            tokio::select! {
                () = tokio::time::sleep(PAUSE) => {}
                _ = stop.changed() => {}
            }
            maintenance_due = Instant::now();
        }
    }
    worker.retire().await;
}

/// Runs all tasks of now, and with `DueLater::Too` those due later, until none is left. Failed tasks are
/// retried as often as the settings say.
pub async fn drain(store: &Store, later: DueLater) -> Result<()> {
    let (_never, stop) = watch::channel(false);
    let worker = Worker::new(store, stop);
    for partition in 0..store.partitions() {
        store.found_group(partition).await?;
    }
    loop {
        let mut moved = 0;
        if later == DueLater::Too {
            for partition in 0..store.partitions() {
                moved += store.move_due(partition, Some(END_OF_TIME)).await?;
            }
        }
        let mut done = 0;
        while worker.run_next_task(Duration::ZERO).await? {
            done += 1;
        }
        if moved + done == 0 {
            worker.retire().await;
            return Ok(());
        }
    }
}

/// Runs up to `most` tasks of now. Returns their number.
pub async fn do_some(store: &Store, most: usize) -> Result<usize> {
    let (_never, stop) = watch::channel(false);
    let worker = Worker::new(store, stop);
    for partition in 0..store.partitions() {
        store.found_group(partition).await?;
    }
    let mut done = 0;
    while done < most && worker.run_next_task(Duration::ZERO).await? {
        done += 1;
    }
    worker.retire().await;
    Ok(done)
}

/// Catches up with work: moves due entries, takes over tasks of dead workers and runs tasks of now,
/// until none is left or the time is over. Other workers may run beside it.
pub async fn catch_up(store: &Store, allowed: Duration) -> Result<()> {
    let (_never, stop) = watch::channel(false);
    let worker = Worker::new(store, stop);
    let end = Instant::now() + allowed;
    for partition in 0..store.partitions() {
        store.found_group(partition).await?;
    }
    worker.run_maintenance().await;
    while Instant::now() < end && worker.run_next_task(Duration::ZERO).await? {}
    worker.retire().await;
    Ok(())
}

/// Whether [`drain`] leaves entries that are due later, or runs them at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DueLater {
    Stays,
    Too,
}

struct Worker {
    store: Store,
    reader: Store,
    consumer: String,
    /// The partition to read first: the one after the last read. A busy or unavailable partition then
    /// delays no other.
    first: AtomicU16,
    stop: watch::Receiver<bool>,
}

impl Worker {
    fn new(store: &Store, stop: watch::Receiver<bool>) -> Self {
        Self {
            store: store.fork(),
            reader: store.fork_for_blocking(WAIT),
            consumer: format!("{}-{:08x}", std::process::id(), rand::random::<u32>()),
            first: AtomicU16::new(0),
            stop,
        }
    }

    /// Reads each partition once. Returns `true` if a task was run. Only the last read waits.
    async fn run_next_task(&self, wait: Duration) -> Result<bool> {
        let partitions = self.store.partitions();
        let first = self.first.load(Ordering::Relaxed);
        for place in 0..partitions {
            let partition = (first + place) % partitions;
            self.first
                .store((partition + 1) % partitions, Ordering::Relaxed);
            let wait = if place + 1 == partitions {
                wait.min(MAX_ROUND / u32::from(partitions))
            } else {
                Duration::ZERO
            };
            let taken = self.reader.take_task(partition, &self.consumer, wait).await;
            if let Some(taken) = self.create_missing_group(partition, taken).await? {
                self.run_task(&taken).await?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Moves due entries, resumes own tasks and takes over those of dead workers. A failure of one stops
    /// no other step.
    async fn run_maintenance(&self) {
        let mut outcomes = Vec::new();
        for partition in 0..self.store.partitions() {
            outcomes.push(self.store.move_due(partition, None).await.map(drop));
            outcomes.push(self.resume_own_tasks(partition).await);
            outcomes.push(self.take_over_tasks(partition).await);
        }
        for error in outcomes.into_iter().filter_map(Result::err) {
            tracing::warn!(%error, "maintenance of the worker failed");
        }
    }

    /// Runs tasks that were delivered to this worker and not completed: Redis became unavailable, or the
    /// reply was lost. Between two tasks the worker holds none.
    async fn resume_own_tasks(&self, partition: u16) -> Result<()> {
        while !self.should_stop() {
            let held = self.store.held_task(partition, &self.consumer).await;
            match self.create_missing_group(partition, held).await? {
                Some(held) => self.run_task(&held).await?,
                None => break,
            }
        }
        Ok(())
    }

    async fn take_over_tasks(&self, partition: u16) -> Result<()> {
        let idle = self.store.config().timeouts.task_claim;
        while !self.should_stop() {
            let claimed = self.store.claim_task(partition, &self.consumer, idle).await;
            match self.create_missing_group(partition, claimed).await? {
                Some(claimed) => self.run_claimed_task(&claimed).await?,
                None => break,
            }
        }
        Ok(())
    }

    /// Runs a task of a lost worker, or gives it up if it was lost with too many workers. A claim while
    /// Redis is unavailable does not count.
    async fn run_claimed_task(&self, taken: &Taken) -> Result<()> {
        if taken.attempts >= self.store.config().limits.task_attempts {
            tracing::error!(task = ?taken.task, "a task was abandoned because its workers were lost");
            let reason = Finish::Dead("the workers that took it were lost".to_owned());
            return self.store.finish_task(taken, &reason).await.map(drop);
        }
        let worked = self.run_task(taken).await;
        if worked.is_err() {
            self.store.uncount_claim(taken, &self.consumer).await?;
        }
        worked
    }

    fn should_stop(&self) -> bool {
        *self.stop.borrow()
    }

    /// Reads a task of the consumer group, which is created if it is missing.
    async fn create_missing_group(
        &self,
        partition: u16,
        taken: Result<Option<Taken>>,
    ) -> Result<Option<Taken>> {
        match taken {
            Err(Error::Unexpected { answer, .. }) if answer.contains("NOGROUP") => {
                self.store.found_group(partition).await.map(|()| None)
            }
            taken => taken,
        }
    }

    /// Runs and acknowledges a task. Redis being unavailable does not count as an attempt: the task
    /// stays held and is run later, here or by another worker. A task that another worker completed
    /// meanwhile has no text left.
    async fn run_task(&self, taken: &Taken) -> Result<()> {
        let acted = match &taken.task {
            Err(gone) if gone.is_empty() => Ok(None),
            Ok(task) => perform_task(&self.store, task).await,
            Err(text) => Err(Error::Unexpected {
                what: "a task",
                answer: text.clone(),
            }),
        };
        let finish = match acted {
            Ok(None) => Finish::Done,
            Ok(Some(next)) => Finish::Next(next),
            Err(error @ Error::Unavailable(_)) => return Err(error),
            Err(error) => self.handle_failure(taken, &error),
        };
        self.store.finish_task(taken, &finish).await.map(drop)
    }

    fn handle_failure(&self, taken: &Taken, error: &Error) -> Finish {
        if taken.attempts + 1 >= self.store.config().limits.task_attempts {
            tracing::error!(%error, task = ?taken.task, "a task was abandoned");
            return Finish::Dead(error.to_string());
        }
        tracing::warn!(%error, task = ?taken.task, "a task failed and is tried again");
        let doubled = RETRY_DELAY.saturating_mul(1 << taken.attempts.min(16));
        Finish::Retry(doubled.min(MAX_RETRY_DELAY))
    }

    async fn retire(&self) {
        for partition in 0..self.store.partitions() {
            if let Err(error) = self.store.retire_consumer(partition, &self.consumer).await {
                tracing::debug!(%error, "the consumer stays listed");
            }
        }
    }
}

/// Runs a task once and returns the task that continues it. Running it twice leaves the same data.
async fn perform_task(store: &Store, task: &Task) -> Result<Option<Task>> {
    match task {
        Task::Deliver { status, from } => {
            let call = store.begin().await?;
            let pass = fan_out::deliver_pass(store, &call, *status, *from);
            call.finish(pass.await).await
        }
        Task::Withdraw { status, from } => fan_out::withdraw_pass(store, *status, *from).await,
        Task::TakeAlong { original, before } => {
            reposts::take_along_pass(store, *original, *before).await
        }
        Task::Rebuild(timeline) => homes::rebuild(store, *timeline, Begin::Short)
            .await
            .map(|()| None),
        Task::Index(id) => search::index(store, *id).await,
        Task::Reconcile(thing) => reconcile(store, thing).await,
    }
}
