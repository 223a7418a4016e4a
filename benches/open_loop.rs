//! An open loop: requests go out at a fixed rate, whether or not earlier ones were answered, and a
//! latency counts from the moment at which its request was meant to go out, as `wrk2` does it. So
//! what waits behind a slow answer is seen. Known tools for it (`oha`, `wrk2`) send the cookies of
//! one reader only; a site is read by many.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

use hdrhistogram::Histogram;

use super::{
    http::Wire,
    load::{micros, together},
    redis::Outcome,
};

/// Requests that may be under way at a time. One that finds none free waits, and its waiting counts.
const CONNECTIONS: usize = 64;

/// A rate kept up until it is told to stop.
pub struct Steady<'a> {
    pub at: SocketAddr,
    pub requests: &'a [Vec<u8>],
    pub per_s: f64,
}

impl Steady<'_> {
    /// Latencies in µs of all that were meant to go out while `meanwhile` ran, and what came of that.
    pub fn during<T: Send>(
        &self,
        meanwhile: impl FnOnce() -> Outcome<T> + Send,
    ) -> Outcome<(Histogram<u64>, T)> {
        let (over, next) = (AtomicBool::new(false), AtomicU64::new(0));
        let begun = Instant::now();
        let one = |_| -> Outcome<Histogram<u64>> {
            let mut wire = Wire::to(self.at)?;
            let mut latencies = Histogram::new(3)?;
            while !over.load(Ordering::Relaxed) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let meant = begun + Duration::from_secs_f64(number as f64 / self.per_s);
                wait_until(meant);
                let place = usize::try_from(number)? % self.requests.len();
                wire.expect(200, &self.requests[place])?;
                latencies.record(micros(meant.elapsed()))?;
            }
            Ok(latencies)
        };
        thread::scope(|scope| {
            let meanwhile = scope.spawn(|| {
                let came = meanwhile();
                over.store(true, Ordering::Relaxed);
                came
            });
            let latencies = together(CONNECTIONS, one);
            let came = meanwhile.join().map_err(|_| "a thread panicked")??;
            Ok((latencies?, came))
        })
    }

    /// The same for so long.
    pub fn lasting(&self, lasting: Duration) -> Outcome<Histogram<u64>> {
        let wait = || {
            wait_until(Instant::now() + lasting);
            Ok(())
        };
        Ok(self.during(wait)?.0)
    }
}

/// Waits for a moment, whatever wakes the thread before.
pub fn wait_until(moment: Instant) {
    loop {
        let left = moment.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        thread::park_timeout(left);
    }
}
