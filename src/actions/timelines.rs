//! What changes on a timeline, a home or a list's, when somebody becomes one of its sources or stops
//! being one.

use crate::{
    domain::{StatusId, Task, Timeline, UserId},
    store::{Call, Forget, Life, Mirror, Result, Store},
};

/// Merges an author's newest statuses into a timeline that they belong on. Where they do not, since
/// an exclusive list keeps them out of a home, nothing is merged.
pub(super) async fn bring_in(
    store: &Store,
    call: &Call,
    timeline: Timeline,
    author: UserId,
    mirror: &Mirror,
) -> Result<()> {
    let floor = mirror
        .newest
        .last()
        .copied()
        .filter(|_| mirror.posts > mirror.newest.len());
    store
        .merge_timeline(call, timeline, author, &mirror.newest, floor)
        .await?;
    let dead = dead_among(store, &mirror.newest).await?;
    store.remove_from_timeline(timeline, &dead).await
}

/// Takes an author's statuses, and whatever is dead, out of a timeline. One that became too short is
/// refilled by a task: the exercise "Refilling timelines" of section 8.3 of the book. Meanwhile its
/// pages go on below the floor by merging profiles, so none is short.
pub(super) async fn take_out(store: &Store, timeline: Timeline, author: UserId) -> Result<()> {
    let ids = store.timeline_ids(timeline).await?;
    let lives = store.lives(&ids).await?;
    let theirs_or_dead = |life: &Life| !matches!(life, Life::Living(other) if *other != author);
    let gone: Vec<StatusId> = ids
        .into_iter()
        .zip(lives)
        .filter(|(_, life)| theirs_or_dead(life))
        .map(|(id, _)| id)
        .collect();
    if store.forget_author(timeline, author, &gone).await? == Forget::Rebuild {
        store.enqueue(&Task::Rebuild(timeline)).await?;
    }
    Ok(())
}

/// Those of these statuses that are not living.
pub(super) async fn dead_among(store: &Store, ids: &[StatusId]) -> Result<Vec<StatusId>> {
    let lives = store.lives(ids).await?;
    let dead = ids
        .iter()
        .zip(lives)
        .filter(|(_, life)| !matches!(life, Life::Living(_)));
    Ok(dead.map(|(id, _)| *id).collect())
}
