//! Follows: both sides mirror each other and name existing users.

use super::prelude::*;
use crate::actions::follows;

pub(super) const FOLLOWS_MIRROR: Invariant = Invariant::new(
    "follows_mirror",
    "following and followers mirror each other, between existing users",
);

pub(super) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    if let Target::User(user, _) = exam.target {
        check_following(exam, user.id).await?;
        check_followers(exam, user.id).await?;
    }
    Ok(())
}

async fn check_following(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
    let mut members = Members::of(FOLLOWS_MIRROR, &Key::Following(id), "user id");
    while let Some(others) = members.related(exam, |id| id.parse().ok()).await? {
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
            let mut fault = fault
                .unless((Key::Following(id), other))
                .unless(Key::User(other));
            fault.repair = repair;
            exam.found(fault);
        }
    }
    Ok(())
}

async fn check_followers(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
    let key = Key::Followers(id);
    let mut members = Members::of(FOLLOWS_MIRROR, &key, "user id");
    while let Some(others) = members.related(exam, |id| id.parse().ok()).await? {
        let sources = others.iter().map(|other| (Key::Following(*other), id));
        let follow = exam.store.contain_each(sources).await?;
        for (other, _) in others
            .into_iter()
            .zip(follow)
            .filter(|(_, follows)| !follows)
        {
            let repair = if other == id {
                repair::remove_member(&key, id)
            } else {
                reconcile_follow(other, id)
            };
            let (follower, name) = (names::user(other), members.key_name());
            let fault = members.fault(format!(
                "{name} contain {follower}, who does not follow them"
            ));
            exam.found(fault.unless((Key::Following(other), id)).repair_by(repair));
        }
    }
    Ok(())
}

fn reconcile_follow(from: UserId, to: UserId) -> RepairStep {
    let (follower, followed) = (names::user(from), names::user(to));
    let words = format!("made followers of {followed} match whether {follower} follows them");
    repair::reconcile(words, Thing::Edge(from, to))
}

/// Removes a follow of a missing user or of oneself. No action follows oneself, and the own posts must
/// not leave the home with the follow.
fn clear_follow(from: UserId, to: UserId) -> RepairStep {
    let words = format!(
        "removed the follow of {} by {}",
        names::user(to),
        names::user(from)
    );
    if from != to {
        return RepairStep::new(Effect::Orphan, words, move |store| async move {
            follows::unfollow(&store, from, to).await
        });
    }
    RepairStep::new(Effect::Source, words, move |store| async move {
        let member = from.to_string();
        store.drop_member(&Key::Following(from), &member).await?;
        store.drop_member(&Key::Followers(from), &member).await?;
        repair::rank(&store, from).await
    })
}
