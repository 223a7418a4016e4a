//! The consumers of the task streams. A process that is killed leaves its consumers behind.

use std::time::Duration;

use redis::streams::StreamInfoConsumersReply;

use super::GROUP;
use crate::store::{Error, prelude::*, redis::call::millis};

impl Store {
    /// Removes the consumers of all partitions that have been idle for so long and hold no task. The next read of a
    /// living consumer creates it again. One round trip to each primary, and one for each removed consumer. If a
    /// partition is unavailable, this fails after the partitions before it.
    pub async fn retire_idle_consumers(&self, idle: Duration) -> Result<()> {
        let (partitions, idle_ms) = (0..self.partitions(), millis(idle));
        let ask =
            |partition| redis::cmd("XINFO").with(("CONSUMERS", keys::tasks(partition), GROUP));
        let lists = self
            .connection
            .try_each(partitions.clone().map(ask).collect());
        for (partition, list) in partitions.zip(lists.await) {
            let list: StreamInfoConsumersReply = match list {
                Err(error) if is_missing(&error) => continue,
                list => list?,
            };
            for consumer in list.consumers {
                let is_idle = u64::try_from(consumer.idle).is_ok_and(|ms| ms >= idle_ms);
                if consumer.pending == 0 && is_idle {
                    self.retire_consumer(partition, &consumer.name).await?;
                }
            }
        }
        Ok(())
    }
}

/// Returns whether a partition has no stream or no group yet.
fn is_missing(error: &Error) -> bool {
    let says =
        |word: &str| matches!(error, Error::Unexpected { answer, .. } if answer.contains(word));
    says("no such key") || says("NOGROUP")
}
