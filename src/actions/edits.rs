//! Corrections: another text in the place of a status's, and what follows from the text brought to it.

use crate::{
    domain::{Draft, EditState, StatusHeader, StatusId},
    store::{Actor, Call, Edit, Life, Result, Store},
};

use super::{records, statuses::publish};

/// Corrects a status of the actor's. What it said before is kept. The same text again changes nothing
/// and is answered as the first time. It stays where it stands, and nobody is told of it twice.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session
/// that asks was over at the beginning.
pub async fn edit(
    store: &Store,
    actor: impl Into<Actor>,
    id: StatusId,
    correction: &EditState,
) -> Result<Edit> {
    let actor = actor.into();
    let call = store.begin().await?;
    store.stands(&actor).await?;
    call.settle(edit_steps(store, &call, &actor, id, correction).await)
        .await
}

async fn edit_steps(
    store: &Store,
    call: &Call,
    actor: &Actor,
    id: StatusId,
    correction: &EditState,
) -> Result<Edit> {
    let Life::Living(before) = store.life(id).await? else {
        return Ok(Edit::NotYours);
    };
    let (by, draft) = (actor.id(), Draft::from(&correction.message));
    let mentioned = store.mentioned_by(&draft, by).await?;
    let after = before.reworded(draft.tags(), mentioned);
    let (edited, outbox_entry) = store.edit_status(call, id, by, correction, &after).await?;
    if edited == Edit::Done {
        follow_text(store, call, id, &before).await?;
    } else {
        store.forget(outbox_entry).await?;
    }
    Ok(edited)
}

/// Brings what follows from the text to what it says now. The reminder stays: a post or a correction
/// under way may still write what follows from the text before, and when it comes due none can.
async fn follow_text(
    store: &Store,
    call: &Call,
    id: StatusId,
    before: &StatusHeader,
) -> Result<()> {
    match store.life(id).await? {
        Life::Living(status) if status == *before => records::enter(store, call, id, &status).await,
        Life::Living(status) => publish(store, call, id, (status.author, status.view())).await,
        Life::Dead(_) | Life::Absent => Ok(()),
    }
}
