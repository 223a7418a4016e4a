//! Favourites. The source of truth is with the person, its mirror and the count with the status.

use super::{
    bookmarks::SaveOutcome,
    notifications,
    operations::{Reconciled, reconcile_thing, reconcile_until_stable, with_outbox},
};
use crate::{
    domain::{Collection, Notification, StatusId, Task, Thing, UserId},
    store::{Actor, Call, Collect, MirrorFavourite, Result, Store, Viewer},
};

/// Favourites a status that the actor may see, including their own. Repeated calls count once.
pub async fn favourite(
    store: &Store,
    actor: impl Into<Actor>,
    id: StatusId,
) -> Result<SaveOutcome> {
    let actor = actor.into();
    let by = actor.id();
    let Some(status) = store.status(Viewer::Member(by), id).await? else {
        return Ok(SaveOutcome::Unknown);
    };
    let id = status.shown().id();
    let call = &store.begin().await?;
    let set = with_outbox(
        store,
        call,
        store.set_favourite(call, &actor, id),
        |set| async move {
            match set {
                Collect::Kept => reconcile_copies(store, call, by, id).await,
                Collect::TooMany | Collect::UnknownPerson => Ok(Reconciled::Yes),
            }
        },
    );
    Ok(SaveOutcome::of(store, Collection::Favourites, set.await?))
}

/// Removes a favourite.
pub async fn unfavourite(store: &Store, actor: impl Into<Actor>, id: StatusId) -> Result<()> {
    let actor = actor.into();
    let call = &store.begin().await?;
    let clear = async { Ok(((), store.clear_favourite(call, &actor, id).await?)) };
    with_outbox(store, call, clear, |()| {
        reconcile_copies(store, call, actor.id(), id)
    })
    .await
}

/// Reconciles a favourite after a crash. Returns the task that continues, if any.
pub async fn reconcile(store: &Store, by: UserId, id: StatusId) -> Result<Option<Task>> {
    let call = &store.begin().await?;
    let reconciled = reconcile_copies(store, call, by, id);
    reconcile_thing(call, Thing::Favourite(by, id), reconciled).await
}

/// Brings mirror, count and the author's notification in line with the favourite.
async fn reconcile_copies(
    store: &Store,
    call: &Call,
    by: UserId,
    id: StatusId,
) -> Result<Reconciled> {
    reconcile_until_stable(
        || store.favourite(by, id),
        |favourite| async move {
            match favourite.since_us {
                Some(since_us) => connect(store, call, by, id, (favourite.author, since_us)).await,
                None => disconnect(store, call, by, id, favourite.author).await,
            }
        },
    )
    .await
}

/// Notifies the author first. The mirror is written last and finds out if the status died meanwhile.
/// Then the favourite goes, and the notification with it.
async fn connect(
    store: &Store,
    call: &Call,
    by: UserId,
    id: StatusId,
    (author, since_us): (Option<UserId>, u64),
) -> Result<()> {
    if let Some(author) = author {
        let what = Notification::favourite(by, id);
        notifications::notify(store, call, author, what, since_us).await?;
    }
    if store.mirror_favourite(call, by, id).await? == MirrorFavourite::Dead {
        let dead = vec![id];
        store.discard_dead(by, Collection::Favourites, dead).await?;
    }
    Ok(())
}

/// Removes the mirror and the notification. Without an author the status is gone, and the notification
/// went with it.
async fn disconnect(
    store: &Store,
    call: &Call,
    by: UserId,
    id: StatusId,
    author: Option<UserId>,
) -> Result<()> {
    store.unmirror_favourite(call, by, id).await?;
    let Some(author) = author else {
        return Ok(());
    };
    let what = Notification::favourite(by, id);
    notifications::take_back(store, call, author, what).await
}
