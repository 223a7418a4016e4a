//! The share of each author in the lane of fan-outs. When the fan-outs of an author have taken more, further ones are
//! moved to a lane with fewer turns. So other authors do not wait for each fan-out of a busy one.

use std::{
    collections::HashMap,
    mem::{Discriminant, discriminant},
    time::Duration,
};

use tokio::time::Instant;

use super::{Worker, perform_task};
use crate::{
    domain::{Lane, Task, UserId},
    store::{Result, Taken},
};

/// Time after the last pass of an author for which all of them count.
const COUNTED_TIME: Duration = Duration::from_secs(10);

/// The passes that a worker ran lately in the lane of fan-outs, for each author and kind of task. So the notifications
/// about a post do not delay its delivery.
#[derive(Debug, Default)]
pub(super) struct FanOutShares {
    passes: HashMap<(UserId, Discriminant<Task>), RecentPasses>,
}

#[derive(Debug)]
struct RecentPasses {
    time_taken: Duration,
    ended: Instant,
}

impl RecentPasses {
    fn are_recent(&self, now: Instant) -> bool {
        now.duration_since(self.ended) < COUNTED_TIME
    }
}

impl FanOutShares {
    /// Returns the time that the recent passes of an author took, of tasks of this kind.
    fn time_taken(&self, author: UserId, task: &Task, now: Instant) -> Duration {
        let passes = self.passes.get(&(author, discriminant(task)));
        let recent = passes.filter(|passes| passes.are_recent(now));
        recent.map_or(Duration::ZERO, |passes| passes.time_taken)
    }

    /// Adds a pass that ended now, and forgets old ones.
    fn add_pass(&mut self, author: UserId, task: &Task, took: Duration, now: Instant) {
        let passes = RecentPasses {
            time_taken: self.time_taken(author, task, now).saturating_add(took),
            ended: now,
        };
        self.passes.retain(|_, passes| passes.are_recent(now));
        self.passes.insert((author, discriminant(task)), passes);
    }
}

impl Worker {
    /// Runs a pass of the lane of fan-outs. If the author has taken their share, the first pass of a fan-out is moved
    /// instead. It is added to the other lane before it is acknowledged, so a worker that is lost between both leaves it
    /// twice. A fan-out that has begun stays, so a large one that is alone is not slower.
    pub(super) async fn run_fan_out(&self, taken: &Taken, task: &Task) -> Result<Option<Task>> {
        let author = match task.status_of_fan_out() {
            Some(status) => self.store.author_of(status).await?,
            None => None,
        };
        let Some(author) = author else {
            return perform_task(&self.store, task).await;
        };
        let share = self.store.config().limits.author_fan_out_ms;
        let begun = Instant::now();
        let time_taken = self.shares.lock().time_taken(author, task, begun);
        let has_begun = taken.is_continuation || taken.attempts > 0;
        if !has_begun && time_taken > Duration::from_millis(share) {
            self.store.enqueue_further_fan_out(task).await?;
            // An author with fan-outs in the queue stays busy.
            let moved = Instant::now();
            let mut shares = self.shares.lock();
            shares.add_pass(author, task, Duration::ZERO, moved);
            return Ok(None);
        }
        let next = perform_task(&self.store, task).await;
        let ended = Instant::now();
        let took = ended.duration_since(begun);
        self.shares.lock().add_pass(author, task, took, ended);
        next
    }
}

/// Returns whether the next task of a lane begins another fan-out, as the withdrawal of a status that was deleted before
/// its delivery. It counts as a new one.
pub(super) fn begins_fan_out(lane: Lane, task: &Task, next: &Task) -> bool {
    lane == Lane::FanOut && discriminant(task) != discriminant(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{FanOutProgress, StatusId};

    fn user(id: u64) -> UserId {
        UserId::new(id).expect("an id")
    }

    fn deliver(id: u64) -> Task {
        Task::Deliver {
            status: StatusId::new(id).expect("an id"),
            from: FanOutProgress::START,
        }
    }

    fn withdraw(id: u64) -> Task {
        Task::Withdraw {
            status: StatusId::new(id).expect("an id"),
            from: FanOutProgress::START,
        }
    }

    #[test]
    fn passes_of_all_statuses_of_an_author_count_together() {
        let mut shares = FanOutShares::default();
        let now = Instant::now();
        let took = Duration::from_millis(150);
        shares.add_pass(user(7), &deliver(4096), took, now);
        shares.add_pass(user(7), &deliver(8192), took, now);
        let time_taken = shares.time_taken(user(7), &deliver(12_288), now);
        assert_eq!(time_taken, 2 * took);
    }

    #[test]
    fn only_a_task_of_another_kind_begins_a_fan_out() {
        let further = Task::Deliver {
            status: StatusId::new(4096).expect("an id"),
            from: FanOutProgress {
                after: 7,
                ..FanOutProgress::START
            },
        };
        assert!(!begins_fan_out(Lane::FanOut, &deliver(4096), &further));
        assert!(begins_fan_out(
            Lane::FanOut,
            &deliver(4096),
            &withdraw(4096)
        ));
        assert!(!begins_fan_out(
            Lane::Background,
            &deliver(4096),
            &withdraw(4096)
        ));
    }

    #[test]
    fn passes_of_other_authors_and_of_other_kinds_do_not_count() {
        let mut shares = FanOutShares::default();
        let now = Instant::now();
        let took = Duration::from_millis(150);
        shares.add_pass(user(7), &deliver(4096), took, now);
        for (author, task) in [(user(8), deliver(8192)), (user(7), withdraw(4096))] {
            assert_eq!(shares.time_taken(author, &task, now), Duration::ZERO);
        }
    }

    #[test]
    fn passes_are_forgotten_ten_seconds_after_the_last_one() {
        let mut shares = FanOutShares::default();
        let now = Instant::now();
        let took = Duration::from_millis(150);
        shares.add_pass(user(7), &deliver(4096), took, now);
        let later = now + COUNTED_TIME / 2;
        shares.add_pass(user(7), &deliver(4096), took, later);
        let end = later + COUNTED_TIME;
        let just_before = end.checked_sub(Duration::from_millis(1)).expect("a time");
        let counted = shares.time_taken(user(7), &deliver(4096), just_before);
        assert_eq!(counted, 2 * took);
        let counted = shares.time_taken(user(7), &deliver(4096), end);
        assert_eq!(counted, Duration::ZERO);
        shares.add_pass(user(8), &deliver(4096), took, end);
        assert_eq!(shares.passes.len(), 1, "old passes are forgotten");
    }
}
