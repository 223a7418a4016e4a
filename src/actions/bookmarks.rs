//! Bookmarks: all of a bookmark lies in one slot, with the one who set it, so it has no copies and
//! needs no reminder. Nobody is told.

use crate::{
    domain::{Collection, StatusId},
    store::{Actor, Collect, Result, Store, Viewer},
};

/// What became of keeping a status, as a favourite or as a bookmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    Done,
    /// No such status, or not for this person to see.
    Unknown,
    TooMany {
        limit: usize,
    },
}

impl Keep {
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

/// Bookmarks a status that the actor may see, their own ones too. However often this is done, it is
/// bookmarked once.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session
/// that asks is over.
pub async fn bookmark(store: &Store, actor: impl Into<Actor>, id: StatusId) -> Result<Keep> {
    let actor = actor.into();
    let viewer = Viewer::Member(actor.id());
    let Some(status) = store.status(viewer, id).await? else {
        return Ok(Keep::Unknown);
    };
    let id = status.shown().id();
    let call = store.begin().await?;
    let collected = store
        .collect(&call, &actor, Collection::Bookmarks, id)
        .await;
    let collected = call.settle(collected).await?;
    Ok(Keep::of(store, Collection::Bookmarks, collected))
}

/// Bookmarks a status no longer.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session
/// that asks is over.
pub async fn unbookmark(store: &Store, actor: impl Into<Actor>, id: StatusId) -> Result<()> {
    let actor = actor.into();
    let call = store.begin().await?;
    let discarded = store
        .discard(&call, &actor, Collection::Bookmarks, id)
        .await;
    call.settle(discarded).await
}
