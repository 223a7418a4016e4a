//! Favourites. The source of truth is with the person, its mirror and the count with the status.

use crate::actions::{
    notifications,
    operations::{Effects, clear, set_by},
};
use crate::{
    actions::prelude::*,
    domain::{Collection, Notification},
    store::{FavouriteState, MirrorOutcome, StatusMirror},
};

pub(in crate::actions) struct FavouriteEffects {
    pub(in crate::actions) by: UserId,
    pub(in crate::actions) id: StatusId,
}

/// Favourites a status that the actor may see, including their own. Repeated calls count once.
pub async fn favourite(store: &Store, actor: impl Into<Actor>, id: StatusId) -> Result<SetOutcome> {
    let actor = actor.into();
    let by = actor.id();
    let Some(status) = store.status(Viewer::Member(by), id).await? else {
        return Ok(SetOutcome::Unknown);
    };
    let shown = status.shown().as_status_ref();
    let id = shown.status;
    let call = &store.begin().await?;
    let save = store.save_status(call, &actor, Collection::Favourites, shown);
    set_by(store, call, &FavouriteEffects { by, id }, save).await
}

pub async fn unfavourite(store: &Store, actor: impl Into<Actor>, id: StatusId) -> Result<()> {
    let actor = actor.into();
    let by = actor.id();
    let relation = Relation::Favourite(by, id);
    let effects = FavouriteEffects { by, id };
    clear(store, &actor, &relation, &effects).await.map(drop)
}

impl Effects for FavouriteEffects {
    type Truth = FavouriteState;

    fn thing(&self) -> Thing {
        Relation::Favourite(self.by, self.id).into()
    }

    async fn truth(&self, store: &Store) -> Result<FavouriteState> {
        store.favourite(self.by, self.id).await
    }

    /// Brings mirror, count and the author's notification in line with the favourite. Without an author
    /// the status is gone, and the notification went with it.
    async fn apply(&self, store: &Store, call: &Call, favourite: FavouriteState) -> Result<()> {
        let Self { by, id } = *self;
        let mirror = StatusMirror::of_favourite(by, id);
        let what = Notification::favourite(by, id);
        let Some(since_us) = favourite.since_us else {
            store.unmirror_on_status(Some(call), &mirror).await?;
            return match favourite.author {
                Some(author) => notifications::retract(store, call, author, what).await,
                None => Ok(()),
            };
        };
        if let Some(author) = favourite.author {
            notifications::notify(store, call, author, what, since_us).await?;
        }
        // The mirror is written last and finds out if the status was deleted meanwhile. Then the
        // favourite goes, and the notification with it.
        if store.mirror_on_status(call, &mirror).await? == MirrorOutcome::Deleted {
            let deleted = vec![id];
            store
                .remove_deleted(by, Collection::Favourites, deleted)
                .await?;
        }
        Ok(())
    }
}
