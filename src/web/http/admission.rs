//! How many requests are answered at a time. Beyond that one is told at once to come back, instead
//! of waiting behind all the others; a form's text comes back with it.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The places for requests under way. Clones share them.
#[derive(Clone)]
pub struct Admission(Arc<Semaphore>);

/// A place that was taken. It is free again when this is dropped.
pub(in crate::web) struct Admitted {
    _place: OwnedSemaphorePermit,
}

/// Marks a request for which there was no place: it may ask nothing of Redis.
pub(super) struct TurnedAway;

impl Admission {
    /// So many requests at a time, over all threads.
    #[must_use]
    pub fn new(requests: usize) -> Self {
        Self(Arc::new(Semaphore::new(
            requests.min(Semaphore::MAX_PERMITS),
        )))
    }

    /// A place, if one is free at this moment.
    pub(in crate::web) fn take(&self) -> Option<Admitted> {
        let place = Arc::clone(&self.0).try_acquire_owned().ok()?;
        Some(Admitted { _place: place })
    }
}

#[cfg(test)]
mod tests {
    use super::super::admission::*;

    #[test]
    fn a_place_is_free_again_when_its_request_is_answered() {
        let admission = Admission::new(1);
        let first = admission.take();
        assert!(first.is_some() && admission.clone().take().is_none());
        drop(first);
        assert!(admission.take().is_some());
    }
}
