//! The memory that Redis uses of its limit. It is measured with the clock, and before an answer that depends
//! on it. The log and the metrics warn long before the end.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use redis::InfoDict;

use crate::store::{Result, Store};

/// Validity of a measurement that shows little room.
const VALIDITY: Duration = Duration::from_secs(5);

/// The used share of the memory limit, in percent, of the fullest primary. 0 without a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryUse(u64);

impl MemoryUse {
    /// From this share on, the log, the metrics and the readiness check warn, new accounts store nothing more, and everybody
    /// has a tenth of the quota.
    const WARNED: u64 = 80;
    /// From this share on, posting is closed. The rest is for log-ins and deletions.
    const ALMOST_FULL: u64 = 95;

    pub fn percent(self) -> u64 {
        self.0
    }

    /// Returns whether the operator should act.
    pub fn is_high(self) -> bool {
        self.0 >= Self::WARNED
    }

    /// Returns whether posting is closed.
    pub fn is_almost_full(self) -> bool {
        self.0 >= Self::ALMOST_FULL
    }

    /// Reads the memory section of INFO. Redis does not count buffers for replicas and the append-only
    /// file against its limit.
    pub(super) fn of(info: &InfoDict) -> Self {
        let number = |field: &str| info.get::<u64>(field).unwrap_or_default();
        let used = number("used_memory").saturating_sub(number("mem_not_counted_for_evict"));
        Self((used * 100).checked_div(number("maxmemory")).unwrap_or(0))
    }
}

/// The last measurement.
#[derive(Debug, Default)]
pub struct Memory {
    percent: AtomicU64,
    /// The smallest limit of a primary in bytes. 0 without one, and before the first measurement.
    limit: AtomicU64,
    measured: Mutex<Option<Instant>>,
}

impl Memory {
    fn last(&self) -> MemoryUse {
        MemoryUse(self.percent.load(Ordering::Relaxed))
    }

    fn is_measured(&self) -> bool {
        self.measured.lock().is_some()
    }

    /// Returns the smallest memory limit of a primary, if it is known and there is one.
    pub(in crate::store) fn limit_bytes(&self) -> Option<u64> {
        Some(self.limit.load(Ordering::Relaxed)).filter(|limit| *limit > 0)
    }

    /// Records a measurement of all primaries. A change of its level is logged.
    pub(super) fn record(&self, primaries: &[InfoDict]) -> MemoryUse {
        let limits = primaries
            .iter()
            .filter_map(|info| info.get::<u64>("maxmemory"));
        let limit = limits.filter(|limit| *limit > 0).min().unwrap_or(0);
        self.limit.store(limit, Ordering::Relaxed);
        let uses = primaries.iter().map(|info| MemoryUse::of(info).0);
        let now = MemoryUse(uses.max().unwrap_or(0));
        let before = MemoryUse(self.percent.swap(now.0, Ordering::Relaxed));
        *self.measured.lock() = Some(Instant::now());
        metrics::gauge!("redwing_redis_memory_used_ratio").set(now.0 as f64 / 100.0);
        let percent = now.0;
        if now.is_almost_full() && !before.is_almost_full() {
            tracing::error!(
                percent,
                "Redis uses nearly all of its memory: posting is closed"
            );
        } else if now.is_high() && !before.is_high() {
            tracing::warn!(
                percent,
                "Redis uses much of its memory: raise maxmemory, or posting closes at 95 %"
            );
        } else if before.is_high() && !now.is_high() {
            tracing::info!(percent, "Redis has room again");
        }
        now
    }

    /// Returns whether this caller is to measure again.
    fn is_due(&self) -> bool {
        let mut measured = self.measured.lock();
        let is_old = measured.is_none_or(|at| at.elapsed() > VALIDITY);
        if is_old {
            *measured = Some(Instant::now());
        }
        is_old
    }
}

impl Store {
    /// Returns the use as last measured. While it is high, a caller now and then starts a new measurement,
    /// so that the end of a shortage is seen.
    pub fn memory_use(&self) -> MemoryUse {
        let last = self.memory.last();
        if last.is_high() && self.memory.is_due() {
            self.measure_memory_aside();
        }
        last
    }

    /// Returns whether posting is closed. If it was at the last measurement, or there was none, this measures.
    pub async fn is_almost_full(&self) -> Result<bool> {
        if self.memory.is_measured() && !self.memory.last().is_almost_full() {
            return Ok(false);
        }
        Ok(self.measure_memory().await?.is_almost_full())
    }

    pub(super) async fn measure_memory(&self) -> Result<MemoryUse> {
        let infos = self.info_of_every_primary("memory").await?;
        Ok(self.memory.record(&infos))
    }

    fn measure_memory_aside(&self) {
        let aside = self.without_fuse();
        tokio::spawn(async move {
            if let Err(error) = aside.measure_memory().await {
                tracing::debug!(%error, "the memory was not measured");
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use redis::InfoDict;

    use super::MemoryUse;

    fn of(text: &str) -> MemoryUse {
        MemoryUse::of(&InfoDict::new(text))
    }

    #[test]
    fn the_use_is_a_share_of_the_limit_without_uncounted_buffers() {
        let full = of("used_memory:960\r\nmaxmemory:1000\r\nmem_not_counted_for_evict:0\r\n");
        assert_eq!((full.percent(), full.is_almost_full()), (96, true));
        let buffers = of("used_memory:960\r\nmaxmemory:1000\r\nmem_not_counted_for_evict:150\r\n");
        assert_eq!((buffers.percent(), buffers.is_high()), (81, true));
        assert!(!buffers.is_almost_full());
    }

    #[test]
    fn without_a_limit_nothing_is_used() {
        assert_eq!(of("used_memory:960\r\nmaxmemory:0\r\n").percent(), 0);
    }
}
