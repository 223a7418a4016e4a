//! Accounts that are left or suspended, or wait to be let in: each plan to leave is in the schedule or has its task,
//! each applicant is in the queue, and sessions read the state of the account.

use crate::actions::account_states;
use crate::audit::invariants::prelude::*;

pub(in crate::audit) const LEAVING_IS_SCHEDULED: Invariant = Invariant::new(
    "leaving_is_scheduled",
    "the schedule holds exactly the accounts that are deleted later, and each deletion has its task",
);
pub(in crate::audit) const APPLICANTS_ARE_QUEUED: Invariant = Invariant::new(
    "applicants_are_queued",
    "the queue of applicants holds exactly the accounts with a request to join that waits",
);
pub(in crate::audit) const RESTRICTIONS_ARE_COPIED: Invariant = Invariant::new(
    "restrictions_are_copied",
    "sessions read whether an account is suspended, deactivated, frozen, waiting or refused",
);

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::User(user, _) => {
            check_restriction(exam, user);
            check_queue(exam, user).await?;
            check_plan(exam, user).await
        }
        Target::Key(key @ Key::PeopleLeaving) => {
            check_people(exam, LEAVING_IS_SCHEDULED, key).await
        }
        Target::Key(key @ Key::PeopleSweeping) => {
            check_people(exam, LEAVING_IS_SCHEDULED, key).await
        }
        Target::Key(key @ Key::PeopleWaiting) => {
            check_people(exam, APPLICANTS_ARE_QUEUED, key).await
        }
        _ => Ok(()),
    }
}

fn check_restriction(exam: &mut Examination<'_>, user: &UserSnapshot) {
    let id = user.id;
    exam.examined(RESTRICTIONS_ARE_COPIED, 1);
    let frozen = user.frozen.as_ref().map(|until| format!("frozen {until}"));
    let expected = user
        .state
        .restriction()
        .map(|restriction| restriction.to_string());
    let expected = expected.or(frozen.filter(|_| user.state == AccountState::Active));
    if user.restriction == expected {
        return;
    }
    let name = names::user(id);
    let text = format!("the sessions of {name} read a wrong state of the account");
    let fault = Fault::new(RESTRICTIONS_ARE_COPIED, Key::User(id), text);
    let words = format!("copied the state of the account of {name}");
    exam.found(fault.repair(words, move |store| async move {
        account_states::copy_restriction(&store, id).await
    }));
}

async fn check_queue(exam: &mut Examination<'_>, user: &UserSnapshot) -> Result<()> {
    let id = user.id;
    exam.examined(APPLICANTS_ARE_QUEUED, 1);
    let is_waiting = matches!(user.state, AccountState::Waiting { .. });
    let signup = UnixMs(user.signup_ms().unwrap_or_default() as u64);
    let place = Store::place_in_queue(id, signup);
    let what = match (is_waiting, exam.store.queued_place(id).await?) {
        (false, None) => return Ok(()),
        (true, Some(found)) if found == place => return Ok(()),
        (true, None) => "is missing in the queue of applicants",
        (true, Some(_)) => "has the wrong place in the queue of applicants",
        (false, Some(_)) => "does not wait, and is in the queue of applicants",
    };
    let name = names::user(id);
    let text = format!("{name} {what}");
    let fault = Fault::new(APPLICANTS_ARE_QUEUED, Key::User(id), text).unless(Key::User(id));
    let words = format!("brought the place of {name} in the queue in line");
    exam.found(fault.repair(words, move |store| async move {
        account_states::reconcile(&store, id).await.map(drop)
    }));
    Ok(())
}

async fn check_plan(exam: &mut Examination<'_>, user: &UserSnapshot) -> Result<()> {
    let id = user.id;
    exam.examined(LEAVING_IS_SCHEDULED, 1);
    let scheduled = exam.store.scheduled_deletion(id).await?;
    let what = match (user.leaving, scheduled) {
        (Leaving::Now, _) => "is being deleted without a task",
        (Leaving::No, None) => return Ok(()),
        (Leaving::At(time), Some(scheduled)) if time == scheduled => return Ok(()),
        (Leaving::At(_), None) => "is missing in the schedule of deletions",
        (Leaving::At(_), Some(_)) => "has the wrong time in the schedule of deletions",
        (Leaving::No, Some(_)) => "stays, and is in the schedule of deletions",
    };
    let name = names::user(id);
    let fault = Fault::new(
        LEAVING_IS_SCHEDULED,
        Key::User(id),
        format!("{name} {what}"),
    );
    let words = format!("brought the plan of {name} to leave in line");
    let mut fault = fault.unless(Key::User(id));
    let is_in_sweep = user.leaving == Leaving::Now && exam.store.is_in_sweep(id).await?;
    if is_in_sweep {
        // The task of a sweep names all who wait for it.
        fault = fault.unless(Key::PeopleSweeping);
    }
    exam.found(fault.repair(words, move |store| async move {
        if is_in_sweep {
            store.forget_sweep().await?;
        }
        if let Some(task) = account_states::reconcile(&store, id).await? {
            store.enqueue(&task).await?;
        }
        Ok(())
    }));
    Ok(())
}

/// Checks that a key holds existing people. Their scores are checked with them.
async fn check_people(exam: &mut Examination<'_>, of: Invariant, key: &Key) -> Result<()> {
    let mut members = Members::of(of, key, "user id");
    while let Some(rows) = members.rows(exam).await? {
        let users: Vec<UserId> = members.valid(exam, &rows);
        for (user, state) in users.iter().zip(exam.store.user_states(&users).await?) {
            if state != UserState::Exists {
                let fault = members.wrong_member(&names::user(*user), "who does not exist");
                exam.found(fault.repair_by(members.remove(user)));
            }
        }
    }
    Ok(())
}
