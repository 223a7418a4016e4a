//! Redis' clock, by which deadlines and reminders are set, as far as this process knows it.

use std::{
    collections::HashMap,
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    time::Instant,
};

use futures_util::future::join_all;

use super::cluster::Node;
use crate::store::{Error, Result, Store, UnixMs};

/// Validity of a measurement, in ms. A later caller starts another one and does not wait for it.
const BELIEVED_MS: i64 = 5_000;

/// Offset of Redis' clock from this process's monotonic clock.
pub(in crate::store) struct Clock {
    /// In ms. `UNKNOWN` before the first measurement.
    ahead: AtomicI64,
    /// Start of the last measurement, on our own clock.
    looked: AtomicI64,
    /// Offset of each primary's clock at its last reply.
    primaries: Mutex<HashMap<String, i64>>,
}

const UNKNOWN: i64 = i64::MIN;

impl Clock {
    pub(in crate::store) fn new() -> Self {
        Self {
            ahead: AtomicI64::new(UNKNOWN),
            looked: AtomicI64::new(UNKNOWN),
            primaries: Mutex::default(),
        }
    }

    /// Makes the next reader measure: a call was too late, or Redis was unavailable and may have been
    /// replaced.
    pub(super) fn distrust(&self) {
        self.looked.store(UNKNOWN, Ordering::Relaxed);
    }

    /// Simulates a change of Redis' clock since the measurement, in ms.
    #[cfg(feature = "failpoints")]
    pub(super) fn misjudge(&self, by_ms: i64) {
        self.ahead.fetch_sub(by_ms, Ordering::Relaxed);
    }

    fn now(&self) -> Option<UnixMs> {
        let ahead = self.ahead.load(Ordering::Relaxed);
        let now = own_ms().checked_add(ahead).filter(|_| ahead != UNKNOWN)?;
        Some(UnixMs(now.cast_unsigned()))
    }

    /// Returns whether this caller is to measure.
    fn is_due(&self) -> bool {
        let (looked, now) = (self.looked.load(Ordering::Relaxed), own_ms());
        now.saturating_sub(looked) > BELIEVED_MS
            && self
                .looked
                .compare_exchange(looked, now, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
    }
}

impl Store {
    /// Returns the current time on Redis' clock.
    pub async fn now(&self) -> Result<UnixMs> {
        if let Some(now) = self.clock.now() {
            if self.clock.is_due() {
                let aside = self.aside();
                tokio::spawn(async move {
                    if let Err(error) = aside.measure_clock().await {
                        tracing::debug!(%error, "the clock was not measured");
                    }
                });
            }
            return Ok(now);
        }
        self.measure_clock().await?;
        let unknown = || Error::Unavailable("the clock is not known".into());
        self.clock.now().ok_or_else(unknown)
    }

    /// Measures the offset of Redis' clock. A slow reply makes deadlines earlier, never later. On a
    /// cluster the slowest clock of the primaries counts. A silent primary counts with its last offset.
    /// The offset of a promoted node is known after the next measurement; until then different clocks
    /// shift deadlines by their difference.
    pub async fn measure_clock(&self) -> Result<()> {
        let nodes = self.connection.primaries().await?;
        let looks = nodes.iter().map(|node| async {
            let (seconds, micros): (i64, i64) =
                self.connection.query_on(node, redis::cmd("TIME")).await?;
            Ok(seconds * 1000 + micros / 1000 - own_ms())
        });
        let answers: Vec<Result<i64>> = join_all(looks).await;
        let mut known = self
            .clock
            .primaries
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let names: Vec<String> = nodes.iter().map(Node::name).collect();
        known.retain(|name, _| names.contains(name));
        let mut outcome = Ok(());
        for (name, answer) in names.into_iter().zip(answers) {
            match answer {
                Ok(ahead) => drop(known.insert(name, ahead)),
                Err(error) => outcome = Err(error),
            }
        }
        match known.values().min() {
            Some(slowest) => {
                self.clock.ahead.store(*slowest, Ordering::Relaxed);
                Ok(())
            }
            None => outcome,
        }
    }
}

/// Returns milliseconds since a moment of this process, monotonic.
fn own_ms() -> i64 {
    static SINCE: OnceLock<Instant> = OnceLock::new();
    let since = SINCE.get_or_init(Instant::now).elapsed();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
