//! What is done behind people's backs gives way to the pages that they wait for: both want the same Redis,
//! which does one thing at a time, and mostly the same processor.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use crate::store::{Call, Store};

/// How long after a page was begun the next one is expected.
const BUSY: Duration = Duration::from_millis(5);
/// How long a worker leaves everything to pages between two steps.
const PAUSE: Duration = Duration::from_millis(2);

/// When a page of this process was begun last.
#[derive(Debug)]
pub(in crate::store) struct Throttle {
    since: Instant,
    /// In µs; 0: there was none.
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
    /// The same for a worker: while this process makes pages, it pauses between the steps of a fan-out.
    #[must_use]
    pub fn giving_way(&self) -> Self {
        Self {
            gives_way: true,
            ..self.clone()
        }
    }

    /// Says that a page is being made.
    pub fn page_begins(&self) {
        self.throttle
            .last
            .store(self.throttle.now(), Ordering::Relaxed);
    }

    /// When this process began a page last, in µs since it was started; 0: it never did.
    #[must_use]
    pub fn last_page(&self) -> u64 {
        self.throttle.last.load(Ordering::Relaxed)
    }

    /// Whether somebody waits for a page, and nobody for this.
    pub(in crate::store) fn is_to_give_way(&self) -> bool {
        self.gives_way && self.throttle.is_busy()
    }

    /// Between two steps of what nobody waits for. A call pauses for no more than half of its time, so
    /// that it comes to its end however many pages are made.
    pub(in crate::store) async fn give_way(&self, call: &Call) {
        if self.is_to_give_way() && !call.hurries() {
            tokio::time::sleep(PAUSE).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::throttle::*;

    #[test]
    fn a_process_that_makes_no_pages_is_not_busy_and_one_that_does_is_for_a_moment() {
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
