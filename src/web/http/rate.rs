//! Rate limits: over the limit, the response is 429 with the time to wait.

use super::errors::{Error, Result};
use crate::store::{Rate, RateLimit, Store};

/// Counts one use against the limit. A use that needs room is refused before Redis is full, so that log-ins and
/// deletions still have room.
pub async fn charge(store: &Store, limit: RateLimit<'_>) -> Result<()> {
    if !store.has_room_for(limit).await? {
        return Err(Error::Full);
    }
    count(store, limit).await
}

/// Counts one use against the limit. The action itself refuses what needs room.
pub async fn count(store: &Store, limit: RateLimit<'_>) -> Result<()> {
    match store.charge_rate_limit(limit).await? {
        Rate::Within => Ok(()),
        Rate::Over { retry_after_s } => Err(Error::TooMany { retry_after_s }),
        Rate::OverForNewcomer {
            retry_after_s,
            until,
        } => Err(Error::TooManyForNewcomer {
            retry_after_s,
            until,
        }),
    }
}

/// Refuses a note if Redis is almost full. Acts that revoke access still work then, without a note.
pub async fn check_room_for_note(store: &Store, note: &str) -> Result<()> {
    match !note.is_empty() && store.is_almost_full().await? {
        true => Err(Error::Refused(NO_ROOM_FOR_NOTE.to_owned())),
        false => Ok(()),
    }
}

const NO_ROOM_FOR_NOTE: &str =
    "The site has no room for notes now. Send the form without the note.";
