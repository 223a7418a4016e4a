//! Bookmarks. All data of a bookmark lies in its owner's slot, without copies, so it needs no outbox
//! entry. Only the owner sees it.

use crate::{actions::prelude::*, domain::Collection};

/// Bookmarks a status that the actor may see, including their own. Repeated calls count once.
pub async fn bookmark(store: &Store, actor: impl Into<Actor>, id: StatusId) -> Result<SetOutcome> {
    let actor = actor.into();
    let viewer = Viewer::Member(actor.id());
    let Some(status) = store.status(viewer, id).await? else {
        return Ok(SetOutcome::Unknown);
    };
    let shown = status.shown().as_status_ref();
    let call = store.begin().await?;
    let saved = store.save_status(&call, &actor, Collection::Bookmarks, shown);
    call.finish(saved.await).await
}

pub async fn unbookmark(store: &Store, actor: impl Into<Actor>, id: StatusId) -> Result<()> {
    let actor = actor.into();
    let call = store.begin().await?;
    let relation = Relation::Bookmark(actor.id(), id);
    let cleared = store.clear_relation(&call, &actor, &relation).await;
    call.finish(cleared).await.map(drop)
}
