//! Bounded concurrent work with retries while Redis is briefly unavailable.

use std::{future::Future, time::Duration};

use futures_util::{StreamExt, TryStreamExt, stream};

use crate::store;

/// Pauses before the retries. Every action is safe to repeat.
const PAUSES: [Duration; 5] = [
    Duration::from_millis(200),
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(5),
    Duration::from_secs(10),
];

/// Runs one job per item, `at_once` of them at a time. Returns the results in the order of completion.
/// The first error stops the run.
pub(super) async fn run_all<I, T, E, F>(
    at_once: usize,
    items: impl IntoIterator<Item = I>,
    job: impl FnMut(I) -> F,
) -> Result<Vec<T>, E>
where
    F: Future<Output = Result<T, E>>,
{
    let jobs = stream::iter(items).map(job);
    jobs.buffer_unordered(at_once).try_collect().await
}

/// Repeats a call a few times while Redis is unavailable.
pub(super) async fn retry<T>(call: impl AsyncFn() -> store::Result<T>) -> store::Result<T> {
    for pause in PAUSES {
        match Box::pin(call()).await {
            Err(store::Error::Unavailable(_) | store::Error::Late) => {
                tokio::time::sleep(pause).await
            }
            answer => return answer,
        }
    }
    Box::pin(call()).await
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::super::jobs::*;

    #[tokio::test]
    async fn concurrency_never_exceeds_the_limit() {
        let (now, most) = (Cell::new(0), Cell::new(0));
        let job = async |item| {
            now.set(now.get() + 1);
            most.set(most.get().max(now.get()));
            tokio::task::yield_now().await;
            now.set(now.get() - 1);
            Ok::<i32, ()>(item)
        };
        let done = run_all(3, 0..20, job).await;
        assert_eq!(done.map(|done| done.len()), Ok(20));
        assert_eq!(most.get(), 3);
    }

    #[tokio::test]
    async fn the_first_failure_stops_the_run() {
        let tried = Cell::new(0);
        let job = async |item| {
            tried.set(tried.get() + 1);
            if item == 4 { Err("no") } else { Ok(()) }
        };
        let done: Result<Vec<()>, &str> = run_all(1, 0..20, job).await;
        assert_eq!((done, tried.get()), (Err("no"), 5));
    }

    #[tokio::test]
    async fn only_unavailable_errors_are_retried() {
        let calls = Cell::new(0);
        let call = async || -> store::Result<()> {
            calls.set(calls.get() + 1);
            let (what, answer) = ("a test", String::new());
            Err(store::Error::Unexpected { what, answer })
        };
        let answer = retry(call).await;
        assert!(matches!(answer, Err(store::Error::Unexpected { .. })));
        assert_eq!(calls.get(), 1);
    }
}
