//! Replies. The source of truth is the reply itself. The parent lists its living replies and gaps; the
//! parent's author has the newest replies to them.

use futures_util::try_join;

use crate::actions::{operations::ATTEMPTS, statuses::tombstones};
use crate::{actions::prelude::*, domain::ReplyPosition, store::PlacedReply};

/// Deleted ancestors that one call reconciles. A task goes on above them.
const MAX_ANCESTORS: usize = 100;

/// How far up the deleted ancestors of a reply are reconciled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::actions) enum Extent {
    /// To the first one that has replies as before. If others above it are wrong, the call that left them so has an
    /// outbox entry.
    Affected,
    /// All. A call that was interrupted has changed the lower ones already.
    All,
}

/// Adds a living reply to its derived copies. If its parent died meanwhile, the parent stays as a
/// gap.
pub(in crate::actions) async fn add_copies(
    store: &Store,
    call: &Call,
    id: StatusId,
    status: &StatusHeader,
) -> Result<()> {
    let Some(parent) = status.reply_to else {
        return Ok(());
    };
    let recorded = async {
        if parent.author == status.author {
            return Ok(());
        }
        store.record_reply(call, parent.author, id).await
    };
    let placed = store.place_reply(call, parent.status, id, ReplyPosition::Reply);
    let (parent_state, ()) = try_join!(placed, recorded)?;
    if parent_state == PlacedReply::ParentAlive {
        return Ok(());
    }
    tombstones::count(store, parent.status).await?;
    let ancestors = read_ancestors(store, id, parent.status).await?;
    let above = ancestors[1..].to_vec();
    reconcile_ancestors(store, call, parent.status, above, Extent::All).await
}

/// Removes a dead reply. It stays as a gap if it has replies. If it was the last below gaps, those go
/// too.
pub(in crate::actions) async fn remove_copies(
    store: &Store,
    id: StatusId,
    status: &StatusHeader,
    extent: Extent,
) -> Result<()> {
    let Some(parent) = status.reply_to else {
        return Ok(());
    };
    let call = store.begin().await?;
    store.remove_received_reply(parent.author, id).await?;
    let ancestors = read_ancestors(store, id, parent.status).await?;
    reconcile_ancestors(store, &call, id, ancestors, extent).await
}

/// Returns the known ancestors of a reply, nearest first: at least its parent.
async fn read_ancestors(store: &Store, id: StatusId, parent: StatusId) -> Result<Vec<StatusId>> {
    let thread = store.thread(id).await?;
    let ancestors = thread.map(|thread| thread.above);
    Ok(ancestors
        .filter(|ancestors| ancestors.first() == Some(&parent))
        .unwrap_or_else(|| vec![parent]))
}

/// Reconciles a reply and each ancestor, up to the first reply with a living parent. Nothing above that
/// changes. The nearest ancestors are given; further ones come from the tombstone of the last, which
/// stays while it has replies.
async fn reconcile_ancestors(
    store: &Store,
    call: &Call,
    mut reply: StatusId,
    mut ancestors: Vec<StatusId>,
    extent: Extent,
) -> Result<()> {
    let mut reconciled = 0;
    while reconciled < MAX_ANCESTORS {
        for parent in std::mem::take(&mut ancestors) {
            match (
                reconcile_position(store, call, parent, reply).await?,
                extent,
            ) {
                (PlacedReply::ParentAlive, _)
                | (PlacedReply::TombstoneUnchanged, Extent::Affected) => return Ok(()),
                (PlacedReply::ParentDeleted | PlacedReply::TombstoneUnchanged, _) => {
                    tombstones::count(store, parent).await?;
                }
            }
            reply = parent;
            reconciled += 1;
        }
        match store.thread(reply).await? {
            Some(thread) => ancestors = thread.above,
            None => return Ok(()),
        }
    }
    let rest = Task::Reconcile(Thing::Status(reply));
    store.enqueue(&rest).await
}

/// Reconciles one reply after an audit found it in the wrong place, with its dead ancestors.
pub async fn reconcile(store: &Store, parent: StatusId, reply: StatusId) -> Result<()> {
    let call = store.begin().await?;
    let ancestors = read_ancestors(store, reply, parent).await?;
    reconcile_ancestors(store, &call, reply, ancestors, Extent::All).await
}

/// Puts a reply into its right position under its parent, and reads the source of truth again. The last
/// of several writers has then seen the final state.
async fn reconcile_position(
    store: &Store,
    call: &Call,
    parent: StatusId,
    reply: StatusId,
) -> Result<PlacedReply> {
    let read_expected_position = async || {
        let positions = store.expected_positions(&[(parent, reply)]).await?;
        Ok(positions
            .into_iter()
            .next()
            .unwrap_or(ReplyPosition::Nowhere))
    };
    let mut position = read_expected_position().await?;
    let mut was_changed = false;
    for _ in 0..ATTEMPTS {
        let placed = store.place_reply(call, parent, reply, position).await?;
        was_changed |= placed == PlacedReply::ParentDeleted;
        let now = read_expected_position().await?;
        if now == position {
            return Ok(match placed {
                PlacedReply::TombstoneUnchanged if was_changed => PlacedReply::ParentDeleted,
                placed => placed,
            });
        }
        position = now;
    }
    store
        .enqueue(&Task::Reconcile(Thing::Status(reply)))
        .await?;
    Ok(PlacedReply::ParentAlive)
}
