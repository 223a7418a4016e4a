//! Redis' clock, by which deadlines and outbox entries are set, as far as this process knows it.

pub(in crate::store) mod skew;

use std::{
    collections::HashMap,
    sync::{
        OnceLock,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use parking_lot::Mutex;

use self::skew::{ClockSkew, Offset};
use crate::{domain::UnixMs, store::Result};

/// Validity of a measurement, in ms. A later caller starts another one and does not wait for it.
const VALIDITY_MS: i64 = 5_000;

/// Offset of Redis' clock from this process's monotonic clock.
pub struct Clock {
    /// In ms. `UNKNOWN` before the first measurement.
    ahead: AtomicI64,
    /// Start of the last measurement, on our own clock.
    looked: AtomicI64,
    /// Offset of each primary's clock at its last reply.
    primaries: Mutex<HashMap<String, Offset>>,
    /// The difference of these offsets.
    skew: Mutex<ClockSkew>,
}

const UNKNOWN: i64 = i64::MIN;

impl Clock {
    pub fn new() -> Self {
        Self {
            ahead: AtomicI64::new(UNKNOWN),
            looked: AtomicI64::new(UNKNOWN),
            primaries: Mutex::default(),
            skew: Mutex::default(),
        }
    }

    /// Makes the next reader measure: a call was too late, or Redis was unavailable and may have been
    /// replaced.
    pub(super) fn invalidate_measurement(&self) {
        self.looked.store(UNKNOWN, Ordering::Relaxed);
    }

    /// Simulates a change of Redis' clock since the measurement, in ms.
    #[cfg(feature = "failpoints")]
    pub fn simulate_clock_change(&self, by_ms: i64) {
        self.ahead.fetch_sub(by_ms, Ordering::Relaxed);
    }

    pub(super) fn now(&self) -> Option<UnixMs> {
        let ahead = self.ahead.load(Ordering::Relaxed);
        let now = own_ms().checked_add(ahead).filter(|_| ahead != UNKNOWN)?;
        Some(UnixMs(now.cast_unsigned()))
    }

    /// Returns whether this caller is to measure.
    pub(super) fn is_due(&self) -> bool {
        let (looked, now) = (self.looked.load(Ordering::Relaxed), own_ms());
        now.saturating_sub(looked) > VALIDITY_MS
            && self
                .looked
                .compare_exchange(looked, now, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
    }

    /// Returns how much the clocks of the primaries differed at the last measurement.
    pub(super) fn skew(&self) -> ClockSkew {
        self.skew.lock().clone()
    }

    /// Records the measured offset of each primary. The slowest clock counts. A silent primary counts
    /// with its last offset.
    pub(super) fn record(&self, offsets: Vec<(String, Result<Offset>)>) -> Result<()> {
        let mut known = self.primaries.lock();
        known.retain(|name, _| offsets.iter().any(|(primary, _)| primary == name));
        let mut outcome = Ok(());
        for (name, offset) in offsets {
            match offset {
                Ok(offset) => drop(known.insert(name, offset)),
                Err(error) => outcome = Err(error),
            }
        }
        self.record_skew(ClockSkew::among(&known));
        match known.values().map(|offset| offset.least()).min() {
            Some(slowest) => {
                self.ahead.store(slowest, Ordering::Relaxed);
                Ok(())
            }
            None => outcome,
        }
    }

    /// A change of its level, or of the primary, is logged.
    fn record_skew(&self, now: ClockSkew) {
        metrics::gauge!("redwing_redis_clock_skew_seconds").set(now.difference_ms as f64 / 1000.0);
        let mut skew = self.skew.lock();
        if now.is_high() && !(skew.is_high() && skew.node == now.node) {
            tracing::warn!(
                node = %now.node,
                difference_ms = now.difference_ms,
                "the clocks of the primaries differ, so writes can fail: set the clocks of all nodes by NTP"
            );
        } else if skew.is_high() && !now.is_high() {
            tracing::info!("the clocks of the primaries agree again");
        }
        *skew = now;
    }
}

/// Returns milliseconds since a moment of this process, monotonic.
pub(super) fn own_ms() -> i64 {
    static SINCE: OnceLock<Instant> = OnceLock::new();
    let since = SINCE.get_or_init(Instant::now).elapsed();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Returns a duration in ms. Settings are far below the limit.
pub fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
