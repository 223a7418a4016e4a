//! Bounded concurrent work with retries while Redis is briefly unavailable. On Ctrl-C running jobs
//! finish and no further one starts.

use std::{future::Future, pin::Pin, time::Duration};

use futures_util::{
    FutureExt, StreamExt,
    future::{LocalBoxFuture, Shared},
    pin_mut, stream,
};

use crate::store;

/// Pauses before the retries. Every action is safe to repeat.
const PAUSES: [Duration; 5] = [
    Duration::from_millis(200),
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(5),
    Duration::from_secs(10),
];

/// Runs jobs, `at_once` of them at a time.
pub(super) struct JobRunner {
    at_once: usize,
    interrupted: Shared<LocalBoxFuture<'static, ()>>,
}

impl JobRunner {
    /// Stops on Ctrl-C.
    pub(super) fn new(at_once: usize) -> Self {
        let interrupted = async {
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        Self {
            at_once,
            interrupted: interrupted.boxed_local().shared(),
        }
    }

    /// Returns whether Ctrl-C was pressed.
    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupted.clone().now_or_never().is_some()
    }

    /// Runs one job per item and returns the results in the order of completion. The first error
    /// stops the run.
    pub(super) async fn run_all<I, T, E, F>(
        &self,
        items: impl IntoIterator<Item = I>,
        job: impl FnMut(I) -> F,
    ) -> Result<Vec<T>, E>
    where
        F: Future<Output = Result<T, E>>,
    {
        let jobs = stream::iter(items)
            .take_until(self.interrupted.clone())
            .map(job)
            .buffer_unordered(self.at_once);
        pin_mut!(jobs);
        let mut results = Vec::new();
        while let Some(result) = jobs.next().await {
            results.push(result?);
        }
        Ok(results)
    }
}

/// Repeats a call a few times while Redis is unavailable.
pub(super) async fn retry<'a, T>(
    mut call: impl FnMut() -> Pin<Box<dyn Future<Output = store::Result<T>> + 'a>>,
) -> store::Result<T> {
    for pause in PAUSES {
        match call().await {
            Err(store::Error::Unavailable(_)) => tokio::time::sleep(pause).await,
            answer => return answer,
        }
    }
    call().await
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::super::job_runner::*;

    #[tokio::test]
    async fn concurrency_never_exceeds_the_limit() {
        let (now, most) = (Cell::new(0), Cell::new(0));
        let done = JobRunner::new(3)
            .run_all(0..20, async |item| {
                now.set(now.get() + 1);
                most.set(most.get().max(now.get()));
                tokio::task::yield_now().await;
                now.set(now.get() - 1);
                Ok::<i32, ()>(item)
            })
            .await;
        assert_eq!(done.map(|done| done.len()), Ok(20));
        assert_eq!(most.get(), 3);
    }

    #[tokio::test]
    async fn the_first_failure_stops_the_crew() {
        let tried = Cell::new(0);
        let done = JobRunner::new(1)
            .run_all(0..20, async |item| {
                tried.set(tried.get() + 1);
                if item == 4 { Err("no") } else { Ok(()) }
            })
            .await;
        assert_eq!((done, tried.get()), (Err("no"), 5));
    }

    #[tokio::test]
    async fn only_unavailable_errors_are_retried() {
        let calls = Cell::new(0);
        let odd = || store::Error::Unexpected {
            what: "a test",
            answer: String::new(),
        };
        let answer: store::Result<()> = retry(|| {
            calls.set(calls.get() + 1);
            async { Err(odd()) }.boxed_local()
        })
        .await;
        assert!(matches!(answer, Err(store::Error::Unexpected { .. })));
        assert_eq!(calls.get(), 1);
    }
}
