//! The limit of concurrent requests. Requests beyond it are rejected at once, instead of queueing.
//! A rejected form returns with its text.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The places of concurrent requests. Clones share them.
#[derive(Clone)]
pub struct Admission(Arc<Semaphore>);

/// Marks a request without a place: it must not use Redis.
pub(super) struct TurnedAway;

impl Admission {
    /// Allows this many concurrent requests, over all threads.
    pub fn new(requests: usize) -> Self {
        Self(Arc::new(Semaphore::new(
            requests.min(Semaphore::MAX_PERMITS),
        )))
    }

    /// Takes a place if one is free now. It is released on drop.
    pub fn take(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0).try_acquire_owned().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::super::admission::*;

    #[test]
    fn a_response_frees_its_admission_slot() {
        let admission = Admission::new(1);
        let first = admission.take();
        assert!(first.is_some() && admission.clone().take().is_none());
        drop(first);
        assert!(admission.take().is_some());
    }
}
