//! The bytes of a user's posts: each larger living post and each tombstone with replies is counted as it says, and the
//! sum is right.

use crate::{audit::invariants::prelude::*, store::StoredStatus};

pub(in crate::audit) const POST_BYTES_MATCH: Invariant = Invariant::new(
    "post_bytes_match",
    "the counted bytes of a user's posts are those of the living posts and of tombstones with replies",
);

/// Number of entries per round trip.
const PER_ROUND_TRIP: usize = 500;

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::Statuses(statuses) => check_statuses(exam, statuses).await,
        Target::User(user, _) => check_user(exam, user.id).await,
        _ => Ok(()),
    }
}

/// Checks that statuses are counted with their authors. A tombstone counts while it has replies.
async fn check_statuses(exam: &mut Examination<'_>, statuses: &[ExaminedStatus]) -> Result<()> {
    let counts = |status: &StoredStatus| !status.deleted || status.has_replies();
    let owned = statuses.iter().filter(|status| counts(&status.stored));
    let owned = owned.filter_map(|status| Some((status, status.stored.author?)));
    let owned: Vec<(&ExaminedStatus, UserId)> = owned.collect();
    exam.examined(POST_BYTES_MATCH, owned.len());
    let places = owned.iter().map(|(status, author)| (status.id, *author));
    let counted = exam
        .store
        .counted_bytes(&places.collect::<Vec<_>>())
        .await?;
    for ((status, author), counted) in owned.into_iter().zip(counted) {
        let stored = &status.stored.extra_bytes;
        if *stored == counted {
            continue;
        }
        // The tombstones of a deleted account count nowhere.
        let author_state = exam.store.user_states(&[author]).await?;
        if status.stored.deleted && author_state.contains(&UserState::Missing) {
            continue;
        }
        let (name, user) = (names::status(status.id), names::user(author));
        let text = format!("{name} is counted with other bytes in the quota of {user}");
        let fault = Fault::new(POST_BYTES_MATCH, Key::Status(status.id), text);
        let detail = format!("stored {stored:?}, counted {counted:?}");
        let fault = fault.detail(detail).unless(Key::Status(status.id));
        exam.found(fault.repair_by(repair::reconcile_status(status.id)));
    }
    Ok(())
}

/// Checks that only living statuses of the user and tombstones with replies are counted, and their sum.
async fn check_user(exam: &mut Examination<'_>, user: UserId) -> Result<()> {
    let counted = exam.store.counted_in(&Key::PostBytes(user)).await?;
    exam.examined(POST_BYTES_MATCH, counted.entries.len());
    let (mut ids, name) = (Vec::new(), names::user(user));
    for field in counted.entries.keys() {
        match field.parse::<StatusId>() {
            Ok(id) => ids.push(id),
            Err(_) => {
                let text =
                    format!("the quota of {name} counts {field:?}, which is not a status id");
                let fault = Fault::new(POST_BYTES_MATCH, Key::PostBytes(user), text);
                exam.found(fault.repair_by(recount(user, Some(field.clone()))));
            }
        }
    }
    for some in ids.chunks(PER_ROUND_TRIP) {
        for (id, life) in some.iter().zip(exam.store.lives(some).await?) {
            let repair = match life {
                Life::Living(header) if header.author == user => continue,
                Life::Dead(header) if header.author == user => {
                    let tombstone = exam.store.tombstone(*id).await?;
                    if tombstone.is_some_and(|tombstone| tombstone.counted_bytes > 0) {
                        continue;
                    }
                    repair::reconcile_status(*id)
                }
                Life::Living(_) | Life::Dead(_) | Life::Absent => {
                    recount(user, Some(id.to_string()))
                }
            };
            let status = names::status(*id);
            let text = format!("the quota of {name} counts {status}, which is no post of theirs");
            let fault = Fault::new(POST_BYTES_MATCH, Key::PostBytes(user), text);
            exam.found(fault.unless(Key::Status(*id)).repair_by(repair));
        }
    }
    let actual = counted.actual_sum();
    if let Some(sum) = counted.sum.filter(|sum| *sum != actual) {
        let text = format!("the bytes of the posts of {name} have the wrong sum");
        let fault = Fault::new(POST_BYTES_MATCH, Key::PostBytes(user), text);
        let fault = fault.detail(format!("stored {sum}, actual {actual}"));
        exam.found(fault.repair_by(recount(user, None)));
    }
    Ok(())
}

fn recount(user: UserId, wrong: Option<String>) -> RepairStep {
    let words = format!(
        "counted the bytes of the posts of {} again",
        names::user(user)
    );
    RepairStep::new(words, move |store| async move {
        let key = Key::PostBytes(user);
        store.recount_bytes(&key, wrong.as_deref()).await
    })
}
