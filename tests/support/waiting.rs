//! Waiting for a condition, with a time limit: the only place in the tests that lets time pass.

use std::time::{Duration, Instant};

/// Time limit for any condition. It is shorter than the delay of outbox entries on the sites here,
/// so that none comes true only by them.
pub const PATIENCE: Duration = Duration::from_secs(25);
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

/// Polls until the condition holds. Panics with `what` if it never does.
pub async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let start = Instant::now();
    while !holds().await {
        assert!(start.elapsed() < PATIENCE, "never happened: {what}");
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
}

/// Lets a drawn time pass, for tests that try random moments such as that of a crash.
pub async fn until_the_moment(after: Duration) {
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
    reason = "there is no runtime yet whose thread it could stop"
)]
pub fn eventually_blocking(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "never happened: {what}");
        std::thread::sleep(BETWEEN_LOOKS);
    }
}
