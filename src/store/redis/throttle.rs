//! Throttling of background work, which yields to pages. Both use the same Redis, which executes one
//! command at a time, and mostly the same processor.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use crate::store::Store;

/// Time in which the next page is expected after the start of a page.
const BUSY: Duration = Duration::from_millis(5);
/// Pause of a worker between two steps.
pub(super) const PAUSE: Duration = Duration::from_millis(2);

/// Start of the last page of this process.
#[derive(Debug)]
pub struct Throttle {
    since: Instant,
    /// In µs. 0: no page yet.
    last: AtomicU64,
}

impl Default for Throttle {
    fn default() -> Self {
        Self {
            since: Instant::now(),
            last: AtomicU64::new(0),
        }
    }
}

impl Throttle {
    fn now(&self) -> u64 {
        u64::try_from(self.since.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn is_busy(&self) -> bool {
        let last = self.last.load(Ordering::Relaxed);
        let ago = self.now().saturating_sub(last);
        last > 0 && u128::from(ago) < BUSY.as_micros()
    }
}

impl Store {
    /// Returns a handle for a worker. While this process serves pages, it pauses between the steps of a
    /// fan-out.
    #[must_use]
    pub fn giving_way(&self) -> Self {
        Self {
            gives_way: true,
            ..self.clone()
        }
    }

    /// Records the start of a page.
    pub fn page_begins(&self) {
        self.throttle
            .last
            .store(self.throttle.now(), Ordering::Relaxed);
    }

    /// Returns the start of the last page, in µs since the start of the process. 0: no page yet.
    pub fn last_page(&self) -> u64 {
        self.throttle.last.load(Ordering::Relaxed)
    }

    /// Returns whether background work should pause for pages.
    pub(in crate::store) fn is_to_give_way(&self) -> bool {
        self.gives_way && self.throttle.is_busy()
    }
}

#[cfg(test)]
mod tests {
    use super::super::throttle::*;

    #[test]
    fn a_process_is_busy_only_shortly_after_a_page() {
        let throttle = Throttle::default();
        assert!(!throttle.is_busy());
        let later = Throttle {
            since: Instant::now()
                .checked_sub(BUSY * 3)
                .expect("it runs for longer"),
            last: AtomicU64::new(1),
        };
        assert!(!later.is_busy());
        later.last.store(later.now(), Ordering::Relaxed);
        assert!(later.is_busy());
    }
}
