//! Logins: each names the user who has it or had it before, and each user is named by these logins.

use crate::actions::accounts;
use crate::audit::invariants::prelude::*;

pub(in crate::audit) const LOGINS_MATCH_USERS: Invariant = Invariant::new(
    "logins_match_users",
    "each login names the one user who has it or had it, and sessions read the present one",
);

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::User(user, _) => check_user(exam, user).await,
        Target::Logins(logins) => check_logins(exam, logins).await,
        _ => Ok(()),
    }
}

/// Checks logins, all in three round trips.
async fn check_logins(exam: &mut Examination<'_>, logins: &[Login]) -> Result<()> {
    let stored = exam.store.holders(logins).await?;
    let named = stored.iter().map(|text| text.as_ref()?.parse().ok());
    let named: Vec<Option<UserId>> = named.collect();
    let known: Vec<UserId> = named.iter().copied().flatten().collect();
    let states = exam.store.user_states(&known).await?;
    let histories = exam.store.login_histories(&known).await?;
    let mut found = states.into_iter().zip(histories);
    for ((login, stored), named) in logins.iter().zip(stored).zip(named) {
        // The login of a deleted account names no one.
        let Some(stored) = stored.filter(|stored| stored != RESERVED_LOGIN) else {
            continue;
        };
        exam.examined(LOGINS_MATCH_USERS, 1);
        let key = Key::Login(login.clone());
        let fault = |what: &str| {
            let text = format!("the login {login} names {what}");
            Fault::new(LOGINS_MATCH_USERS, &key, text).unless(key.clone())
        };
        let release = release_login(login.clone(), stored);
        let Some((id, (state, theirs))) = named.and_then(|id| Some((id, found.next()?))) else {
            exam.found(fault("no user id").repair_by(release));
            continue;
        };
        let (why, repair) = match state {
            UserState::Missing => ("who does not exist", Some(release)),
            UserState::Incomplete => ("whose account is incomplete", None),
            UserState::Exists if theirs.is_some_and(|theirs| theirs.has_had(login)) => continue,
            UserState::Exists => ("who has another login", Some(release)),
        };
        let what = format!("{}, {why}", names::user(id));
        exam.found(fault(&what).unless(Key::User(id)).repair_by(repair));
    }
    Ok(())
}

/// Checks the login of a user. A sign-up without a login has an outbox entry. A user without either had
/// the login and gets it back. If another user owns it, this sign-up came second. (A failover may lose
/// the outbox entry of an unanswered sign-up; that sign-up is completed.)
async fn check_user(exam: &mut Examination<'_>, user: &UserSnapshot) -> Result<()> {
    let id = user.id;
    let Some(login) = user.login.as_deref().and_then(Login::stored) else {
        return Ok(());
    };
    if user.leaving == Leaving::Now {
        return Ok(());
    }
    check_change(exam, user, &login);
    let former = user.former_logins.iter().map(|former| &former.login);
    let logins: Vec<Login> = former.chain([&login]).cloned().collect();
    exam.examined(LOGINS_MATCH_USERS, logins.len());
    let holders = exam.store.holders(&logins).await?;
    for (login, holder) in logins.into_iter().zip(holders) {
        if holder.as_deref() != Some(&id.to_string()) {
            check_holder(exam, user, login, holder).await?;
        }
    }
    Ok(())
}

/// Checks that a change of the login has its outbox entry, and the copy that sessions read.
fn check_change(exam: &mut Examination<'_>, user: &UserSnapshot, login: &Login) {
    let (id, name) = (user.id, names::user(user.id));
    let fault =
        |what: &str| Fault::new(LOGINS_MATCH_USERS, Key::User(id), format!("{name} {what}"));
    if let Some(renaming) = user.renaming.clone() {
        let words = format!("completed the change of the login of {name}");
        let repair = repair::reconcile(words, Thing::Rename(id, renaming));
        let fault = fault("has an unfinished change of the login");
        exam.found(fault.unless(Key::User(id)).repair_by(repair));
    }
    let expected = user.has_renamed.then(|| login.as_str());
    if user.login_copy.as_deref() != expected {
        let words = format!("copied the login of {name}");
        let fault = fault("has sessions that read another login");
        exam.found(fault.repair(
            words,
            move |store| async move { store.copy_login(id).await },
        ));
    }
}

/// Reports a login that does not name the user who has it or had it.
async fn check_holder(
    exam: &mut Examination<'_>,
    user: &UserSnapshot,
    login: Login,
    holder: Option<String>,
) -> Result<()> {
    let id = user.id;
    let is_empty = user.cardinalities == [0; 4];
    let repair = match holder.as_deref().map(str::parse::<UserId>) {
        None => Some(give_login_back(id, login.clone())),
        Some(Ok(holder)) if has_login(exam, holder, &login).await? => {
            is_empty.then(|| undo_sign_up(id, login.clone()))
        }
        Some(_) => Some(release_login(login.clone(), holder.unwrap_or_default())),
    };
    let name = names::user(id);
    let text = format!("{name} has the login {login}, which does not name them");
    let fault = Fault::new(LOGINS_MATCH_USERS, Key::User(id), text);
    let fault = fault.unless(Key::User(id)).unless(Key::Login(login));
    exam.found(fault.repair_by(repair));
    Ok(())
}

async fn has_login(exam: &mut Examination<'_>, id: UserId, login: &Login) -> Result<bool> {
    let theirs = exam.store.login_history(id).await?;
    Ok(theirs.is_some_and(|theirs| theirs.has_had(login)))
}

/// Frees a login that names a user with another login.
fn release_login(login: Login, stored: String) -> RepairStep {
    let words = format!("released the login {login}, which named {stored}");
    let repair = RepairStep::new(words, move |store| async move {
        store.release_login(&login, &stored).await
    });
    repair.with_effect(Effect::Orphan)
}

fn give_login_back(id: UserId, login: Login) -> RepairStep {
    let words = format!("gave the login {login} back to {}", names::user(id));
    RepairStep::new(words, move |store| async move {
        let call = store.begin().await?;
        let given = store.commit_login(&call, &login, id).await;
        call.finish(given).await.map(drop)
    })
}

/// Removes a sign-up that came second and has no data.
fn undo_sign_up(id: UserId, login: Login) -> RepairStep {
    let words = format!("removed user {id}, whose sign-up as {login} came second");
    let repair = RepairStep::new(words, move |store| async move {
        accounts::reconcile(&store, id, &login).await
    });
    repair.with_effect(Effect::Orphan)
}
