//! Edits: a new text for a status, and the update of everything derived from it.

use crate::{
    domain::{Draft, EditState, StatusHeader, StatusId},
    store::{Actor, Call, Edit, Life, Result, Store},
};

use super::{derived_copies, statuses::publish};

/// Edits a status of the actor and keeps the earlier version. The same text again changes nothing and
/// returns the same answer. The status keeps its position, and no one is notified twice.
pub async fn edit(
    store: &Store,
    actor: impl Into<Actor>,
    id: StatusId,
    edit: &EditState,
) -> Result<Edit> {
    let actor = actor.into();
    let call = store.begin().await?;
    store.check_session(&actor).await?;
    call.finish(edit_steps(store, &call, &actor, id, edit).await)
        .await
}

async fn edit_steps(
    store: &Store,
    call: &Call,
    actor: &Actor,
    id: StatusId,
    edit: &EditState,
) -> Result<Edit> {
    let Life::Living(before) = store.life(id).await? else {
        return Ok(Edit::NotYours);
    };
    let (by, draft) = (actor.id(), Draft::from(&edit.message));
    let mentioned = store.mentioned_by(&draft, by).await?;
    let after = before.reworded(draft.tags(), mentioned);
    let (edited, outbox_entry) = store.edit_status(call, id, by, edit, &after).await?;
    if edited == Edit::Done {
        update_derived_copies(store, call, id, &before).await?;
    } else {
        store.remove_outbox_entry(outbox_entry).await?;
    }
    Ok(edited)
}

/// Updates everything derived from the text. The outbox entry stays: a post or edit in flight may still
/// write data of the former text. When the entry is due, none can.
async fn update_derived_copies(
    store: &Store,
    call: &Call,
    id: StatusId,
    before: &StatusHeader,
) -> Result<()> {
    match store.life(id).await? {
        Life::Living(status) if status == *before => {
            derived_copies::add_copies(store, call, id, &status).await
        }
        Life::Living(status) => publish(store, call, id, (status.author, status.view())).await,
        Life::Dead(_) | Life::Absent => Ok(()),
    }
}
