//! Rate limits: over the limit, the response is 429 with the time to wait.

use super::errors::{Error, Result};
use crate::store::{Rate, RateLimit, Store};

/// Counts one use against the limit.
pub(in crate::web) async fn take(store: &Store, limit: RateLimit<'_>) -> Result<()> {
    match store.take(limit).await? {
        Rate::Within => Ok(()),
        Rate::Over { retry_after_s } => Err(Error::TooMany { retry_after_s }),
    }
}
