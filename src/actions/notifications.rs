//! Telling people of what others did, and taking that back. Steps of other operations: each is part
//! of bringing copies to the truth, and done as often as these are.

use crate::{
    domain::{Notification, UserId},
    store::{Call, Result, Store},
};

/// Whether somebody is told of it at all. What they may read of it is asked once more when they do
/// (`Store::notifications_page`).
fn is_told(to: UserId, what: Notification) -> bool {
    what.by != to
}

/// Tells somebody once of what happened at that time (µs).
pub(super) async fn tell(
    store: &Store,
    call: &Call,
    to: UserId,
    what: Notification,
    at_us: u64,
) -> Result<()> {
    if !is_told(to, what) {
        return Ok(());
    }
    store.notify(call, to, what, at_us).await
}

/// Takes it back: it is not so any more.
pub(super) async fn take_back(
    store: &Store,
    call: &Call,
    to: UserId,
    what: Notification,
) -> Result<()> {
    if !is_told(to, what) {
        return Ok(());
    }
    store.unnotify(call, to, what).await
}
