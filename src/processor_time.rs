//! The processor time that work takes. On a busy machine, less of it passes than of the time of a clock.

use std::{future::poll_fn, pin::pin, time::Duration};

/// Returns the processor time of this thread.
#[cfg(unix)]
pub(crate) fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Returns a time that passes while this thread runs.
#[cfg(not(unix))]
pub(crate) fn processor_time() -> Duration {
    static BEGUN: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    BEGUN.elapsed()
}

/// Awaits work. Returns also the processor time that it took.
pub(crate) async fn measure<F: Future>(work: F) -> (F::Output, Duration) {
    let mut work = pin!(work);
    let mut used = Duration::ZERO;
    let output = poll_fn(|context| {
        let begun = processor_time();
        let poll = work.as_mut().poll(context);
        used += processor_time().saturating_sub(begun);
        poll
    });
    let output = output.await;
    (output, used)
}
