//! Pinned posts: what a person shows first on their profile. They lie in the slot of the person, without copies, so a
//! pin needs no outbox entry.

use crate::{actions::prelude::*, store::PinOutcome};

/// Pins a post or reply of the actor to their profile. Repeated calls count once.
pub async fn pin(store: &Store, actor: impl Into<Actor>, id: StatusId) -> Result<PinOutcome> {
    let actor = actor.into();
    let status = store.status(Viewer::Member(actor.id()), id).await?;
    if status.is_none_or(|status| !status.is_own() || status.is_repost()) {
        return Ok(PinOutcome::NotFound);
    }
    let call = store.begin().await?;
    let pinned = store.pin_status(&call, &actor, id).await;
    call.finish(pinned).await
}

/// Unpins a status of the actor, pinned or not.
pub async fn unpin(store: &Store, actor: impl Into<Actor>, id: StatusId) -> Result<()> {
    let actor = actor.into();
    let call = store.begin().await?;
    let unpinned = store.unpin_status(&call, &actor, id).await;
    call.finish(unpinned).await
}
