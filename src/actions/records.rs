//! What a status leaves in other slots besides timelines: with whom it answers, mentions or reposts,
//! and under what it is found. All of it follows from the status, and is covered by its reminder.

use crate::{
    actions::{answers, index_entries, notifications, reposts},
    domain::{StatusHeader, StatusId, Task},
    store::{Call, Result, Store},
};

/// Brings a living status to where it is looked for, before it is delivered: whoever begins to follow
/// meanwhile finds it there. What its text had before it was changed goes, and all of it where it died.
/// Leaves the same when executed twice, and tells nobody twice.
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

/// Takes a dead status away from there, in the reverse order.
pub(super) async fn leave(store: &Store, id: StatusId, status: &StatusHeader) -> Result<()> {
    notifications::leave(store, id, status).await?;
    index_entries::leave(store, id, status).await?;
    answers::leave(store, id, status).await?;
    reposts::leave(store, id, status).await?;
    index(store, id, status).await
}

/// Lets a status be found by its words, or not any more. A repost without a comment has none.
async fn index(store: &Store, id: StatusId, status: &StatusHeader) -> Result<()> {
    if status.repost_of.is_some() {
        return Ok(());
    }
    store.enqueue(&Task::Index(id)).await
}
