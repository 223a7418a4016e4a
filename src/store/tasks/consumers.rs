//! The consumers of the task streams. A process that is killed leaves its consumers behind.

use std::time::Duration;

use redis::streams::StreamInfoConsumersReply;

use super::{GROUP, calls};
use crate::store::{Error, prelude::*, redis::call::millis};

impl Store {
    /// Removes the consumers of all partitions that have been idle for so long and hold no task. The next read of a
    /// living consumer creates it again. Two round trips to each primary, one if there are none. If a partition is
    /// unavailable, this fails after the others.
    pub async fn retire_idle_consumers(&self, idle: Duration) -> Result<()> {
        let (partitions, idle_ms) = (0..self.partitions(), millis(idle));
        let ask =
            |partition| redis::cmd("XINFO").with(("CONSUMERS", keys::tasks(partition), GROUP));
        let lists = self
            .connection
            .try_each::<StreamInfoConsumersReply>(partitions.clone().map(ask).collect());
        let (mut removals, mut outcome) = (Vec::new(), Ok(()));
        for (partition, list) in partitions.zip(lists.await) {
            match list {
                Ok(list) => {
                    let found = list.consumers.into_iter().filter(|consumer| {
                        let is_idle = u64::try_from(consumer.idle).is_ok_and(|ms| ms >= idle_ms);
                        consumer.pending == 0 && is_idle
                    });
                    removals.extend(found.map(|consumer| removal(partition, &consumer.name)));
                }
                Err(error) if is_missing(&error) => {}
                Err(error) => outcome = Err(error),
            }
        }
        for removed in self.connection.try_each::<String>(removals).await {
            outcome = outcome.and(removed.map(drop));
        }
        outcome
    }
}

/// Returns whether a partition has no stream or no group yet.
fn is_missing(error: &Error) -> bool {
    let says =
        |word: &str| matches!(error, Error::Unexpected { answer, .. } if answer.contains(word));
    says("no such key") || says("NOGROUP")
}

fn removal(partition: u16, consumer: &str) -> Cmd {
    let tasks = keys::tasks(partition);
    let consumer = consumer.to_owned();
    calls::RetireConsumer { tasks, consumer }.command()
}
