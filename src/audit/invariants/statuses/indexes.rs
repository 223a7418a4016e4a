//! The tag index, the mention index and the timelines of groups: each entry contains exactly the living statuses that
//! belong there.

use crate::audit::invariants::prelude::*;

pub(in crate::audit) const TAG_INDEX_IS_COMPLETE: Invariant = Invariant::new(
    "tag_index_is_complete",
    "the tag index contains exactly the living posts with a tag, without replies and reposts",
);
pub(in crate::audit) const MENTION_INDEX_IS_COMPLETE: Invariant = Invariant::new(
    "mention_index_is_complete",
    "the mention index contains exactly the living statuses that mention a user",
);

pub(in crate::audit) const GROUP_TIMELINES_ARE_COMPLETE: Invariant = Invariant::new(
    "group_timelines_are_complete",
    "the timeline of a group contains exactly the living posts in it, without replies",
);

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::User(user, _) => check_entry(exam, &IndexEntry::Mention(user.id)).await,
        Target::Key(Key::GroupTimeline(group)) => {
            check_entry(exam, &IndexEntry::Group(*group)).await
        }
        Target::Key(Key::TagIndex(tag)) => check_entry(exam, &IndexEntry::Tag(tag.clone())).await,
        Target::Statuses(statuses) => check_statuses(exam, statuses).await,
        _ => Ok(()),
    }
}

fn invariant_and_key(entry: &IndexEntry) -> (Invariant, Key) {
    match entry {
        IndexEntry::Tag(tag) => (TAG_INDEX_IS_COMPLETE, Key::TagIndex(tag.clone())),
        IndexEntry::Mention(user) => (MENTION_INDEX_IS_COMPLETE, Key::MentionIndex(*user)),
        IndexEntry::Group(group) => (GROUP_TIMELINES_ARE_COMPLETE, Key::GroupTimeline(*group)),
    }
}

async fn check_entry(exam: &mut Examination<'_>, entry: &IndexEntry) -> Result<()> {
    let (invariant, key) = invariant_and_key(entry);
    let mut members = Members::of(invariant, &key, "status id");
    while let Some(ids) = members.statuses(exam, repair::reconcile_status).await? {
        for (id, life) in ids.iter().zip(exam.store.lives(&ids).await?) {
            let why = match life {
                Life::Living(header) if IndexEntry::all_of(&header).contains(entry) => continue,
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

/// Checks that living statuses are listed under all their index entries. One round trip.
async fn check_statuses(exam: &mut Examination<'_>, statuses: &[ExaminedStatus]) -> Result<()> {
    let mut expected = Vec::new();
    for status in statuses {
        if let Life::Living(header) = &status.life {
            let entries = IndexEntry::all_of(header).into_iter();
            expected.extend(entries.map(|entry| (status.id, invariant_and_key(&entry))));
        }
    }
    for (_, (invariant, _)) in &expected {
        exam.examined(*invariant, 1);
    }
    let entry = |(id, (_, key)): &(StatusId, (Invariant, Key))| (key.clone(), *id);
    for (id, (invariant, key)) in exam.without_entry(expected, entry).await? {
        if let Key::MentionIndex(user) = key
            && exam
                .store
                .user_states(&[user])
                .await?
                .contains(&UserState::Missing)
        {
            continue;
        }
        if let Key::GroupTimeline(group) = key
            && exam
                .store
                .group(group)
                .await?
                .is_none_or(|group| group.is_gone)
        {
            continue;
        }
        exam.found(Fault::missing_status(invariant, id, &key));
    }
    Ok(())
}
