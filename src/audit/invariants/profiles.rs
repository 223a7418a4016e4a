//! Profiles: exactly the living statuses of their owner, in the order of ids. The posts of a profile are
//! those that are no replies.

use super::{keys::KEYS_ARE_KNOWN, prelude::*, source_data};

pub(super) const PROFILES_ARE_COMPLETE: Invariant = Invariant::new(
    "profiles_are_complete",
    "profiles contain exactly their author's living statuses, and posts those that are no replies",
);

pub(super) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::User(user, latest) => {
            let id = user.id;
            let newest = check_profile(exam, id, latest.largest_id()).await?;
            check_posts(exam, id).await?;
            // Read after the profile: an author who posts meanwhile has drawn the id before it appears there.
            let user = exam.store.user_snapshot(id).await?;
            source_data::check_last_id(exam, &user, newest, latest.largest_id());
            Ok(())
        }
        Target::Statuses(statuses) => check_statuses(exam, statuses).await,
        _ => Ok(()),
    }
}

/// Checks a profile. Returns the newest valid id, or 0.
async fn check_profile(exam: &mut Examination<'_>, id: UserId, largest: u64) -> Result<u64> {
    let key = Key::Profile(id);
    let mut members = Members::of(PROFILES_ARE_COMPLETE, &key, "status id");
    let mut newest = 0;
    while let Some(ids) = members.statuses(exam, repair::reconcile_status).await? {
        for (status, life) in ids.iter().zip(exam.store.lives(&ids).await?) {
            let (why, repair) = match life {
                Life::Living(header) if header.author == id => {
                    let possible = Some(status.get()).filter(|status| *status <= largest);
                    newest = newest.max(possible.unwrap_or_default());
                    continue;
                }
                Life::Dead(header) if header.author == id => {
                    ("which was deleted", repair::reconcile_status(*status))
                }
                Life::Dead(_) => ("which was deleted", members.remove(status)),
                Life::Living(_) => ("which is not theirs", members.remove(status)),
                Life::Absent => ("which does not exist", members.remove(status)),
            };
            let fault = members.wrong_member(&names::status(*status), why);
            exam.found(fault.unless(Key::Status(*status)).repair_by(repair));
        }
    }
    Ok(newest)
}

/// Checks the posts of a profile. The profile itself is checked separately.
async fn check_posts(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
    let mut profile = Members::of(PROFILES_ARE_COMPLETE, &Key::Profile(id), "status id");
    while let Some(rows) = profile.rows(exam).await? {
        let ids = rows.iter().filter_map(|(member, _)| member.parse().ok());
        check_some_posts(exam, id, ids.collect()).await?;
    }
    let mut posts = Members::of(PROFILES_ARE_COMPLETE, &Key::Posts(id), "status id");
    while let Some(ids) = posts.statuses(exam, repair::reconcile_status).await? {
        check_some_posts(exam, id, ids).await?;
    }
    Ok(())
}

async fn check_some_posts(
    exam: &mut Examination<'_>,
    id: UserId,
    ids: Vec<StatusId>,
) -> Result<()> {
    let key = Key::Posts(id);
    let entries = ids.iter().map(|status| (key.clone(), *status));
    let contained = exam.store.contain_each(entries).await?;
    for ((status, life), contained) in ids.iter().zip(exam.store.lives(&ids).await?).zip(contained)
    {
        let belongs = matches!(&life, Life::Living(header)
            if header.author == id && header.view() == ProfileView::Posts);
        if belongs == contained {
            continue;
        }
        let (name, status_name) = (names::key(&key), names::status(*status));
        let (text, repair): (_, RepairStep) = if contained {
            let text = format!("{name} contain {status_name}, which does not belong there");
            (text, repair::remove_member(&key, status))
        } else {
            let text = format!("{status_name} is missing in {name}");
            (text, repair::reconcile_status(*status))
        };
        let fault = Fault::new(PROFILES_ARE_COMPLETE, &key, text);
        exam.found(fault.unless(Key::Status(*status)).repair_by(repair));
    }
    Ok(())
}

/// Checks that living statuses are in the profiles of existing authors.
async fn check_statuses(exam: &mut Examination<'_>, statuses: &[ExaminedStatus]) -> Result<()> {
    let living = statuses.iter().filter(|status| !status.stored.deleted);
    let living = living.filter_map(|status| Some((status.id, status.stored.author?)));
    let living: Vec<(StatusId, UserId)> = living.collect();
    exam.examined(PROFILES_ARE_COMPLETE, living.len());
    let authors: Vec<UserId> = living.iter().map(|(_, author)| *author).collect();
    let states = exam.store.user_states(&authors).await?;
    let entries = living
        .iter()
        .map(|(id, author)| (Key::Profile(*author), *id));
    let contained = exam.store.contain_each(entries).await?;
    for (((id, author), state), contained) in living.into_iter().zip(states).zip(contained) {
        if state != UserState::Exists {
            let (status, author) = (names::status(id), names::user(author));
            let text = format!("{status} is by {author}, who does not exist");
            exam.found(Fault::new(KEYS_ARE_KNOWN, Key::Status(id), text));
        } else if !contained {
            let key = Key::Profile(author);
            exam.found(Fault::missing_status(PROFILES_ARE_COMPLETE, id, &key));
        }
    }
    Ok(())
}
