//! Bookmarks. All data of a bookmark lies in its owner's slot, without copies, so it needs no outbox
//! entry. Only the owner sees it.

use crate::{
    domain::{Collection, StatusId},
    store::{Actor, Collect, Result, Store, Viewer},
};

/// Outcome of saving a status, as a favourite or a bookmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaveOutcome {
    Done,
    /// The status does not exist, or the person may not see it.
    Unknown,
    TooMany {
        limit: usize,
    },
}

impl SaveOutcome {
    pub(super) fn of(store: &Store, collection: Collection, set: Collect) -> Self {
        match set {
            Collect::Kept => Self::Done,
            Collect::UnknownPerson => Self::Unknown,
            Collect::TooMany => Self::TooMany {
                limit: store.collection_limit(collection),
            },
        }
    }
}

/// Bookmarks a status that the actor may see, including their own. Repeated calls count once.
pub async fn bookmark(store: &Store, actor: impl Into<Actor>, id: StatusId) -> Result<SaveOutcome> {
    let actor = actor.into();
    let viewer = Viewer::Member(actor.id());
    let Some(status) = store.status(viewer, id).await? else {
        return Ok(SaveOutcome::Unknown);
    };
    let id = status.shown().id();
    let call = store.begin().await?;
    let collected = store
        .collect(&call, &actor, Collection::Bookmarks, id)
        .await;
    let collected = call.finish(collected).await?;
    Ok(SaveOutcome::of(store, Collection::Bookmarks, collected))
}

/// Removes a bookmark.
pub async fn unbookmark(store: &Store, actor: impl Into<Actor>, id: StatusId) -> Result<()> {
    let actor = actor.into();
    let call = store.begin().await?;
    let discarded = store
        .discard(&call, &actor, Collection::Bookmarks, id)
        .await;
    call.finish(discarded).await
}
