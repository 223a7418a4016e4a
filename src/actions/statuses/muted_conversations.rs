//! Muted conversations: no more notifications from them. A mute lies in the slot of the person who mutes, without
//! copies, so it needs no outbox entry.

use crate::actions::prelude::*;

/// Mutes the conversation of a status that the actor may see. Repeated calls count once.
pub async fn mute_conversation(
    store: &Store,
    actor: impl Into<Actor>,
    id: StatusId,
) -> Result<SetOutcome> {
    let actor = actor.into();
    let viewer = Viewer::Member(actor.id());
    let Some(status) = store.status(viewer, id).await? else {
        return Ok(SetOutcome::Unknown);
    };
    let first = status.shown().conversation();
    let relation = Relation::MutedConversation(actor.id(), first);
    let call = store.begin().await?;
    let set = store.set_relation(&call, &actor, &relation).await;
    call.finish(set).await
}

/// Lifts the mute of the conversation of a status, or of the conversation that began with it.
pub async fn unmute_conversation(
    store: &Store,
    actor: impl Into<Actor>,
    id: StatusId,
) -> Result<()> {
    let actor = actor.into();
    let status = store.status(Viewer::Member(actor.id()), id).await?;
    let first = status.map_or(id, |status| status.shown().conversation());
    let relation = Relation::MutedConversation(actor.id(), first);
    let call = store.begin().await?;
    let cleared = store.clear_relation(&call, &actor, &relation).await;
    call.finish(cleared).await.map(drop)
}
