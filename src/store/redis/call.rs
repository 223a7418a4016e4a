//! Calls with a deadline on Redis' clock. A write that reaches Redis later has no effect, so after the
//! deadline an unknown outcome is final.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::time::Instant;

use super::clock::Clock;
use crate::store::{Error, Result, Store};

/// One request of a person, or one run of a task.
pub struct Call {
    deadline_ms: u64,
    ends: Instant,
    /// The middle of its time.
    half: Instant,
    sent: AtomicBool,
    clock: Arc<Clock>,
}

impl Call {
    /// Returns the deadline for a script. From here on the outcome can be unknown.
    pub(in crate::store) fn deadline(&self) -> u64 {
        self.sent.store(true, Ordering::Relaxed);
        self.deadline_ms
    }

    /// Returns whether half of the time is over, so that the call should not pause.
    pub(super) fn hurries(&self) -> bool {
        Instant::now() >= self.half
    }

    /// Passes a result on. One that leaves open whether the write happened waits until it no
    /// longer can.
    pub async fn finish<T>(&self, result: Result<T>) -> Result<T> {
        if matches!(result, Err(Error::Unavailable(_))) {
            self.clock.distrust();
            if self.sent.load(Ordering::Relaxed) {
                tokio::time::sleep_until(self.ends).await;
            }
        }
        result
    }
}

impl Store {
    /// Starts a call with a deadline of `write_deadline` from now.
    pub async fn begin(&self) -> Result<Call> {
        let allowed = self.config.timeouts.write_deadline;
        let deadline_ms = self.now().await?.0 + millis(allowed);
        let begun = Instant::now();
        Ok(Call {
            deadline_ms,
            ends: begun + allowed,
            half: begun + allowed / 2,
            sent: AtomicBool::new(false),
            clock: Arc::clone(&self.clock),
        })
    }
}

/// Returns a duration in ms. Settings are far below the limit.
pub(in crate::store) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
