//! The partitions of the task queue. Each lane has partitions of its own, so a worker can choose a lane before it
//! takes a task.

use std::ops::Range;

use super::{Taken, add_tasks};
use crate::{
    domain::{Lane, Task},
    store::prelude::*,
};

/// The partitions that can be read.
#[derive(Debug, Clone, Default)]
pub struct ReadablePartitions {
    pub all: Vec<u16>,
    /// Those with tasks of now: new ones, and those that a worker has taken.
    pub with_tasks: Vec<u16>,
}

impl Store {
    /// Returns the partitions that can be read. On a single node these are all, with or without tasks, because a read of
    /// each costs no more. On a cluster, a node that does not answer makes only its own partitions unreadable. One round
    /// trip. Fails if no node answers.
    pub async fn readable_partitions(&self) -> Result<ReadablePartitions> {
        let partitions = 0..self.partitions();
        if !self.is_cluster() {
            return Ok(ReadablePartitions {
                all: partitions.clone().collect(),
                with_tasks: partitions.collect(),
            });
        }
        let sizes = partitions
            .clone()
            .map(|p| redis::cmd("XLEN").with(keys::tasks(p)));
        let sizes: Vec<Result<u64>> = self.connection.try_each(sizes.collect()).await;
        let mut readable = ReadablePartitions::default();
        let mut failure = None;
        for (partition, size) in partitions.zip(sizes) {
            match size {
                Ok(size) => {
                    readable.all.push(partition);
                    if size > 0 {
                        readable.with_tasks.push(partition);
                    }
                }
                Err(error) => failure = Some(error),
            }
        }
        match failure {
            Some(error) if readable.all.is_empty() => Err(error),
            Some(error) => {
                tracing::debug!(%error, "some partitions of the task queue cannot be read");
                Ok(readable)
            }
            None => Ok(readable),
        }
    }

    /// Returns the number of partitions of all lanes.
    pub fn partitions(&self) -> u16 {
        self.partitions_of(Lane::FurtherFanOut).end
    }

    /// Returns the partitions of a lane.
    pub fn partitions_of(&self, lane: Lane) -> Range<u16> {
        let per_lane = self.partitions_per_lane();
        let first = per_lane * lane as u16;
        first..first + per_lane
    }

    /// Returns one partition on a single node, and several on a cluster.
    pub(super) fn partitions_per_lane(&self) -> u16 {
        if self.connection.is_cluster() { 16 } else { 1 }
    }

    /// Returns a handle for background work: the tasks and outbox entries that it adds are background work too.
    #[must_use]
    pub fn in_background(&self) -> Self {
        Self {
            is_in_background: true,
            ..self.clone()
        }
    }

    /// Returns the lane that a task was taken from.
    pub fn lane_of(&self, taken: &Taken) -> Lane {
        let is_its_lane = |lane: &Lane| self.partitions_of(*lane).contains(&taken.partition);
        let lane = Lane::ALL.into_iter().find(is_its_lane);
        lane.unwrap_or(Lane::Ordinary)
    }

    /// Returns whether a task that continues another one stays in its lane.
    pub fn stays_in_lane_of(&self, taken: &Taken, next: &Task) -> bool {
        match self.lane_of(taken) {
            Lane::Background => true,
            Lane::FurtherFanOut => self.lane(next) == Lane::FanOut,
            lane => self.lane(next) == lane,
        }
    }

    /// Adds a task to the lane of further fan-outs.
    pub async fn enqueue_further_fan_out(&self, task: &Task) -> Result<()> {
        let partition = self.partition_in(Lane::FurtherFanOut, task);
        let add = add_tasks(partition, vec![task.to_string()]);
        self.connection.execute(add).await
    }

    fn lane(&self, task: &Task) -> Lane {
        match self.is_in_background {
            true => Lane::Background,
            false => task.lane(),
        }
    }

    pub(super) fn partition(&self, task: &Task) -> u16 {
        self.partition_in(self.lane(task), task)
    }

    fn partition_in(&self, lane: Lane, task: &Task) -> u16 {
        let partitions = self.partitions_of(lane);
        let place = subject_number(task) % u64::from(self.partitions_per_lane());
        partitions.start + u16::try_from(place).unwrap_or_default()
    }
}

/// Returns the number of the status, user or group that a task is about.
fn subject_number(task: &Task) -> u64 {
    match task {
        Task::Deliver { status, .. }
        | Task::Withdraw { status, .. }
        | Task::LastWithdraw { status, .. }
        | Task::NotifyGroup { status, .. }
        | Task::Index(status) => status.get(),
        Task::DeleteReposts { original, .. } => original.get(),
        Task::Sweep { .. } => 0,
        Task::Reconcile(Thing::Status(status)) => status.get(),
        Task::Rebuild(timeline) => timeline.owner().get(),
        Task::AnswerRequests { person, .. }
        | Task::Separate { by: person, .. }
        | Task::DeleteAccount(person)
        | Task::Export { person, .. }
        | Task::SweepAccount { person, .. } => person.get(),
        Task::Reconcile(
            Thing::Account(user, _)
            | Thing::Repost(user, _)
            | Thing::Names(user)
            | Thing::Rename(user, _)
            | Thing::Leaving(user)
            | Thing::MutedTexts(user)
            | Thing::Case(user)
            | Thing::Role(user),
        ) => user.get(),
        Task::Reconcile(Thing::Chat(chat)) => chat.number(),
        Task::Reconcile(Thing::GroupMember(group, _) | Thing::Group(group, _))
        | Task::DeleteGroup(group, _) => group.get(),
        Task::Reconcile(Thing::Relation(relation)) => relation.owner().get(),
        Task::Reconcile(Thing::ListMembership(list, _) | Thing::List(list)) => list.owner.get(),
    }
}
