//! Waiting for a condition, with a time limit: the only place in the tests that lets time pass.

use std::time::{Duration, Instant};

/// Time limit for any condition. It is shorter than the delay of outbox entries on the sites here,
/// so that an outbox entry cannot make a condition true.
pub const PATIENCE: Duration = Duration::from_secs(80);
const SHORTEST_INTERVAL: Duration = Duration::from_millis(10);
const LONGEST_INTERVAL: Duration = Duration::from_millis(100);

/// Polls until the condition holds. Panics with `condition` if it does not hold in time.
pub async fn eventually(condition: &str, mut holds: impl AsyncFnMut() -> bool) {
    let start = Instant::now();
    while !holds().await {
        assert!(start.elapsed() < PATIENCE, "not in time: {condition}");
        tokio::time::sleep(interval_after(start.elapsed())).await;
    }
}

/// Returns the time until the next poll. It grows with the time waited, because a poll in a browser takes several
/// milliseconds of the processor.
fn interval_after(waited: Duration) -> Duration {
    (waited / 10).clamp(SHORTEST_INTERVAL, LONGEST_INTERVAL)
}

/// Pauses for a random time, for tests that try random moments such as that of a crash.
pub async fn pause_for(after: Duration) {
    tokio::time::sleep(after).await;
}

/// Waits for the next millisecond. Ids of different people in one millisecond are in no order.
pub async fn next_millisecond() {
    tokio::time::sleep(Duration::from_millis(2)).await;
}

/// Works like [`eventually`], for code that cannot wait on a runtime, such as the start of a child
/// process.
#[expect(
    clippy::disallowed_methods,
    reason = "there is no runtime yet, so no thread of one is blocked"
)]
pub fn eventually_blocking(condition: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "not in time: {condition}");
        std::thread::sleep(SHORTEST_INTERVAL);
    }
}
