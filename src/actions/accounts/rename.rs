//! The change of a login. The new login is claimed between two steps in the person's slot, which decide. So one change
//! is under way at a time, and a login that was claimed for a change that failed is freed again.

use crate::{
    actions::{
        accounts::Credentials,
        operations::{Reconciled, after_truth, continue_with},
        passwords::{HashError, Hasher, Verdict},
        prelude::*,
        search::{self, Former},
    },
    domain::{Login, Password},
    store::{BeginRename, FinishRename, LoginChange, LoginHolder, TakeOverRename},
};

/// Outcome of changing one's login.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rename {
    Renamed,
    /// The login is in use, or reserved.
    Taken,
    /// The last change is too recent.
    TooSoon,
    /// The person has had too many logins.
    TooMany,
    /// Another change is under way, or this one was cancelled.
    UnderWay,
    WrongPassword,
    /// Password or epoch changed while the password was checked.
    LoggedOut,
}

/// Changes the login of a person who knows the password. The former one leads to the person for a year.
pub async fn rename(
    store: &Store,
    hasher: &Hasher,
    Credentials { uid, epoch }: Credentials,
    password: &str,
    login: &Login,
) -> std::result::Result<Rename, HashError> {
    let Some(auth) = store.auth(uid).await? else {
        return Ok(Rename::LoggedOut);
    };
    let Some(password) = Password::candidate(password) else {
        return Ok(Rename::WrongPassword);
    };
    if hasher.verify(password.as_bytes(), Some(&auth.hash)).await? == Verdict::Wrong {
        return Ok(Rename::WrongPassword);
    }
    match change_login(store, Actor::in_session(uid, epoch), login).await {
        Err(Error::Ended) => Ok(Rename::LoggedOut),
        outcome => Ok(outcome?),
    }
}

/// Changes the login of a person.
pub async fn change_login(store: &Store, actor: impl Into<Actor>, login: &Login) -> Result<Rename> {
    let actor = &actor.into();
    let change = LoginChange {
        actor,
        login,
        token: format!("{:032x}", rand::random::<u128>()),
    };
    let call = &store.begin().await?;
    call.finish(change_steps(store, call, &change).await).await
}

/// After an error the outbox entry stays and cancels the change, or completes it.
async fn change_steps(store: &Store, call: &Call, change: &LoginChange<'_>) -> Result<Rename> {
    let person = change.actor.id();
    match store.login_holder(change.login).await? {
        LoginHolder::User(holder) if holder != person => return Ok(Rename::Taken),
        LoginHolder::Reserved => return Ok(Rename::Taken),
        LoginHolder::User(_) | LoginHolder::Free => {}
    }
    let thing = Thing::Rename(person, change.login.clone());
    let entry = store.add_outbox_entry(&thing).await?;
    let refusal = match store.begin_rename(call, change).await? {
        BeginRename::Begun => None,
        BeginRename::TooSoon => Some(Rename::TooSoon),
        BeginRename::TooMany => Some(Rename::TooMany),
        BeginRename::UnderWay => Some(Rename::UnderWay),
        BeginRename::Unknown => Some(Rename::LoggedOut),
    };
    if let Some(refusal) = refusal {
        store.remove_outbox_entry(entry).await?;
        return Ok(refusal);
    }
    if store.commit_login(call, change.login, person).await? != person {
        let token = change.token.clone();
        store.cancel_rename(person, change.login, token).await?;
        store.remove_outbox_entry(entry).await?;
        return Ok(Rename::Taken);
    }
    if store.finish_rename(call, change).await? == FinishRename::Refused {
        return Ok(Rename::UnderWay);
    }
    let names = async {
        let reconciled = search::reconcile_names(store, call, person, Former::Kept).await?;
        if reconciled == Reconciled::Yes {
            store.remove_outbox_entry(entry).await?;
        }
        Ok(reconciled)
    };
    after_truth(call, names.await)?;
    Ok(Rename::Renamed)
}

/// Completes a change of a login: frees the login if it was claimed and the change was not made. Returns the task that
/// continues, if any.
pub async fn reconcile(store: &Store, person: UserId, login: &Login) -> Result<Option<Task>> {
    let call = &store.begin().await?;
    let task = Task::Reconcile(Thing::Rename(person, login.clone()));
    continue_with(call, task, complete(store, call, person, login)).await
}

/// A change to the same login that is sent again meanwhile would claim it before it is freed. So it cannot begin
/// until this one is over.
async fn complete(store: &Store, call: &Call, person: UserId, login: &Login) -> Result<Reconciled> {
    if store.take_over_rename(call, person, login).await? == TakeOverRename::Other {
        return Ok(Reconciled::No);
    }
    let history = store.login_history(person).await?;
    let is_theirs = history.is_some_and(|history| history.has_had(login));
    if !is_theirs {
        store.free_login(call, login, person).await?;
    }
    store.end_take_over(call, person, login).await?;
    search::reconcile_names(store, call, person, Former::Forgotten).await
}
