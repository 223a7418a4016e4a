//! Follows: both sides mirror each other and name existing users.

use crate::actions::follows;
use crate::audit::invariants::prelude::*;

pub(in crate::audit) const FOLLOWS_MIRROR: Invariant = Invariant::new(
    "follows_mirror",
    "following and followers mirror each other, between existing users",
);

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    if let Target::User(user, _) = exam.target {
        check_following(exam, user.id).await?;
        check_followers(exam, user.id).await?;
    }
    Ok(())
}

async fn check_following(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
    let mut members = Members::of(FOLLOWS_MIRROR, &Key::Following(id), "user id");
    while let Some(others) = members.related(exam).await? {
        let mirrors = others.iter().map(|other| (Key::Followers(*other), id));
        let mirrored = exam.store.contain_each(mirrors).await?;
        let states = exam.store.user_states(&others).await?;
        for ((other, mirrored), state) in others.into_iter().zip(mirrored).zip(states) {
            let name = names::user(other);
            let (what, repair) = match state {
                _ if other == id => ("themselves".to_owned(), Some(clear_follow(id, id))),
                UserState::Missing => {
                    let what = format!("{name}, who does not exist");
                    (what, Some(clear_follow(id, other)))
                }
                UserState::Incomplete => (format!("{name}, whose account is incomplete"), None),
                UserState::Exists if !mirrored => {
                    let what = format!("{name}, whose followers do not contain them");
                    (what, Some(reconcile_follow(id, other)))
                }
                UserState::Exists => continue,
            };
            let fault = members.fault(format!("{} follows {what}", names::user(id)));
            let fault = fault.unless((Key::Following(id), other));
            exam.found(fault.unless(Key::User(other)).repair_by(repair));
        }
    }
    Ok(())
}

async fn check_followers(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
    let members = Members::of(FOLLOWS_MIRROR, &Key::Followers(id), "user id");
    let mirror = |other: &UserId| (Key::Following(*other), id);
    let fault = |members: &Members, other: UserId| {
        let repair = if other == id {
            members.remove(id)
        } else {
            reconcile_follow(other, id)
        };
        let fault = members.wrong_member(&names::user(other), "who does not follow them");
        fault.repair_by(repair)
    };
    members.check_mirror(exam, mirror, fault).await
}

fn reconcile_follow(from: UserId, to: UserId) -> RepairStep {
    let (follower, followed) = (names::user(from), names::user(to));
    let words = format!("made followers of {followed} match whether {follower} follows them");
    repair::reconcile(words, Relation::Follow(from, to))
}

/// Removes a follow of a missing user or of oneself. No action follows oneself, and the own posts must
/// not leave the home with the follow.
fn clear_follow(from: UserId, to: UserId) -> RepairStep {
    let (follower, followed) = (names::user(from), names::user(to));
    let words = format!("removed the follow of {followed} by {follower}");
    if from != to {
        let unfollow = move |store| async move { follows::unfollow(&store, from, to).await };
        return RepairStep::new(words, unfollow).with_effect(Effect::Orphan);
    }
    let repair = RepairStep::new(words, move |store| async move {
        let member = from.to_string();
        store.drop_member(&Key::Following(from), &member).await?;
        store.drop_member(&Key::Followers(from), &member).await?;
        repair::rank(&store, from).await
    });
    repair.with_effect(Effect::Source)
}
