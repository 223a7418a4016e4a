//! An open loop: requests go out at a fixed rate whether or not earlier ones were answered. As in
//! `wrk2`, latency counts from the intended send time, so waiting behind a slow response is
//! included. The known tools (`oha`, `wrk2`) send the cookies of only one reader.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

use hdrhistogram::Histogram;

use super::{
    http::HttpConnection,
    load::{micros, run_in_parallel},
    redis::Outcome,
};

/// Maximum number of requests in flight. A request that finds no free connection waits, and the
/// wait counts.
const CONNECTIONS: usize = 64;

/// Load at a constant rate until it is stopped.
pub struct OpenLoop<'a> {
    pub at: SocketAddr,
    pub requests: &'a [Vec<u8>],
    pub per_s: f64,
}

impl OpenLoop<'_> {
    /// Sends requests while `meanwhile` runs. Returns their latencies in µs and the result of
    /// `meanwhile`.
    pub fn during<T: Send>(
        &self,
        meanwhile: impl FnOnce() -> Outcome<T> + Send,
    ) -> Outcome<(Histogram<u64>, T)> {
        let (over, next) = (AtomicBool::new(false), AtomicU64::new(0));
        let begun = Instant::now();
        let one = |_| -> Outcome<Histogram<u64>> {
            let mut connection = HttpConnection::open(self.at)?;
            let mut latencies = Histogram::new(3)?;
            while !over.load(Ordering::Relaxed) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let meant = begun + Duration::from_secs_f64(number as f64 / self.per_s);
                wait_until(meant);
                let place = usize::try_from(number)? % self.requests.len();
                connection.expect(200, &self.requests[place])?;
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
            let latencies = run_in_parallel(CONNECTIONS, one);
            let came = meanwhile.join().map_err(|_| "a thread panicked")??;
            Ok((latencies?, came))
        })
    }

    /// Sends requests for the given duration.
    pub fn lasting(&self, lasting: Duration) -> Outcome<Histogram<u64>> {
        let wait = || {
            wait_until(Instant::now() + lasting);
            Ok(())
        };
        Ok(self.during(wait)?.0)
    }
}

/// Waits until a moment, even if the thread wakes earlier.
pub fn wait_until(moment: Instant) {
    loop {
        let left = moment.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        thread::park_timeout(left);
    }
}
