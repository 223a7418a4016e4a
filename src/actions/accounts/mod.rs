//! Accounts: sign-up, log-in, passwords and settings.

pub mod account_deletion;
pub mod account_states;
pub mod administration;
pub mod approvals;
pub mod device_log_ins;
pub mod invitations;
pub mod passwords;
mod profiles;
pub mod recovery;
pub mod rename;

use self::administration::RoleEffects;
pub use self::profiles::{edit_profile, save_profile};
use crate::{
    actions::{
        invitations::Entry,
        operations::{Reconciled, after_truth, reconcile_copies},
        passwords::{HashError, Hasher, Verdict},
        prelude::*,
        search::{self, Former},
    },
    domain::{Correspondents, DisplayName, Login, Password, Visibility, Zone},
    store::{Claim, Draft, EpochChange, LoginHolder},
};

/// Maximum number of user ids drawn per sign-up. More than one is needed only after a failover.
const DRAWS: usize = 16;

/// A person who signs up.
pub struct NewAccount {
    pub login: Login,
    pub name: DisplayName,
    /// PHC string, from [`Hasher::hash`].
    pub password_hash: String,
    pub idempotency_key: IdempotencyKey,
    pub entry: Entry,
}

/// The person and epoch of a log-in. A session holds both and ends when the epoch changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    pub uid: UserId,
    pub epoch: String,
}

#[derive(Debug, PartialEq, Eq)]
pub enum SignUp {
    Created(Credentials),
    LoginTaken,
    /// The invitation was used, revoked or has ended, or the site is set up already.
    NotAdmitted,
    /// The same form created the account before. A person who sends it again logs in with its password.
    Again,
}

#[derive(Debug)]
pub enum ChangePassword {
    /// Every session has ended. The requesting one starts again with these credentials.
    Changed(Credentials),
    Wrong,
    /// Password or epoch changed while the passwords were hashed. The requesting session has ended.
    LoggedOut,
}

/// Creates a user: listing 8.1 of the book. SET NX of the login is the commit, instead of a lock (the
/// book's lock stays held if the login exists). Until then the account is invisible. If another account
/// has the login, this one is removed. The same form sent again gets a message and opens nothing without
/// the password.
pub async fn sign_up(store: &Store, account: NewAccount) -> Result<SignUp> {
    let call = store.begin().await?;
    call.finish(sign_up_steps(store, &call, &account).await)
        .await
}

async fn sign_up_steps(store: &Store, call: &Call, account: &NewAccount) -> Result<SignUp> {
    match store.login_holder(&account.login).await? {
        LoginHolder::User(holder) => return answer_again(store, call, account, holder).await,
        LoginHolder::Reserved => return Ok(SignUp::LoginTaken),
        LoginHolder::Free => {}
    }
    let epoch = draw_epoch();
    let draft = Draft {
        login: &account.login,
        name: &account.name,
        password_hash: &account.password_hash,
        epoch: &epoch,
        idempotency_key: &account.idempotency_key,
        admission: account.entry.admission(),
        application: account.entry.application(),
        is_newcomer: account.entry.makes_newcomer(store).await?,
    };
    for _ in 0..DRAWS {
        let uid = store.draw_user().await?;
        let outbox_entry = store
            .add_outbox_entry(&Thing::Account(uid, account.login.clone()))
            .await?;
        if store.claim_user(call, uid, &draft).await? == Claim::Taken {
            store.remove_outbox_entry(outbox_entry).await?;
            continue;
        }
        if !account.entry.claim(store, call, uid).await? {
            store.remove_user(uid).await?;
            store.remove_outbox_entry(outbox_entry).await?;
            return answer_not_admitted(store, call, account).await;
        }
        let holder = store.commit_login(call, &account.login, uid).await?;
        let steps = async {
            complete_sign_up(store, call, uid, &account.login).await?;
            store.remove_outbox_entry(outbox_entry).await?;
            Ok(Reconciled::Yes)
        };
        after_truth(call, steps.await)?;
        if holder == uid {
            return Ok(SignUp::Created(Credentials { uid, epoch }));
        }
        return answer_again(store, call, account, holder).await;
    }
    Err(Error::Unavailable("no free user id was drawn".into()))
}

/// Answers a sign-up after its invitation was used. An earlier call with this form may have used it.
async fn answer_not_admitted(store: &Store, call: &Call, account: &NewAccount) -> Result<SignUp> {
    match store.holder(&account.login).await? {
        Some(holder) => match answer_again(store, call, account, holder).await? {
            SignUp::Again => Ok(SignUp::Again),
            _ => Ok(SignUp::NotAdmitted),
        },
        None => Ok(SignUp::NotAdmitted),
    }
}

/// Answers a sign-up with a login that is in use. The owner is another person, or an earlier call with
/// this form that did not see its commit confirmed.
async fn answer_again(
    store: &Store,
    call: &Call,
    account: &NewAccount,
    holder: UserId,
) -> Result<SignUp> {
    let auth = store.auth(holder).await?;
    if auth.is_none_or(|auth| auth.idempotency_key != account.idempotency_key.as_str()) {
        return Ok(SignUp::LoginTaken);
    }
    store.commit_login(call, &account.login, holder).await?;
    Ok(SignUp::Again)
}

/// Completes a sign-up: writes the derived copies if the login names the account, else removes the
/// account. The sign-up calls it after the commit, and its outbox entry calls it later than any commit
/// can happen.
pub async fn reconcile(store: &Store, uid: UserId, login: &Login) -> Result<()> {
    let call = store.begin().await?;
    call.finish(complete_sign_up(store, &call, uid, login).await)
        .await
}

async fn complete_sign_up(store: &Store, call: &Call, uid: UserId, login: &Login) -> Result<()> {
    if store.holder(login).await? != Some(uid) {
        invitations::release(store, uid).await?;
        return store.remove_user(uid).await;
    }
    let plan = store.account_plan(uid).await?;
    if plan.has_claim {
        invitations::use_up(store, uid).await?;
    }
    match plan.is_waiting {
        // Those who wait are not suggested.
        true => account_states::queue_applicant(store, call, uid).await?,
        false => store.place_among_newest(uid, plan.signup).await?,
    }
    if store.role(uid).await?.is_some() {
        let effects = &RoleEffects(uid);
        reconcile_copies(store, call, effects, None).await?;
    }
    match search::reconcile_names(store, call, uid, Former::Forgotten).await? {
        Reconciled::Yes => Ok(()),
        Reconciled::No => store.enqueue(&Task::Reconcile(Thing::Names(uid))).await,
    }
}

/// Checks a password. Returns `None` for a wrong password and for an unknown login, after the same work.
/// A hash with weaker parameters than today's is replaced. Fails with [`HashError::Busy`] if too many checks
/// are waiting.
pub async fn log_in(
    store: &Store,
    hasher: &Hasher,
    login: &str,
    password: &str,
) -> std::result::Result<Option<Credentials>, HashError> {
    let uid = match Login::stored(login) {
        Some(login) => store.holder(&login).await?,
        None => None,
    };
    let auth = store.auth(uid.unwrap_or(UserId::NOBODY)).await?;
    let Some(candidate) = Password::candidate(password) else {
        return Ok(None);
    };
    let hash = auth.as_ref().map(|auth| auth.hash.as_str());
    let verdict = hasher.verify(candidate.as_bytes(), hash).await?;
    let (Some(uid), Some(auth)) = (uid, auth.filter(|_| verdict != Verdict::Wrong)) else {
        return Ok(None);
    };
    if verdict == Verdict::RightButOutdated {
        let new = hasher.hash(&candidate).await?;
        let call = store.begin().await?;
        let set = store.set_password(&call, uid, &auth.hash, &new, None);
        call.finish(set.await).await?;
    }
    let epoch = auth.epoch;
    Ok(Some(Credentials { uid, epoch }))
}

/// Changes a password and ends every session, including the requesting one. Fails if the epoch changed
/// since the session was loaded.
pub async fn change_password(
    store: &Store,
    hasher: &Hasher,
    Credentials { uid, epoch }: Credentials,
    current: &str,
    new: &Password,
) -> std::result::Result<ChangePassword, HashError> {
    let Some(auth) = store.auth(uid).await? else {
        return Ok(ChangePassword::LoggedOut);
    };
    let Some(current) = Password::candidate(current) else {
        return Ok(ChangePassword::Wrong);
    };
    if hasher.verify(current.as_bytes(), Some(&auth.hash)).await? == Verdict::Wrong {
        return Ok(ChangePassword::Wrong);
    }
    let hash = hasher.hash(new).await?;
    let new_epoch = draw_epoch();
    let epoch_change = EpochChange {
        from: &epoch,
        to: &new_epoch,
    };
    let call = store.begin().await?;
    let set = store
        .set_password(&call, uid, &auth.hash, &hash, Some(epoch_change))
        .await;
    if !call.finish(set).await? {
        return Ok(ChangePassword::LoggedOut);
    }
    forget_sessions(store, uid).await;
    let epoch = new_epoch;
    Ok(ChangePassword::Changed(Credentials { uid, epoch }))
}

/// Ends every session of a person at once by replacing their epoch. Returns the credentials with the new
/// one. A session that has ended meanwhile ends nothing.
pub async fn log_out_everywhere(store: &Store, actor: impl Into<Actor>) -> Result<Credentials> {
    let actor = actor.into();
    let (uid, epoch) = (actor.id(), draw_epoch());
    let call = store.begin().await?;
    call.finish(store.new_epoch(&call, &actor, &epoch).await)
        .await?;
    forget_sessions(store, uid).await;
    Ok(Credentials { uid, epoch })
}

/// Sets the visibility that the actor's composer offers first. `None`: that of the last post.
pub async fn set_default_visibility(
    store: &Store,
    actor: impl Into<Actor>,
    visibility: Option<Visibility>,
) -> Result<()> {
    let actor = actor.into();
    let call = store.begin().await?;
    let set = store.set_default_visibility(&call, &actor, visibility);
    call.finish(set.await).await
}

/// Sets whether the actor's profile shows the favourites to others.
pub async fn set_favourites_shown(
    store: &Store,
    actor: impl Into<Actor>,
    are_shown: bool,
) -> Result<()> {
    let actor = actor.into();
    let call = store.begin().await?;
    let set = store.set_favourites_shown(&call, &actor, are_shown);
    call.finish(set.await).await
}

/// Sets the time zone in which pages show the actor full times.
pub async fn set_zone(store: &Store, actor: impl Into<Actor>, zone: &Zone) -> Result<()> {
    let actor = actor.into();
    let call = store.begin().await?;
    let set = store.set_zone(&call, &actor, zone);
    call.finish(set.await).await
}

/// Deletes the sessions that a new epoch has ended. They expire anyway, and the epoch is written, so a failure is no
/// error of the operation.
pub(super) async fn forget_sessions(store: &Store, of: UserId) {
    if let Err(error) = store.clear_sessions(of).await {
        tracing::debug!(%error, "ended sessions were not deleted");
    }
}

/// The changed choices of a person about messages. `None` keeps the stored value.
#[derive(Debug, Clone, Copy)]
pub struct MessageSettings {
    /// The people who may begin a chat with them alone, and one with several people.
    pub from: Option<Correspondents>,
    pub group_from: Option<Correspondents>,
    pub shows_read_marks: Option<bool>,
}

/// Stores the choices of the actor about messages. Each can be stored again.
pub async fn set_message_settings(
    store: &Store,
    actor: impl Into<Actor>,
    settings: MessageSettings,
) -> Result<()> {
    let actor = actor.into();
    let MessageSettings {
        from,
        group_from,
        shows_read_marks,
    } = settings;
    let call = store.begin().await?;
    let steps = async {
        store
            .set_correspondents(&call, &actor, (from, group_from))
            .await?;
        match shows_read_marks {
            Some(are_shown) => store.set_read_marks(&call, &actor, are_shown).await,
            None => Ok(()),
        }
    };
    call.finish(steps.await).await
}

/// Random, never a counter: a failover that loses the last epoch cannot revive an older session.
pub(in crate::actions) fn draw_epoch() -> String {
    format!("{:032x}", rand::random::<u128>())
}
