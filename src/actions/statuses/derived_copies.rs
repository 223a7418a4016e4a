//! Derived copies of a status in other slots besides timelines: replies, mentions, reposts and indexes.
//! All of them follow from the status, and its outbox entry covers them.

use crate::actions::{
    index_entries, notifications,
    prelude::*,
    replies::{self, Extent},
    reposts,
};

/// Adds a living status to its derived copies before it is delivered, so that new followers find it.
/// Copies of a former text go, and all copies of a dead status. Running it twice leaves the same data
/// and notifies no one twice. A status that waits for a moderator notifies no one yet.
pub(in crate::actions) async fn add_copies(
    store: &Store,
    call: &Call,
    id: StatusId,
    status: &StatusHeader,
) -> Result<()> {
    reposts::add_copies(store, call, id, status).await?;
    replies::add_copies(store, call, id, status).await?;
    index_entries::add_copies(store, call, id, status).await?;
    if status.waiting_since.is_none() {
        notifications::add_copies(store, call, id, status).await?;
    }
    if let Some(group) = status.group.filter(|_| status.is_group_post()) {
        let at_us = id.drawn_us();
        store.raise_group_activity(call, group, at_us).await?;
    }
    enqueue_group_notifications(store, id, status).await?;
    enqueue_indexing(store, id, status).await
}

/// Removes the derived copies of a dead status, in reverse order.
pub(in crate::actions) async fn remove_copies(
    store: &Store,
    id: StatusId,
    status: &StatusHeader,
    extent: Extent,
) -> Result<()> {
    notifications::remove_copies(store, id, status).await?;
    enqueue_group_notifications(store, id, status).await?;
    index_entries::remove_copies(store, id, status).await?;
    replies::remove_copies(store, id, status, extent).await?;
    reposts::remove_copies(store, id, status).await?;
    enqueue_indexing(store, id, status).await
}

/// Enqueues the indexing of a status. A repost without a comment has no text.
async fn enqueue_indexing(store: &Store, id: StatusId, status: &StatusHeader) -> Result<()> {
    if status.repost_of.is_some() {
        return Ok(());
    }
    store.enqueue(&Task::Index(id)).await
}

/// Enqueues the notifications of members of a group about a post there, or their withdrawal.
async fn enqueue_group_notifications(
    store: &Store,
    id: StatusId,
    status: &StatusHeader,
) -> Result<()> {
    if !status.is_group_post() {
        return Ok(());
    }
    let first = Task::NotifyGroup {
        status: id,
        after: 0,
    };
    store.enqueue(&first).await
}
