//! What changes on a timeline, a home or a list's, when somebody becomes one of its sources or stops
//! being one.

use crate::{
    domain::{Provenance, StatusId, Task, Timeline, UserId},
    store::{Call, Left, Life, Mirror, Result, Store},
};

/// Merges the newest statuses of somebody who became a source of a timeline, and of those that answer
/// them, whatever belongs there. Where more of the latter were written than are kept, the timeline is
/// built anew by a task instead.
pub(super) async fn bring_in(
    store: &Store,
    call: &Call,
    timeline: Timeline,
    source: UserId,
    mirror: &Mirror,
) -> Result<()> {
    let floor = mirror
        .newest
        .last()
        .copied()
        .filter(|_| mirror.posts > mirror.newest.len());
    let ids: Vec<StatusId> = mirror
        .newest
        .iter()
        .chain(&mirror.answered)
        .copied()
        .collect();
    let lives = store.lives(&ids).await?;
    let living = ids.iter().zip(lives);
    let living: Vec<(StatusId, Provenance)> = living
        .filter_map(|(id, life)| Some((*id, life.living()?)))
        .collect();
    let source = source.to_string();
    store
        .merge_timeline(call, timeline, &source, &living, floor)
        .await?;
    let dead = dead_among(store, &ids).await?;
    store.remove_from_timeline(timeline, &dead).await?;
    if mirror.older_answered {
        store.enqueue(&Task::Rebuild(timeline)).await?;
    }
    Ok(())
}

/// Takes whatever is dead, and of what is `concerned` all that does not belong there any more, out of a
/// timeline. One that became too short is refilled by a task: the exercise "Refilling timelines" of
/// section 8.3 of the book. Meanwhile its pages go on below the floor by merging profiles, so none is
/// short.
pub(super) async fn take_out(
    store: &Store,
    timeline: Timeline,
    concerned: impl Fn(&Provenance) -> bool,
) -> Result<()> {
    let ids = store.timeline_ids(timeline).await?;
    let lives = store.lives(&ids).await?;
    let concerned_or_dead = |life: &Life| match life {
        Life::Living(status) => concerned(status),
        Life::Dead(_) | Life::Absent => true,
    };
    let mut statuses: Vec<(StatusId, Life)> = ids.into_iter().zip(lives).collect();
    statuses.retain(|(_, life)| concerned_or_dead(life));
    if store.sift_timeline(timeline, &statuses).await? == Left::Few {
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
