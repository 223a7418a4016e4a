//! Favourites: the truth is with the one who favours, its mirror and the count with the status.

use crate::{
    domain::{Collection, Notification, StatusId, Task, Thing, UserId},
    store::{Actor, Call, Collect, MirrorFavourite, Result, Store, Viewer},
};

use super::{bookmarks::Keep, follows::Settled, notifications};

/// How often the mirror is brought to the truth when that changes meanwhile, before it is left to
/// the reminder.
const ROUNDS: usize = 5;

/// Favours a status that the actor may see, their own ones too. However often this is done, they
/// favour it once.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session
/// that asks is over.
pub async fn favourite(store: &Store, actor: impl Into<Actor>, id: StatusId) -> Result<Keep> {
    let actor = actor.into();
    let by = actor.id();
    let Some(status) = store.status(Viewer::Member(by), id).await? else {
        return Ok(Keep::Unknown);
    };
    let id = status.shown().id();
    let call = store.begin().await?;
    let steps = async {
        let (set, outbox_entry) = store.set_favourite(&call, &actor, id).await?;
        let settled = match set {
            Collect::Kept => settle(store, &call, by, id).await?,
            Collect::TooMany | Collect::UnknownPerson => Settled::Yes,
        };
        if settled == Settled::Yes {
            store.forget(outbox_entry).await?;
        }
        Ok(Keep::of(store, Collection::Favourites, set))
    };
    call.settle(steps.await).await
}

/// Favours a status no longer.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session
/// that asks is over.
pub async fn unfavourite(store: &Store, actor: impl Into<Actor>, id: StatusId) -> Result<()> {
    let actor = actor.into();
    let call = store.begin().await?;
    let steps = async {
        let outbox_entry = store.clear_favourite(&call, &actor, id).await?;
        if settle(store, &call, actor.id(), id).await? == Settled::Yes {
            store.forget(outbox_entry).await?;
        }
        Ok(())
    };
    call.settle(steps.await).await
}

/// Brings the mirror of a favourite to its truth after a crash. Answers with the task that goes on
/// where the truth would not hold still.
pub async fn reconcile(store: &Store, by: UserId, id: StatusId) -> Result<Option<Task>> {
    let call = store.begin().await?;
    let settled = settle(store, &call, by, id).await;
    Ok(match call.settle(settled).await? {
        Settled::Yes => None,
        Settled::No => Some(Task::Reconcile(Thing::Favourite(by, id))),
    })
}

/// Brings mirror, count and what the author is told to what the truth says, and looks at the truth
/// once more afterwards: whoever finishes last has seen the final one.
async fn settle(store: &Store, call: &Call, by: UserId, id: StatusId) -> Result<Settled> {
    let mut truth = store.favourite(by, id).await?;
    for _ in 0..ROUNDS {
        match truth.since_us {
            Some(since_us) => connect(store, call, by, id, (truth.author, since_us)).await?,
            None => disconnect(store, call, by, id, truth.author).await?,
        }
        let now = store.favourite(by, id).await?;
        if now == truth {
            return Ok(Settled::Yes);
        }
        truth = now;
    }
    Ok(Settled::No)
}

/// The author is told first: the mirror, written last, finds a status dead that went meanwhile. That
/// takes the favourite with it, and with the favourite goes what was told of it.
async fn connect(
    store: &Store,
    call: &Call,
    by: UserId,
    id: StatusId,
    (author, since_us): (Option<UserId>, u64),
) -> Result<()> {
    if let Some(author) = author {
        let what = Notification::favourite(by, id);
        notifications::tell(store, call, author, what, since_us).await?;
    }
    if store.mirror_favourite(call, by, id).await? == MirrorFavourite::Dead {
        let dead = vec![id];
        store.discard_dead(by, Collection::Favourites, dead).await?;
    }
    Ok(())
}

/// What was told of a status of which nothing is left went with it.
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
