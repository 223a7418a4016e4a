//! Derived copies of a status in other slots besides timelines: replies, mentions, reposts and indexes.
//! All of them follow from the status, and its outbox entry covers them.

use crate::{
    actions::{answers, index_entries, notifications, reposts},
    domain::{StatusHeader, StatusId, Task},
    store::{Call, Result, Store},
};

/// Adds a living status to its derived copies before it is delivered, so that new followers find it.
/// Copies of a former text go, and all copies of a dead status. Running it twice leaves the same data
/// and notifies no one twice.
pub(super) async fn enter(
    store: &Store,
    call: &Call,
    id: StatusId,
    status: &StatusHeader,
) -> Result<()> {
    reposts::enter(store, call, id, status).await?;
    answers::enter(store, call, id, status).await?;
    index_entries::enter(store, call, id, status).await?;
    notifications::enter(store, call, id, status).await?;
    index(store, id, status).await
}

/// Removes the derived copies of a dead status, in reverse order.
pub(super) async fn leave(store: &Store, id: StatusId, status: &StatusHeader) -> Result<()> {
    notifications::leave(store, id, status).await?;
    index_entries::leave(store, id, status).await?;
    answers::leave(store, id, status).await?;
    reposts::leave(store, id, status).await?;
    index(store, id, status).await
}

/// Enqueues the indexing of a status. A repost without a comment has no text.
async fn index(store: &Store, id: StatusId, status: &StatusHeader) -> Result<()> {
    if status.repost_of.is_some() {
        return Ok(());
    }
    store.enqueue(&Task::Index(id)).await
}
