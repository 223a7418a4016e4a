//! Work that is due later: it is moved to the streams in time.

use super::calls;
use crate::store::{prelude::*, redis::call::millis, tasks::MAX_RETRY_DELAY};

/// Number of due entries moved per step.
const MOVED_AT_ONCE: usize = 100;

impl Store {
    /// Moves entries of all partitions that are due by `until`, or by now, to the streams. Returns their number. One round
    /// trip if each partition has few. Fails if a partition is unavailable, and moves those of the others.
    pub async fn move_all_due(&self, until: Option<UnixMs>) -> Result<usize> {
        let partitions = 0..self.partitions();
        let steps = partitions.clone().map(|p| self.move_step(p, until));
        let counts = self.connection.try_each(steps.collect()).await;
        let mut all = Ok(0);
        for (partition, count) in partitions.zip(counts) {
            let count = match count {
                Ok(MOVED_AT_ONCE) => {
                    let more = self.move_due(partition, until).await;
                    more.map(|more| MOVED_AT_ONCE + more)
                }
                count => count,
            };
            all = match (all, count) {
                (Ok(moved), Ok(count)) => Ok(moved + count),
                (Err(error), _) | (_, Err(error)) => Err(error),
            };
        }
        all
    }

    /// Moves entries of a partition, like [`Store::move_all_due`].
    pub async fn move_due(&self, partition: u16, until: Option<UnixMs>) -> Result<usize> {
        let mut moved = 0;
        loop {
            let step = self.move_step(partition, until);
            let count: usize = self.connection.query(step).await?;
            moved += count;
            if count < MOVED_AT_ONCE {
                return Ok(moved);
            }
        }
    }

    fn move_step(&self, partition: u16, until: Option<UnixMs>) -> Cmd {
        let step = calls::MoveDue {
            later: keys::tasks_later(partition),
            tasks: keys::tasks(partition),
            until_ms: until.map_or_else(String::new, |until| until.0.to_string()),
            max_tasks: MOVED_AT_ONCE,
            outbox_delay_ms: millis(self.config.timeouts.outbox_delay),
            max_retry_delay_ms: millis(MAX_RETRY_DELAY),
        };
        step.command()
    }
}
