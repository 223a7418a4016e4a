//! Tombstones in the quotas of their authors: each counts while it has replies, which keep it.

use crate::actions::{operations::ATTEMPTS, prelude::*};

/// Counts the tombstone of a status, if there is one, and reads it again. The last of several writers has then seen its
/// final state.
pub(in crate::actions) async fn count(store: &Store, id: StatusId) -> Result<()> {
    let mut tombstone = store.tombstone(id).await?;
    for _ in 0..ATTEMPTS {
        let Some(counted) = tombstone else {
            return Ok(());
        };
        store.count_tombstone(id, counted).await?;
        tombstone = store.tombstone(id).await?;
        if tombstone == Some(counted) {
            return Ok(());
        }
    }
    store.enqueue(&Task::Reconcile(Thing::Status(id))).await
}

/// Drops what a tombstone does not need once all copies of the status are gone.
pub(in crate::actions) async fn shrink(store: &Store, id: StatusId) -> Result<()> {
    store.shrink_tombstone(id).await?;
    count(store, id).await
}
