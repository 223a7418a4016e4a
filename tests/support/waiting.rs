//! Waiting for a condition, with a bound: the only place in the tests that lets time pass.

use std::time::{Duration, Instant};

/// How long any condition may take to come true: less than the reminders of the sites here, so that
/// none of them comes true by those alone.
pub const PATIENCE: Duration = Duration::from_secs(25);
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

/// Looks again and again until the condition holds; panics with `what` when it never does.
pub async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let start = Instant::now();
    while !holds().await {
        assert!(start.elapsed() < PATIENCE, "never happened: {what}");
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
}

/// Lets a drawn time pass: for tests that try moments, as where a crash falls.
pub async fn until_the_moment(after: Duration) {
    tokio::time::sleep(after).await;
}

/// Until what is drawn next is of a later millisecond: ids of one are in no order among several people.
pub async fn next_millisecond() {
    tokio::time::sleep(Duration::from_millis(2)).await;
}

/// The same as [`eventually`] for what cannot wait on a runtime, such as a child that is starting.
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
