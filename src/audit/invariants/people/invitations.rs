//! Invitations: `invited` holds exactly the people with accounts that name the inviter. Unused ones are codes.

use crate::audit::invariants::prelude::*;
use crate::{domain::Admission, store::StoredInvitation};

pub(in crate::audit) const INVITED_MIRROR: Invariant = Invariant::new(
    "invited_mirror",
    "people who came by an invitation and `invited` of their inviter match",
);

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    let Target::User(user, _) = exam.target else {
        return Ok(());
    };
    check_admission(exam, user.id).await?;
    check_invited(exam, user.id).await?;
    check_codes(exam, &Key::Invitations(user.id)).await
}

/// Checks that the inviter of a person knows them.
async fn check_admission(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
    let admission = exam.store.admission(id).await?;
    let Some(inviter) = admission.as_ref().and_then(Admission::inviter) else {
        return Ok(());
    };
    exam.examined(INVITED_MIRROR, 1);
    let state = exam.store.user_states(&[inviter]).await?.pop();
    let entry = (Key::Invited(inviter), id);
    let known = exam.store.contain_each([entry]).await?.pop();
    if state != Some(UserState::Exists) || known == Some(true) {
        return Ok(());
    }
    let (person, by) = (names::user(id), names::user(inviter));
    let text = format!("{person} was invited by {by} and is missing in `invited`");
    let fault = Fault::new(INVITED_MIRROR, Key::User(id), text).unless(Key::User(id));
    let words = format!("added {person} to the people that {by} invited");
    exam.found(fault.repair(words, move |store| async move {
        store.add_invited(inviter, id).await
    }));
    Ok(())
}

/// Checks that each person came by an invitation of this user.
async fn check_invited(exam: &mut Examination<'_>, inviter: UserId) -> Result<()> {
    let mut members = Members::of(INVITED_MIRROR, &Key::Invited(inviter), "user id");
    while let Some(people) = members.related::<UserId>(exam).await? {
        let states = exam.store.user_states(&people).await?;
        for (person, state) in people.into_iter().zip(states) {
            // A removed account has no admission, and stays in the tree of its inviter.
            if state == UserState::Missing {
                continue;
            }
            let admission = exam.store.admission(person).await?;
            if admission.and_then(|one| one.inviter()) != Some(inviter) {
                let fault = members.wrong_member(&names::user(person), "not invited by them");
                let fault = fault.unless(Key::User(person));
                exam.found(fault.repair_by(members.remove(person)));
            }
        }
    }
    Ok(())
}

/// Checks that unused invitations are codes.
async fn check_codes(exam: &mut Examination<'_>, key: &Key) -> Result<()> {
    let mut members = Members::of(INVITED_MIRROR, key, "code");
    while let Some(rows) = members.rows(exam).await? {
        members.valid::<StoredInvitation>(exam, &rows);
    }
    Ok(())
}
