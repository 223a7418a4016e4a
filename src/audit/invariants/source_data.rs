//! Source data of users and statuses: nothing can replace a missing part. Ids only rise.

use super::prelude::*;

pub(super) const SOURCE_DATA_IS_COMPLETE: Invariant = Invariant::new(
    "source_data_is_complete",
    "users and statuses have all their fields, and ids only rise",
);

/// Maximum distance of a drawn id from all other ids and from the counter.
const LARGEST_GAP: u64 = 10_000;

pub(super) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::User(user, _) => check_user(exam, user),
        Target::UserWithoutLogin(user) => check_user_without_login(exam, user),
        Target::Statuses(statuses) => check_statuses(exam, statuses),
        Target::Site(ids) => check_counter(exam, *ids).await?,
        _ => {}
    }
    Ok(())
}

/// Checks the parts of a user. They cannot be invented; only the id follows from the key.
fn check_user(exam: &mut Examination<'_>, user: &UserSnapshot) {
    let id = user.id;
    exam.findings.ids.add(id.get());
    exam.examined(SOURCE_DATA_IS_COMPLETE, 1);
    let login = user.login.as_deref().and_then(Login::stored);
    let parts = [
        ("valid login", login.is_some()),
        ("name", user.name.is_some()),
        ("time of sign-up", user.signup_ms().is_some()),
        (
            "password or epoch",
            user.can_log_in || user.leaving == Leaving::Now,
        ),
    ];
    for (part, _) in parts.into_iter().filter(|(_, exists)| !exists) {
        exam.found(fault(id, &format!("has no {part}")));
    }
    if user.stated_id.as_deref() != Some(&id.to_string()) {
        let fault = fault(id, "has another id in their record");
        exam.found(fault.repair_by(repair::recount_user(id)));
    }
}

fn check_user_without_login(exam: &mut Examination<'_>, user: &UserSnapshot) {
    if user.gone {
        exam.findings.ids.add(user.id.get());
        return;
    }
    let fault = fault(user.id, "has neither a login nor a mark of removal");
    exam.found(fault.unless(Key::User(user.id)));
}

/// Checks that the last drawn id is between the newest living status and the largest possible id.
pub(super) fn check_last_id(
    exam: &mut Examination<'_>,
    user: &UserSnapshot,
    newest: u64,
    largest: u64,
) {
    let id = user.id;
    let last: Option<u64> = user.last_id.as_deref().and_then(|last| last.parse().ok());
    let what = match last {
        Some(last) if last > largest => "has a last id in the future",
        Some(last) if last >= newest => return,
        _ => "has a last id below their newest status",
    };
    let words = format!("set the last id of {} to {newest}", names::user(id));
    let fault = fault(id, what);
    exam.found(fault.repair(words, move |store| async move {
        store.repair_last_id(id, newest, largest).await
    }));
}

fn fault(id: UserId, what: &str) -> Fault {
    let text = format!("{} {what}", names::user(id));
    Fault::new(SOURCE_DATA_IS_COMPLETE, Key::User(id), text)
}

fn check_statuses(exam: &mut Examination<'_>, statuses: &[ExaminedStatus]) {
    for ExaminedStatus { id, stored, .. } in statuses {
        exam.examined(SOURCE_DATA_IS_COMPLETE, 1);
        let fault = |what: &str| {
            let text = format!("{} {what}", names::status(*id));
            let fault = Fault::new(SOURCE_DATA_IS_COMPLETE, Key::Status(*id), text);
            fault.unless(Key::Status(*id))
        };
        let revision = stored.revision.as_deref().unwrap_or("0");
        if !stored.deleted && revision != stored.versions.to_string() {
            let fault = fault("does not have all its earlier versions");
            let detail = format!("edited {revision} times, has {} versions", stored.versions);
            exam.found(fault.detail(detail));
        }
        let is_whole = stored.is_whole
            && !stored.lacks_thread
            && stored.stated_id.as_deref() == Some(&id.to_string());
        let is_wrong = stored.author.is_none() || stored.is_wrongly_hidden;
        if is_wrong || !stored.deleted && !is_whole {
            exam.found(fault("lacks a field or contains another id"));
        }
    }
}

/// Checks that the counter of user ids has reached the largest id met. A failover may turn it back, and
/// used ids would be drawn. The counter ignores an id far above all others: it was never drawn, and the
/// counter could not be turned back.
async fn check_counter(exam: &mut Examination<'_>, ids: UserIds) -> Result<()> {
    exam.examined(SOURCE_DATA_IS_COMPLETE, 1);
    let last = exam.store.last_user().await?;
    let Ok(largest) = UserId::new(ids.largest) else {
        return Ok(());
    };
    if last >= largest.get() {
        return Ok(());
    }
    let text = "the counter of user ids is too low";
    let fault = Fault::new(SOURCE_DATA_IS_COMPLETE, Subject::Site(ids), text);
    let mut fault = fault.detail(format!("it is {last}, the largest user id is {largest}"));
    if largest.get() - last.max(ids.second) <= LARGEST_GAP {
        let words = format!("raised the counter of user ids to {largest}");
        fault = fault.repair(words, move |store| async move {
            store.raise_user_counter(largest).await
        });
    }
    exam.found(fault);
    Ok(())
}
