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
    domain::{Task, UserId},
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

impl FanOutShares {
    /// Returns the time that the recent passes of an author took, of tasks of this kind.
    fn time_taken(&mut self, author: UserId, task: &Task, now: Instant) -> Duration {
        self.passes
            .retain(|_, passes| now.duration_since(passes.ended) < COUNTED_TIME);
        let passes = self.passes.get(&(author, discriminant(task)));
        passes.map_or(Duration::ZERO, |passes| passes.time_taken)
    }

    /// Adds a pass that ended now.
    fn add_pass(&mut self, author: UserId, task: &Task, took: Duration, now: Instant) {
        let passes = RecentPasses {
            time_taken: self.time_taken(author, task, now).saturating_add(took),
            ended: now,
        };
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
        if !taken.is_continuation && time_taken > Duration::from_millis(share) {
            self.store.enqueue_further_fan_out(task).await?;
            return Ok(None);
        }
        let next = perform_task(&self.store, task).await;
        let ended = Instant::now();
        let took = ended.duration_since(begun);
        self.shares.lock().add_pass(author, task, took, ended);
        next
    }
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
        assert!(shares.passes.is_empty());
    }
}
