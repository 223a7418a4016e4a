//! A call that writes carries a deadline on Redis' clock: what is still on its way then writes
//! nothing. So "unknown" can be answered without anything happening afterwards.

use std::{
    sync::atomic::{AtomicBool, AtomicI64, Ordering},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use tokio::time::Instant;

use super::{Error, Result, Store, UnixMs};

/// How far Redis' clock is ahead of ours, in milliseconds. `UNKNOWN` until it was measured.
pub(super) struct Clock(AtomicI64);

const UNKNOWN: i64 = i64::MIN;

impl Clock {
    pub(super) fn new() -> Self {
        Self(AtomicI64::new(UNKNOWN))
    }
}

/// One call of a person, or one run of a task.
pub struct Call {
    deadline_ms: u64,
    ends: Instant,
    sent: AtomicBool,
}

impl Call {
    /// The deadline as a script takes it. From here on the outcome can be unknown.
    pub(super) fn deadline(&self) -> u64 {
        self.sent.store(true, Ordering::Relaxed);
        self.deadline_ms
    }

    /// Passes a result on. One that leaves open whether the write happened waits until it no
    /// longer can.
    pub async fn settle<T>(&self, result: Result<T>) -> Result<T> {
        if self.sent.load(Ordering::Relaxed) && matches!(result, Err(Error::Unavailable(_))) {
            tokio::time::sleep_until(self.ends).await;
        }
        result
    }
}

impl Store {
    /// Begins a call: its deadline is `write_deadline` from now.
    pub async fn begin(&self) -> Result<Call> {
        let allowed = self.config.timeouts.write_deadline;
        let deadline_ms = self.now().await?.0 + millis(allowed);
        let ends = Instant::now() + allowed;
        Ok(Call {
            deadline_ms,
            ends,
            sent: AtomicBool::new(false),
        })
    }

    /// Now, on Redis' clock.
    pub async fn now(&self) -> Result<UnixMs> {
        if self.clock.0.load(Ordering::Relaxed) == UNKNOWN {
            self.measure_clock().await?;
        }
        let ahead = self.clock.0.load(Ordering::Relaxed);
        Ok(UnixMs(local_ms().saturating_add_signed(ahead)))
    }

    /// Measures how far Redis' clock is ahead of ours. Called at the first use, and by the worker
    /// every now and then. A slow answer makes deadlines earlier, never later.
    pub async fn measure_clock(&self) -> Result<()> {
        let (seconds, micros): (u64, u64) = self.connection.query(redis::cmd("TIME")).await?;
        let theirs = seconds * 1000 + micros / 1000;
        self.clock.0.store(
            theirs.cast_signed() - local_ms().cast_signed(),
            Ordering::Relaxed,
        );
        Ok(())
    }
}

/// A duration as Redis takes it. Ours are settings, far below the limit.
pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn local_ms() -> u64 {
    millis(
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default(),
    )
}
