//! The timeline of everybody: public posts within the share of their author only, and all of them down to its oldest.

use super::search::index_status;
use crate::audit::invariants::prelude::*;
use crate::store::{NEWEST_POSTS_KEPT, is_for_everybody};

pub(in crate::audit) const NEWEST_POSTS_ARE_CURRENT: Invariant = Invariant::new(
    "newest_posts_are_current",
    "the timeline of everybody contains exactly the living public posts since its oldest one",
);

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::Statuses(statuses) => check_statuses(exam, statuses).await,
        Target::Key(key @ Key::StatusesNewest) => check_members(exam, key).await,
        _ => Ok(()),
    }
}

async fn check_members(exam: &mut Examination<'_>, key: &Key) -> Result<()> {
    let mut members = Members::of(NEWEST_POSTS_ARE_CURRENT, key, "status id");
    let count = exam.store.cardinality(key).await?;
    if count > NEWEST_POSTS_KEPT as u64 {
        let text = format!("{} has more than {NEWEST_POSTS_KEPT} posts", key.name());
        let fault = members.fault(text).detail(count.to_string());
        let words = format!("trimmed {}", key.name());
        exam.found(fault.repair(words, move |store| async move {
            store.trim_newest_posts().await
        }));
    }
    while let Some(ids) = members.statuses(exam, index_status).await? {
        for (id, life) in ids.iter().zip(exam.store.lives(&ids).await?) {
            let why = match life {
                Life::Living(header) if is_for_everybody(&header) => continue,
                Life::Living(_) => "which does not belong there",
                Life::Dead(_) => "which was deleted",
                Life::Absent => "which does not exist",
            };
            let fault = members.wrong_member(&names::status(*id), why);
            let fault = fault.unless(Key::Status(*id));
            exam.found(fault.repair_by(members.remove(id)));
        }
    }
    Ok(())
}

/// Checks that public posts are in the timeline, unless they are older than its oldest.
async fn check_statuses(exam: &mut Examination<'_>, statuses: &[ExaminedStatus]) -> Result<()> {
    let Some(oldest) = exam.store.oldest_newest_post().await? else {
        return Ok(());
    };
    let mut expected = Vec::new();
    for status in statuses {
        if let Life::Living(header) = &status.life
            && is_for_everybody(header)
            && status.id > oldest
        {
            expected.push(status.id);
        }
    }
    exam.examined(NEWEST_POSTS_ARE_CURRENT, expected.len());
    let entry = |id: &StatusId| (Key::StatusesNewest, *id);
    for id in exam.without_entry(expected, entry).await? {
        let fault = Fault::missing_status(NEWEST_POSTS_ARE_CURRENT, id, &Key::StatusesNewest);
        exam.found(fault.repair_by(index_status(id)));
    }
    Ok(())
}
