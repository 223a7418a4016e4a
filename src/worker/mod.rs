//! Work that goes on after the answer: reads a task, acts, acknowledges; moves what is due;
//! takes over what a dead worker held. No account gets more than its share: each pass goes to the
//! end of the stream again, behind everybody else's.

use std::{
    sync::atomic::{AtomicU16, Ordering},
    time::Duration,
};

use tokio::{sync::watch, time::Instant};

use crate::{
    actions::{
        accounts, fan_out, favourites, follows, homes, lists, reposts, search, statuses,
        tag_follows,
    },
    domain::{Task, Thing},
    store::{Begin, Error, Finish, Result, Store, Taken, UnixMs},
};

/// How long a read waits for a task; also how long a stop may wait for that read.
const WAIT: Duration = Duration::from_millis(500);
/// How long a task may lie before an idle worker has come round to its partition.
const LONGEST_TURN: Duration = Duration::from_millis(1600);
/// How often what is due is moved and what the dead held is looked for.
const CHORES: Duration = Duration::from_secs(1);
/// How long to wait for a Redis that is away.
const AWAY: Duration = Duration::from_millis(500);
/// The first retry's delay; it doubles up to the longest.
const RETRY: Duration = Duration::from_secs(1);
const LONGEST_RETRY: Duration = Duration::from_secs(300);
/// A horizon beyond every due time: 2^53 - 1 ms.
const FOR_EVER: UnixMs = UnixMs((1 << 53) - 1);

/// Works until `stop` turns true: a task under way is finished, no further one is begun. Redis
/// being away only pauses it.
pub async fn run(store: Store, mut stop: watch::Receiver<bool>) {
    let worker = Worker::new(&store.giving_way(), stop.clone());
    let mut chores_due = Instant::now();
    while !*stop.borrow_and_update() {
        let step = async {
            if Instant::now() >= chores_due {
                chores_due = Instant::now() + CHORES;
                worker.chores().await;
            }
            worker.step(WAIT).await
        };
        if let Err(error) = step.await {
            tracing::warn!(%error, "the worker pauses");
            tokio::select! {
                () = tokio::time::sleep(AWAY) => {}
                _ = stop.changed() => {}
            }
            chores_due = Instant::now();
        }
    }
    worker.retire().await;
}

/// Does everything that is to be done now, and where `DueLater::Too` what is due later as well,
/// until nothing is left. What fails is tried again as often as the settings say.
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
                moved += store.move_due(partition, Some(FOR_EVER)).await?;
            }
        }
        let mut done = 0;
        while worker.step(Duration::ZERO).await? {
            done += 1;
        }
        if moved + done == 0 {
            worker.retire().await;
            return Ok(());
        }
    }
}

/// Does up to so many tasks that are to be done now. Gives how many there were.
pub async fn do_some(store: &Store, most: usize) -> Result<usize> {
    let (_never, stop) = watch::channel(false);
    let worker = Worker::new(store, stop);
    for partition in 0..store.partitions() {
        store.found_group(partition).await?;
    }
    let mut done = 0;
    while done < most && worker.step(Duration::ZERO).await? {
        done += 1;
    }
    worker.retire().await;
    Ok(done)
}

/// Does what nobody was at: moves what is due, takes over what the dead held, and does what is to be
/// done now, until nothing is left or so much time has passed. Other workers may be at it too.
pub async fn catch_up(store: &Store, allowed: Duration) -> Result<()> {
    let (_never, stop) = watch::channel(false);
    let worker = Worker::new(store, stop);
    let end = Instant::now() + allowed;
    for partition in 0..store.partitions() {
        store.found_group(partition).await?;
    }
    worker.chores().await;
    while Instant::now() < end && worker.step(Duration::ZERO).await? {}
    worker.retire().await;
    Ok(())
}

/// Whether [`drain`] waits for what is due later, or does it at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DueLater {
    Stays,
    Too,
}

struct Worker {
    store: Store,
    reader: Store,
    consumer: String,
    /// The partition to look at first: the one behind that which was looked at last, so that a busy
    /// one, or one whose Redis is away, keeps nobody from the others.
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

    /// One round over the partitions. `true` where a task was done. Only the last one waits.
    async fn step(&self, wait: Duration) -> Result<bool> {
        let partitions = self.store.partitions();
        let first = self.first.load(Ordering::Relaxed);
        for place in 0..partitions {
            let partition = (first + place) % partitions;
            self.first
                .store((partition + 1) % partitions, Ordering::Relaxed);
            let wait = if place + 1 == partitions {
                wait.min(LONGEST_TURN / u32::from(partitions))
            } else {
                Duration::ZERO
            };
            let taken = self.reader.take_task(partition, &self.consumer, wait).await;
            if let Some(taken) = self.of_group(partition, taken).await? {
                self.work(&taken).await?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What is due, what we hold, and what the dead held. One that fails keeps nobody from the
    /// others, nor from the tasks of now.
    async fn chores(&self) {
        let mut outcomes = Vec::new();
        for partition in 0..self.store.partitions() {
            outcomes.push(self.store.move_due(partition, None).await.map(drop));
            outcomes.push(self.resume(partition).await);
            outcomes.push(self.rescue(partition).await);
        }
        for error in outcomes.into_iter().filter_map(Result::err) {
            tracing::warn!(%error, "a chore of the worker failed");
        }
    }

    /// Does what was given to us and never finished: Redis went away meanwhile, or the answer that
    /// gave it was lost. Between two tasks we hold nothing else.
    async fn resume(&self, partition: u16) -> Result<()> {
        while !self.told_to_stop() {
            let held = self.store.held_task(partition, &self.consumer).await;
            match self.of_group(partition, held).await? {
                Some(held) => self.work(&held).await?,
                None => break,
            }
        }
        Ok(())
    }

    async fn rescue(&self, partition: u16) -> Result<()> {
        let idle = self.store.config().timeouts.task_claim;
        while !self.told_to_stop() {
            let claimed = self.store.claim_task(partition, &self.consumer, idle).await;
            match self.of_group(partition, claimed).await? {
                Some(claimed) => self.work_on_claimed(&claimed).await?,
                None => break,
            }
        }
        Ok(())
    }

    /// Does what a lost worker held; but gives it up where it took too many with it, before it takes
    /// this one too. That we live, and Redis was away, is not held against it.
    async fn work_on_claimed(&self, taken: &Taken) -> Result<()> {
        if taken.attempts >= self.store.config().limits.task_attempts {
            tracing::error!(task = ?taken.task, "a task is given up: its workers were lost");
            let reason = Finish::Dead("the workers that took it were lost".to_owned());
            return self.store.finish_task(taken, &reason).await.map(drop);
        }
        let worked = self.work(taken).await;
        if worked.is_err() {
            self.store.uncount_claim(taken, &self.consumer).await?;
        }
        worked
    }

    fn told_to_stop(&self) -> bool {
        *self.stop.borrow()
    }

    /// A task of the consumer group, which is made where it is not there.
    async fn of_group(
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

    /// Acts and acknowledges. Redis being away does not count as a try: the task stays held, and is
    /// done when Redis is back, by us or by whoever claims it. One that another worker finished
    /// and removed meanwhile has no text left.
    async fn work(&self, taken: &Taken) -> Result<()> {
        let acted = match &taken.task {
            Err(gone) if gone.is_empty() => Ok(None),
            Ok(task) => perform(&self.store, task).await,
            Err(text) => Err(Error::Unexpected {
                what: "a task",
                answer: text.clone(),
            }),
        };
        let finish = match acted {
            Ok(None) => Finish::Done,
            Ok(Some(next)) => Finish::Next(next),
            Err(error @ Error::Unavailable(_)) => return Err(error),
            Err(error) => self.failed(taken, &error),
        };
        self.store.finish_task(taken, &finish).await.map(drop)
    }

    fn failed(&self, taken: &Taken, error: &Error) -> Finish {
        if taken.attempts + 1 >= self.store.config().limits.task_attempts {
            tracing::error!(%error, task = ?taken.task, "a task is given up");
            return Finish::Dead(error.to_string());
        }
        tracing::warn!(%error, task = ?taken.task, "a task failed and is tried again");
        let doubled = RETRY.saturating_mul(1 << taken.attempts.min(16));
        Finish::Retry(doubled.min(LONGEST_RETRY))
    }

    async fn retire(&self) {
        for partition in 0..self.store.partitions() {
            if let Err(error) = self.store.retire_consumer(partition, &self.consumer).await {
                tracing::debug!(%error, "the consumer stays listed");
            }
        }
    }
}

/// Does a task once, and answers with the one that goes on with it. Doing it twice leaves the same.
async fn perform(store: &Store, task: &Task) -> Result<Option<Task>> {
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
        Task::Reconcile(Thing::Status(id)) => statuses::reconcile(store, *id).await.map(|()| None),
        Task::Reconcile(Thing::Edge(from, to)) => follows::reconcile(store, *from, *to).await,
        Task::Reconcile(Thing::Account(id, login)) => {
            accounts::reconcile(store, *id, login).await.map(|()| None)
        }
        Task::Reconcile(Thing::ListMembership(list, member)) => {
            lists::reconcile_list_membership(store, *list, *member).await
        }
        Task::Reconcile(Thing::List(list)) => lists::reconcile(store, *list).await.map(|()| None),
        Task::Reconcile(Thing::Favourite(by, id)) => favourites::reconcile(store, *by, *id).await,
        Task::Reconcile(Thing::Repost(by, original)) => reposts::reconcile(store, *by, *original)
            .await
            .map(|()| None),
        Task::Reconcile(Thing::TagFollow(who, tag)) => {
            tag_follows::reconcile(store, *who, tag).await
        }
        Task::Reconcile(Thing::Names(who)) => search::index_names(store, *who).await,
    }
}
