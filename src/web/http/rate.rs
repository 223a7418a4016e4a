//! Rate limits at the edge: over the limit, the answer is 429 with the time to wait.

use super::errors::{Error, Result};
use crate::store::{Rate, RateLimit, Store};

/// Takes one from what the limit allows.
pub(in crate::web) async fn take(store: &Store, limit: RateLimit<'_>) -> Result<()> {
    match store.take(limit).await? {
        Rate::Within => Ok(()),
        Rate::Over { retry_after_s } => Err(Error::TooMany { retry_after_s }),
    }
}
