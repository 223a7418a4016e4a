//! Requests to follow private accounts: both sides mirror each other and name existing users, and no one asks to
//! follow a person that they already follow, or while one of both blocks the other.

use crate::actions::follow_requests;
use crate::audit::invariants::prelude::*;

pub(in crate::audit) const REQUESTS_MIRROR: Invariant = Invariant::new(
    "requests_mirror",
    "requested and requests mirror each other, between existing users who do not follow yet",
);

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    if let Target::User(user, _) = exam.target {
        check_requested(exam, user.id).await?;
        check_requests(exam, user.id).await?;
    }
    Ok(())
}

async fn check_requested(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
    let mut members = Members::of(REQUESTS_MIRROR, &Key::Requested(id), "user id");
    while let Some(others) = members.related(exam).await? {
        let sides = others.iter().flat_map(|other| {
            [
                (Key::Requests(*other), id),
                (Key::Following(id), *other),
                (Key::Blocked(id), *other),
                (Key::BlockedBy(id), *other),
            ]
        });
        let sides = exam.store.contain_each(sides).await?;
        let states = exam.store.user_states(&others).await?;
        for ((other, sides), state) in others.into_iter().zip(sides.chunks(4)).zip(states) {
            let name = names::user(other);
            let (what, repair) = match (state, sides) {
                _ if other == id => ("themselves".to_owned(), Some(members.remove(id))),
                (UserState::Missing, _) => {
                    let what = format!("{name}, who does not exist");
                    (what, Some(clear_request(id, other)))
                }
                (UserState::Incomplete, _) => {
                    (format!("{name}, whose account is incomplete"), None)
                }
                (UserState::Exists, [_, true, ..]) => {
                    let what = format!("{name}, whom they follow");
                    (what, Some(clear_request(id, other)))
                }
                (UserState::Exists, [_, _, true, _] | [_, _, _, true]) => {
                    let what = format!("{name}, although one of them blocks the other");
                    (what, Some(clear_request(id, other)))
                }
                (UserState::Exists, [false, ..]) => {
                    let what = format!("{name}, whose requests do not contain them");
                    (what, Some(reconcile_request(id, other)))
                }
                (UserState::Exists, _) => continue,
            };
            let fault = members.fault(format!("{} asks to follow {what}", names::user(id)));
            let fault = fault.unless((Key::Requested(id), other));
            exam.found(fault.unless(Key::User(other)).repair_by(repair));
        }
    }
    Ok(())
}

async fn check_requests(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
    let members = Members::of(REQUESTS_MIRROR, &Key::Requests(id), "user id");
    let mirror = |other: &UserId| (Key::Requested(*other), id);
    let fault = |members: &Members, other: UserId| {
        let repair = if other == id {
            members.remove(id)
        } else {
            reconcile_request(other, id)
        };
        let fault = members.wrong_member(&names::user(other), "who does not ask to follow them");
        fault.repair_by(repair)
    };
    members.check_mirror(exam, mirror, fault).await
}

fn reconcile_request(from: UserId, to: UserId) -> RepairStep {
    let (from_name, to_name) = (names::user(from), names::user(to));
    let words = format!("made requests of {to_name} match whether {from_name} asks to follow them");
    repair::reconcile(words, Relation::FollowRequest(from, to))
}

/// Removes a request that leads nowhere.
fn clear_request(from: UserId, to: UserId) -> RepairStep {
    let (from_name, to_name) = (names::user(from), names::user(to));
    let words = format!("removed the request of {from_name} to follow {to_name}");
    let withdraw = move |store| async move {
        let withdrawn = follow_requests::withdraw(&store, from, to).await;
        withdrawn.map(drop)
    };
    RepairStep::new(words, withdraw).with_effect(Effect::Orphan)
}
