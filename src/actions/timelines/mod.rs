//! Changes of a timeline when a person or tag becomes or stops being one of its sources.

pub mod fan_out;
pub(in crate::actions) mod groups;
pub mod homes;
pub mod importance;
pub mod lists;
pub(super) mod newest_posts;
pub mod tag_follows;

use crate::{
    actions::prelude::*,
    domain::Source,
    store::{Left, Mark, NewSource},
};

/// Merges the newest statuses of a new source into a timeline, with replies to that person. If older
/// ones exist, the floor rises above them. A task refills a timeline that this leaves too short. A status below the floor
/// is not read, nor any for a dormant timeline: a rebuild that lowers the floor later finds the new source.
pub(in crate::actions) async fn add_statuses_of(
    store: &Store,
    call: &Call,
    timeline: Timeline,
    source: Source<'_>,
    new: &NewSource,
) -> Result<()> {
    let stored_from = match store.mark(timeline).await? {
        (Mark::Dormant, _) => return Ok(()),
        (Mark::Floor(floor), _) => floor,
        (Mark::Building, _) => 0,
    };
    let is_stored = |id: &StatusId| id.get() >= stored_from;
    let last = new.newest.last().copied();
    let posts_from = last.filter(|_| new.posts > new.newest.len());
    let older_answered = new.older_answered.filter(is_stored);
    let answers_from = older_answered.and_then(|older| StatusId::new(older.get() + 1).ok());
    let floor = posts_from.max(answers_from);
    let ids = new.newest.iter().chain(&new.answered).copied();
    let ids: Vec<StatusId> = ids.filter(is_stored).collect();
    let lives = store.lives_for_timelines(&ids).await?;
    let living: Vec<(StatusId, StatusHeader)> = ids
        .iter()
        .zip(&lives)
        .filter_map(|(id, life)| Some((*id, life.clone().living()?)))
        .collect();
    store
        .merge_timeline(call, timeline, source, &living, floor)
        .await?;
    prune_changed(store, timeline, ids.into_iter().zip(lives).collect()).await?;
    if older_answered.is_some() {
        store.enqueue(&Task::Rebuild(timeline)).await?;
    }
    Ok(())
}

/// Removes statuses that no longer belong on a timeline: those that died or changed tags since they were
/// read, and those that were not read at all.
pub(in crate::actions) async fn prune_changed(
    store: &Store,
    timeline: Timeline,
    seen: Vec<(StatusId, Life)>,
) -> Result<()> {
    let ids: Vec<StatusId> = seen.iter().map(|(id, _)| *id).collect();
    let now = store.lives_for_timelines(&ids).await?;
    let now = seen.into_iter().zip(now);
    let changed = now.filter(|((_, then), now)| then != now || !now.is_living());
    let changed: Vec<(StatusId, Life)> = changed.map(|((id, _), now)| (id, now)).collect();
    if !changed.is_empty() {
        store.prune_timeline(timeline, &changed).await?;
    }
    Ok(())
}

/// Removes dead statuses from a timeline.
pub(super) async fn remove_dead_statuses(store: &Store, timeline: Timeline) -> Result<()> {
    remove_statuses(store, timeline, |_| false).await
}

/// Removes dead statuses from a timeline, and `concerned` ones that no longer belong there. A task
/// refills a timeline that became too short: the exercise "Refilling timelines" of section 8.3 of the
/// book. Meanwhile its pages continue below the floor by merging profiles, so none is short.
pub(in crate::actions) async fn remove_statuses(
    store: &Store,
    timeline: Timeline,
    concerned: impl Fn(&StatusHeader) -> bool,
) -> Result<()> {
    let ids = store.timeline_ids(timeline).await?;
    let lives = store.lives_for_timelines(&ids).await?;
    let concerned_or_dead = |life: &Life| match life {
        Life::Living(status) => concerned(status),
        Life::Dead(_) | Life::Absent => true,
    };
    let mut statuses: Vec<(StatusId, Life)> = ids.into_iter().zip(lives).collect();
    statuses.retain(|(_, life)| concerned_or_dead(life));
    if store.prune_timeline(timeline, &statuses).await? == Left::Few {
        store.enqueue(&Task::Rebuild(timeline)).await?;
    }
    Ok(())
}
