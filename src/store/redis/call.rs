//! Calls with a deadline on Redis' clock. A write that reaches Redis later has no effect, so after the
//! deadline an unknown outcome is final.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use tokio::time::Instant;

pub(in crate::store) use super::clock::millis;
use super::{
    clock::{Clock, own_ms, skew::Offset},
    nodes::Node,
    throttle::PAUSE,
};
use crate::store::{
    Error, Result, Store, UnixMs,
    cache::recording::{note_expiry, note_uncached_read},
};

/// Rounding of the two clocks, which are read in whole milliseconds.
const ROUNDING: Duration = Duration::from_millis(3);

/// One request of a person, or one run of a task.
pub struct Call {
    deadline_ms: u64,
    /// A moment after the deadline, by any clock that is adjusted meanwhile by at most 1 ms a second.
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

    /// Returns whether half of its time is over. Work that can continue in a later call then stops.
    pub fn is_half_over(&self) -> bool {
        Instant::now() >= self.half
    }

    /// Makes the next call measure the clock of Redis, after a step failed.
    pub fn distrust_clock(&self) {
        self.clock.invalidate_measurement();
    }

    /// Passes a result on. One that leaves open whether the write happened waits until it no
    /// longer can.
    pub async fn finish<T>(&self, result: Result<T>) -> Result<T> {
        if matches!(result, Err(Error::Unavailable(_) | Error::Late)) {
            self.distrust_clock();
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
        if self.holds_writes.load(Ordering::Relaxed) {
            let reason = "the version of the data is not known yet";
            return Err(Error::Unavailable(reason.to_owned()));
        }
        let allowed = self.config.timeouts.write_deadline;
        let deadline_ms = self.now().await?.0 + millis(allowed);
        let begun = Instant::now();
        Ok(Call {
            deadline_ms,
            ends: begun + allowed + allowed / 1000 + ROUNDING,
            half: begun + allowed / 2,
            sent: AtomicBool::new(false),
            clock: Arc::clone(&self.clock),
        })
    }

    /// Returns the current time on Redis' clock.
    pub async fn now(&self) -> Result<UnixMs> {
        note_uncached_read();
        self.time().await
    }

    /// Returns the current time on Redis' clock. A recorded page ends at the first of these times that is in the future.
    pub(in crate::store) async fn now_until(
        &self,
        ends: impl Iterator<Item = UnixMs>,
    ) -> Result<UnixMs> {
        let now = self.time().await?;
        if let Some(end) = ends.filter(|end| *end > now).min() {
            note_expiry(std::time::Instant::now() + Duration::from_millis(end.0 - now.0));
        }
        Ok(now)
    }

    async fn time(&self) -> Result<UnixMs> {
        if let Some(now) = self.clock.now() {
            if self.clock.is_due() {
                let aside = self.without_fuse();
                tokio::spawn(async move {
                    let measured = async {
                        aside.measure_clock().await?;
                        aside.measure_memory().await
                    };
                    if let Err(error) = measured.await {
                        tracing::debug!(%error, "the clock or the memory was not measured");
                    }
                });
            }
            return Ok(now);
        }
        self.measure_clock().await?;
        let unknown = || Error::Unavailable("the clock is not known".into());
        self.clock.now().ok_or_else(unknown)
    }

    /// Measures the offset of Redis' clock. A slow reply makes deadlines earlier, never later. The
    /// offset of a promoted node is known after the next measurement; until then different clocks shift
    /// deadlines by their difference.
    pub async fn measure_clock(&self) -> Result<()> {
        let nodes = self.connection.primaries().await?;
        let offsets = nodes.iter().map(|node| async {
            let sent = own_ms();
            let (seconds, micros): (i64, i64) =
                self.connection.query_on(node, redis::cmd("TIME")).await?;
            let time = seconds * 1000 + micros / 1000;
            Ok(Offset::of(time, sent, own_ms()))
        });
        let offsets: Vec<Result<Offset>> = join_all(offsets).await;
        let names = nodes.iter().map(Node::name);
        self.clock.record(names.zip(offsets).collect())
    }

    /// Pauses between two steps of background work. A call pauses for at most half of its time, so it
    /// completes under any load.
    pub(in crate::store) async fn give_way(&self, call: &Call) {
        if self.is_to_give_way() && !call.is_half_over() {
            tokio::time::sleep(PAUSE).await;
        }
    }
}
