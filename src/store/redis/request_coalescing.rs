//! Request coalescing: many callers need a round trip that starts after their call, and share one. All
//! callers during a round trip share the next. So few round trips serve many concurrent pages of a
//! connection.

use std::sync::Arc;

use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared},
};
use parking_lot::Mutex;

use crate::store::Result;

/// A round trip and its result.
type Round = Shared<BoxFuture<'static, Result<()>>>;

#[derive(Clone, Default)]
pub(super) struct RequestCoalescer(Arc<Mutex<Turns>>);

#[derive(Default)]
struct Turns {
    under_way: Option<Round>,
    /// It starts when the current one ends.
    next: Option<Round>,
}

impl RequestCoalescer {
    /// Returns the result of a round trip that starts after this call: the one that `make` makes, or an
    /// earlier caller's.
    pub(in crate::store) fn next<T>(&self, make: impl FnOnce() -> T) -> Round
    where
        T: Future<Output = Result<()>> + Send + 'static,
    {
        let mut turns = self.0.lock();
        if let Some(next) = &turns.next {
            return next.clone();
        }
        let (before, trip) = (turns.under_way.take(), make());
        // The entries must not keep the table alive.
        let table = Arc::downgrade(&self.0);
        let round = async move {
            if let Some(before) = before {
                // Its error goes to its own callers.
                let _ = before.await;
            }
            if let Some(table) = table.upgrade() {
                Self(table).begin();
            }
            trip.await
        };
        let round = round.boxed().shared();
        turns.next = Some(round.clone());
        round
    }

    /// Closes it for further callers.
    fn begin(&self) {
        let mut turns = self.0.lock();
        turns.under_way = turns.next.take();
    }
}

#[cfg(test)]
mod tests {
    use std::{
        future::poll_fn,
        pin::pin,
        sync::atomic::{AtomicUsize, Ordering},
        task::Poll,
    };

    use futures_util::poll;
    use tokio::sync::Semaphore;

    use super::super::request_coalescing::*;
    use crate::store::Error;

    fn fails() -> Error {
        Error::Unavailable("no response".to_owned())
    }

    /// A connection with round trips that end on command.
    #[derive(Clone)]
    struct Way {
        request_coalescing: RequestCoalescer,
        begun: Arc<AtomicUsize>,
        ends: Arc<Semaphore>,
    }

    impl Way {
        fn new() -> Self {
            Self {
                request_coalescing: RequestCoalescer::default(),
                begun: Arc::default(),
                ends: Arc::new(Semaphore::new(0)),
            }
        }

        async fn next(&self) -> bool {
            let (begun, ends) = (Arc::clone(&self.begun), Arc::clone(&self.ends));
            let trip = || async move {
                begun.fetch_add(1, Ordering::Relaxed);
                let end = ends.acquire().await;
                end.map(|end| end.forget()).map_err(|_| fails())
            };
            self.request_coalescing.next(trip).await.is_ok()
        }

        fn begun(&self) -> usize {
            self.begun.load(Ordering::Relaxed)
        }
    }

    #[tokio::test]
    async fn concurrent_requests_share_the_next_round_trip() {
        let way = Way::new();
        let mut first = pin!(way.next());
        assert_eq!(poll!(first.as_mut()), Poll::Pending);
        let (mut second, mut third) = (pin!(way.next()), pin!(way.next()));
        assert_eq!(poll!(second.as_mut()), Poll::Pending);
        assert_eq!(poll!(third.as_mut()), Poll::Pending);
        assert_eq!(way.begun(), 1, "the next one waits for the first");
        way.ends.add_permits(1);
        assert_eq!(poll!(first), Poll::Ready(true));
        assert_eq!(poll!(second.as_mut()), Poll::Pending);
        assert_eq!(poll!(third.as_mut()), Poll::Pending);
        assert_eq!(way.begun(), 2, "one for both");
        way.ends.add_permits(1);
        assert_eq!(poll!(second), Poll::Ready(true));
        assert_eq!(poll!(third), Poll::Ready(true));
        assert_eq!(way.begun(), 2);
    }

    #[tokio::test]
    async fn a_later_request_starts_its_own_round_trip() {
        let way = Way::new();
        way.ends.add_permits(2);
        assert!(way.next().await);
        assert!(way.next().await);
        assert_eq!(way.begun(), 2);
    }

    #[tokio::test]
    async fn a_cancelled_request_does_not_block_others() {
        let way = Way::new();
        {
            let mut leaves = Box::pin(way.next());
            assert_eq!(poll!(leaves.as_mut()), Poll::Pending);
        }
        let mut stays = Box::pin(way.next());
        assert_eq!(poll!(stays.as_mut()), Poll::Pending);
        way.ends.add_permits(2);
        assert!(stays.await);
        assert_eq!(way.begun(), 2, "the one that was left and the one after it");
    }

    #[tokio::test]
    async fn a_failed_round_trip_fails_only_its_sharers() {
        let request_coalescing = RequestCoalescer::default();
        let failed = request_coalescing.next(|| async { Err(fails()) });
        let same = request_coalescing.next(|| async { Ok(()) });
        assert!(failed.await.is_err());
        assert!(same.await.is_err());
        assert!(request_coalescing.next(|| async { Ok(()) }).await.is_ok());
    }

    #[tokio::test]
    async fn an_abandoned_round_trip_is_freed() {
        let way = Way::new();
        let held = Arc::downgrade(&way.request_coalescing.0);
        {
            let mut never_polled = Box::pin(way.next());
            poll_fn(|context| {
                let _ = never_polled.as_mut().poll(context);
                Poll::Ready(())
            })
            .await;
        }
        drop(way);
        assert!(held.upgrade().is_none());
    }
}
