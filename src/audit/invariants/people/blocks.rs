//! Blocks: both sides mirror each other and name existing users, and no follow connects two people if one
//! blocks the other.

use crate::actions::blocks;
use crate::audit::invariants::prelude::*;

pub(in crate::audit) const BLOCKS_MIRROR: Invariant = Invariant::new(
    "blocks_mirror",
    "blocked and blocked_by mirror each other, between existing users",
);

pub(in crate::audit) const BLOCKS_SEPARATE: Invariant = Invariant::new(
    "blocks_separate",
    "no follow connects a user with a blocked one",
);

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    if let Target::User(user, _) = exam.target {
        check_blocked(exam, user.id).await?;
        check_blocked_by(exam, user.id).await?;
    }
    Ok(())
}

async fn check_blocked(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
    let mut members = Members::of(BLOCKS_MIRROR, &Key::Blocked(id), "user id");
    while let Some(others) = members.related(exam).await? {
        check_follows(exam, id, &others).await?;
        let mirrors = others.iter().map(|other| (Key::BlockedBy(*other), id));
        let mirrored = exam.store.contain_each(mirrors).await?;
        let states = exam.store.user_states(&others).await?;
        for ((other, mirrored), state) in others.into_iter().zip(mirrored).zip(states) {
            let name = names::user(other);
            let (what, repair) = match state {
                _ if other == id => ("themselves".to_owned(), Some(members.remove(id))),
                UserState::Missing => {
                    let what = format!("{name}, who does not exist");
                    (what, Some(clear_block(id, other)))
                }
                UserState::Incomplete => (format!("{name}, whose account is incomplete"), None),
                UserState::Exists if !mirrored => {
                    let what = format!("{name}, whose blocked_by does not contain them");
                    (what, Some(reconcile_block(id, other)))
                }
                UserState::Exists => continue,
            };
            let fault = members.fault(format!("{} blocks {what}", names::user(id)));
            let fault = fault.unless((Key::Blocked(id), other));
            exam.found(fault.unless(Key::User(other)).repair_by(repair));
        }
    }
    Ok(())
}

/// Checks that none of these people, whom the user blocks, follows the user or is followed.
async fn check_follows(exam: &mut Examination<'_>, id: UserId, others: &[UserId]) -> Result<()> {
    exam.examined(BLOCKS_SEPARATE, others.len());
    for followed in [true, false] {
        let follow = |other: &UserId| match followed {
            true => (Key::Following(id), *other),
            false => (Key::Following(*other), id),
        };
        let found = exam.store.contain_each(others.iter().map(follow)).await?;
        for (other, _) in others.iter().zip(found).filter(|(_, found)| *found) {
            let (by, name) = (names::user(id), names::user(*other));
            let text = match followed {
                true => format!("{by} blocks {name} and follows them"),
                false => format!("{by} blocks {name}, who follows them"),
            };
            let fault = Fault::new(BLOCKS_SEPARATE, Key::Blocked(id), text);
            let fault = fault.unless((Key::Blocked(id), *other));
            exam.found(fault.repair_by(reconcile_block(id, *other)));
        }
    }
    Ok(())
}

async fn check_blocked_by(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
    let members = Members::of(BLOCKS_MIRROR, &Key::BlockedBy(id), "user id");
    let mirror = |other: &UserId| (Key::Blocked(*other), id);
    let fault = |members: &Members, other: UserId| {
        let repair = if other == id {
            members.remove(id)
        } else {
            reconcile_block(other, id)
        };
        let fault = members.wrong_member(&names::user(other), "who does not block them");
        fault.repair_by(repair)
    };
    members.check_mirror(exam, mirror, fault).await
}

fn reconcile_block(by: UserId, blocked: UserId) -> RepairStep {
    let words = format!(
        "made everything between {} and {} match whether the former blocks the latter",
        names::user(by),
        names::user(blocked)
    );
    repair::reconcile(words, Relation::Block(by, blocked))
}

/// Removes the block of a missing user.
fn clear_block(by: UserId, blocked: UserId) -> RepairStep {
    let words = format!(
        "removed the block of {} by {}",
        names::user(blocked),
        names::user(by)
    );
    let unblock = move |store| async move { blocks::unblock(&store, by, blocked).await };
    RepairStep::new(words, unblock).with_effect(Effect::Orphan)
}
