//! The worker: reads a task, runs it, acknowledges it; moves due entries; takes over tasks of dead
//! workers. Each pass returns to the end of its stream. Fan-outs and background work have lanes of their own, so a short
//! task waits for few of their passes, however many there are. Further fan-outs of a busy author have a lane with fewer
//! turns.

pub mod chores;
mod fan_out_shares;
mod reader;
pub mod rewrites;
pub mod site_days;

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use parking_lot::Mutex;
use tokio::{sync::watch, time::Instant};

use fan_out_shares::{FanOutShares, begins_fan_out};
use reader::{TaskReader, ignore_missing_group};

use crate::{
    actions::{
        account_deletion, blocks, fan_out, follow_requests, groups, homes, notify_group_pass,
        reconcile::reconcile, reposts, search,
    },
    domain::{Lane, Task},
    export,
    store::{Begin, Error, Finish, MAX_RETRY_DELAY, Result, Store, Taken, UnixMs},
};

/// Time that a read waits for a task, and that a stop may wait for the read.
const WAIT: Duration = Duration::from_millis(500);
/// Interval at which due entries are moved and tasks of dead workers are taken over.
const MAINTENANCE_INTERVAL: Duration = Duration::from_secs(1);
/// Interval of the chores, which delete what is due.
const CHORES_INTERVAL: Duration = Duration::from_secs(60);
/// Interval at which a worker notes that it is alive.
const NOTE_INTERVAL: Duration = Duration::from_secs(10);
/// Pause while Redis is unavailable.
const PAUSE: Duration = Duration::from_millis(500);
/// Delay of the first retry. It doubles up to [`MAX_RETRY_DELAY`].
const RETRY_DELAY: Duration = Duration::from_secs(1);
/// Further attempts of a task whose writes were late, at [`MAX_RETRY_DELAY`]: a day. A slow Redis is not the fault of the
/// task, and an acknowledged write must not end with it.
const FURTHER_LATE_ATTEMPTS: u32 = 288;
/// Delay of a task during which Redis was unavailable.
const POSTPONEMENT: Duration = Duration::from_secs(5);
/// Postponed tasks in a row after which a drain gives up.
const MAX_POSTPONED_IN_A_ROW: u32 = 5;
/// A horizon beyond every due time: 2^53 - 1 ms.
const END_OF_TIME: UnixMs = UnixMs((1 << 53) - 1);

/// Works until `stop` turns true and the running task is done. Pauses while Redis is unavailable.
pub async fn run(store: Store, mut stop: watch::Receiver<bool>) {
    let worker = Worker::new(&store.giving_way(), stop.clone());
    let (mut maintenance_due, mut chores_due) = (Instant::now(), Instant::now());
    let mut note_due = Instant::now();
    while !*stop.borrow_and_update() {
        let step = async {
            if Instant::now() >= maintenance_due {
                maintenance_due = Instant::now() + MAINTENANCE_INTERVAL;
                worker.run_maintenance().await;
            }
            if Instant::now() >= note_due {
                note_due = Instant::now() + NOTE_INTERVAL;
                worker.store.note_worker(&worker.consumer).await?;
            }
            if Instant::now() >= chores_due {
                chores_due = Instant::now() + CHORES_INTERVAL;
                chores::run(&worker.store).await;
            }
            worker.run_next_task(WAIT).await
        };
        match step.await {
            Ok(_) => {}
            // The task stays pending. The next one may free memory.
            Err(error @ Error::Full) => tracing::warn!(%error, "a task waits"),
            Err(error) => {
                tracing::warn!(%error, "the worker pauses");
                tokio::select! {
                    () = tokio::time::sleep(PAUSE) => {}
                    _ = stop.changed() => {}
                }
                maintenance_due = Instant::now();
            }
        }
    }
    worker.retire().await;
}

/// Runs all tasks of now and later. Failed tasks are retried as often as the settings say. Fails if Redis stays away for
/// the tasks.
pub async fn drain(store: &Store) -> Result<()> {
    let worker = Worker::for_caller(store);
    loop {
        let moved = store.move_all_due(Some(END_OF_TIME)).await?;
        let done = worker.run_tasks(usize::MAX).await?;
        let postponed = worker.postponed_in_a_row.load(Ordering::Relaxed);
        let is_stuck = postponed >= MAX_POSTPONED_IN_A_ROW;
        if moved + done == 0 || is_stuck {
            worker.retire().await;
            return match is_stuck {
                false => Ok(()),
                true => Err(Error::Unavailable("all tasks were postponed".to_owned())),
            };
        }
    }
}

/// Runs up to `most` tasks of now. Returns their number.
pub async fn do_some(store: &Store, most: usize) -> Result<usize> {
    let worker = Worker::for_caller(store);
    let done = worker.run_tasks(most).await?;
    worker.retire().await;
    Ok(done)
}

/// Catches up with work: moves due entries, takes over tasks of dead workers and runs tasks of now,
/// until none is left or the time is over. Other workers may run beside it.
pub async fn catch_up(store: &Store, allowed: Duration) -> Result<()> {
    let end = Instant::now() + allowed;
    let worker = Worker::for_caller(store);
    worker.run_maintenance().await;
    while Instant::now() < end && worker.run_next_task(Duration::ZERO).await? {}
    worker.retire().await;
    Ok(())
}

struct Worker {
    store: Store,
    /// The same for background work.
    background: Store,
    reader: TaskReader,
    consumer: String,
    shares: Mutex<FanOutShares>,
    /// Number of postponed tasks since the last one that was not.
    postponed_in_a_row: AtomicU32,
    stop: watch::Receiver<bool>,
}

impl Worker {
    fn new(store: &Store, stop: watch::Receiver<bool>) -> Self {
        let store = store.fork();
        let consumer = format!("{}-{:08x}", std::process::id(), rand::random::<u32>());
        Self {
            background: store.in_background(),
            reader: TaskReader::new(store.fork_for_blocking(WAIT), consumer.clone()),
            store,
            consumer,
            shares: Mutex::default(),
            postponed_in_a_row: AtomicU32::new(0),
            stop,
        }
    }

    /// Creates a worker that runs tasks for its caller.
    fn for_caller(store: &Store) -> Self {
        let (_never, stop) = watch::channel(false);
        Self::new(store, stop)
    }

    /// Runs up to `most` tasks of now. Returns their number.
    async fn run_tasks(&self, most: usize) -> Result<usize> {
        let mut done = 0;
        while done < most && self.run_next_task(Duration::ZERO).await? {
            done += 1;
        }
        Ok(done)
    }

    /// Runs the next task, or waits for new ones. Returns `true` if a task was run.
    async fn run_next_task(&self, wait: Duration) -> Result<bool> {
        let tasks = self.reader.next_tasks(wait).await?;
        for taken in &tasks {
            self.run_task(taken).await?;
        }
        Ok(!tasks.is_empty())
    }

    /// Moves due entries, resumes own tasks and takes over lost ones. A failure stops no other step.
    async fn run_maintenance(&self) {
        let mut outcomes = vec![self.store.move_all_due(None).await.map(drop)];
        let partitions = match self.store.readable_partitions().await {
            Ok(readable) => readable.with_tasks,
            Err(error) => {
                outcomes.push(Err(error));
                Vec::new()
            }
        };
        for partition in partitions {
            self.reader.note_read(partition);
            outcomes.push(self.resume_own_tasks(partition).await);
            outcomes.push(self.take_over_tasks(partition).await);
        }
        for error in outcomes.into_iter().filter_map(Result::err) {
            tracing::warn!(%error, "maintenance of the worker failed");
        }
    }

    /// Runs tasks that were delivered to this worker and not completed: Redis became unavailable or full,
    /// or the reply was lost. Between two tasks the worker holds none.
    async fn resume_own_tasks(&self, partition: u16) -> Result<()> {
        let mut after = None;
        while !self.should_stop() {
            let pending = self
                .store
                .pending_task(partition, &self.consumer, after.as_ref());
            let Some(task) = ignore_missing_group(pending.await)? else {
                break;
            };
            match self.run_task(&task).await {
                // It still needs room. A later task may free memory.
                Err(Error::Full) => after = Some(task),
                outcome => outcome?,
            }
        }
        Ok(())
    }

    async fn take_over_tasks(&self, partition: u16) -> Result<()> {
        let idle = self.store.config().timeouts.task_claim;
        while !self.should_stop() {
            let claimed = self.store.claim_task(partition, &self.consumer, idle).await;
            let Some(task) = ignore_missing_group(claimed)? else {
                break;
            };
            self.run_claimed_task(&task).await?;
        }
        Ok(())
    }

    /// Runs a task of a lost worker, or gives it up if it was lost with too many workers. A claim while
    /// Redis is unavailable does not count.
    async fn run_claimed_task(&self, taken: &Taken) -> Result<()> {
        if taken.lost_workers() >= self.store.config().limits.task_attempts {
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

    /// Runs and acknowledges a task. Redis being unavailable or full does not count as an attempt: the
    /// task stays pending and is run later, here or by another worker. If Redis answers again, the task waits behind
    /// others, because the task itself may be too slow for Redis. A task that another worker completed meanwhile has no text
    /// left.
    async fn run_task(&self, taken: &Taken) -> Result<()> {
        let acted = match &taken.task {
            Err(gone) if gone.is_empty() => Ok(None),
            Ok(task) => match self.store.lane_of(taken) {
                Lane::Background => perform_task(&self.background, task).await,
                Lane::FanOut => self.run_fan_out(taken, task).await,
                Lane::Ordinary | Lane::FurtherFanOut => perform_task(&self.store, task).await,
            },
            Err(text) => Err(Error::Unexpected {
                what: "a task",
                answer: text.clone(),
            }),
        };
        let finish = match acted {
            Ok(None) => Finish::Done,
            Ok(Some(next)) => self.continue_by(taken, next).await?,
            Err(error @ Error::Full) => return Err(error),
            Err(error @ Error::Unavailable(_)) => {
                self.postponed_in_a_row.fetch_add(1, Ordering::Relaxed);
                let postponed = Finish::Postpone(POSTPONEMENT);
                let finished = self.store.finish_task(taken, &postponed).await;
                tracing::warn!(%error, task = ?taken.task, "a task is postponed");
                return finished.map(drop).map_err(|_| error);
            }
            Err(error) => self.handle_failure(taken, &error),
        };
        self.postponed_in_a_row.store(0, Ordering::Relaxed);
        self.store.finish_task(taken, &finish).await.map(drop)
    }

    /// Returns the finish of a task that continues by another one. A task of another lane is added here: if this worker
    /// is lost before the finish, it is added again.
    async fn continue_by(&self, taken: &Taken, next: Task) -> Result<Finish> {
        let lane = self.store.lane_of(taken);
        let begins = |task: &Task| begins_fan_out(lane, task, &next);
        let is_new = taken.task.as_ref().is_ok_and(begins);
        if self.store.stays_in_lane_of(taken, &next) && !is_new {
            return Ok(Finish::Next(next));
        }
        self.store.enqueue(&next).await?;
        Ok(Finish::Done)
    }

    fn handle_failure(&self, taken: &Taken, error: &Error) -> Finish {
        let attempts = self.store.config().limits.task_attempts;
        let most = match error {
            Error::Late => attempts.saturating_add(FURTHER_LATE_ATTEMPTS),
            _ => attempts,
        };
        if taken.attempts + 1 >= most {
            tracing::error!(%error, task = ?taken.task, "a task was abandoned");
            return Finish::Dead(error.to_string());
        }
        tracing::warn!(%error, task = ?taken.task, "a task failed and is tried again");
        let doubled = RETRY_DELAY.saturating_mul(1 << taken.attempts.min(16));
        Finish::Retry(doubled.min(MAX_RETRY_DELAY))
    }

    async fn retire(&self) {
        if let Err(error) = self.store.forget_worker(&self.consumer).await {
            tracing::debug!(%error, "the worker stays noted");
        }
        for partition in self.reader.take_read_partitions() {
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
        Task::LastWithdraw { status, from } => {
            fan_out::last_withdraw_pass(store, *status, *from).await
        }
        Task::DeleteReposts { original, before } => {
            reposts::delete_reposts_pass(store, *original, *before).await
        }
        Task::Rebuild(timeline) => {
            homes::rebuild(store, *timeline, Begin::Short).await?;
            Ok(None)
        }
        Task::Index(id) => search::index(store, *id).await,
        Task::NotifyGroup { status, after } => {
            Box::pin(notify_group_pass(store, *status, *after)).await
        }
        Task::AnswerRequests {
            person,
            until_us,
            answer,
        } => {
            let answers = follow_requests::answer_waiting(store, *person, *until_us, *answer);
            Box::pin(answers).await
        }
        Task::Separate { by, blocked, from } => {
            Box::pin(blocks::separate_pass(store, *by, *blocked, *from)).await
        }
        Task::DeleteAccount(person) => {
            Box::pin(account_deletion::delete_pass(store, *person)).await
        }
        Task::Sweep {
            token,
            people,
            from,
        } => Box::pin(account_deletion::sweep_pass(store, token, people, *from)).await,
        Task::SweepAccount { person, .. } => {
            Box::pin(account_deletion::join_sweep(store, *person)).await
        }
        Task::DeleteGroup(group, slug) => Box::pin(groups::delete_pass(store, *group, slug)).await,
        Task::Export { person, token } => Box::pin(export::run_pass(store, *person, token)).await,
        Task::Reconcile(thing) => reconcile(store, thing).await,
    }
}
