//! Recovery of an account after its password is forgotten: by a recovery code, or by a link that the host makes.

use crate::{
    actions::{
        accounts::{Credentials, draw_epoch, forget_sessions},
        passwords::{HashError, Hasher, Verdict},
        prelude::*,
    },
    domain::{Login, Password, RECOVERY_CODES, SecretCode, SecretLink, UnixMs},
};

type HashResult<T> = std::result::Result<T, HashError>;

/// Makes new recovery codes for the actor, which replace the old ones. `None` if the password is wrong.
pub async fn make_codes(
    store: &Store,
    hasher: &Hasher,
    actor: Actor,
    password: &str,
) -> HashResult<Option<Vec<SecretCode>>> {
    let auth = store.auth(actor.id()).await?;
    let Some(candidate) = Password::candidate(password) else {
        return Ok(None);
    };
    let hash = auth.as_ref().map(|auth| auth.hash.as_str());
    if hasher.verify(candidate.as_bytes(), hash).await? == Verdict::Wrong {
        return Ok(None);
    }
    let codes: Vec<SecretCode> = std::iter::repeat_with(SecretCode::draw)
        .take(RECOVERY_CODES)
        .collect();
    let digests = codes.iter().map(|code| code.digest(actor.id())).collect();
    let call = store.begin().await?;
    let set = store.set_recovery_codes(&call, &actor, digests).await;
    call.finish(set).await?;
    Ok(Some(codes))
}

/// Sets a new password by a recovery code, which is used up, and ends every session. `None` for an unknown login,
/// a wrong code and a used one, after the same work.
pub async fn recover(
    store: &Store,
    hasher: &Hasher,
    (login, code): (&str, &str),
    new: &Password,
) -> HashResult<Option<Credentials>> {
    let secret = secret_of(store, (login, code)).await?;
    reset(store, hasher, &secret, new).await
}

/// Returns the person whose account this code recovers, if it is valid.
pub async fn owner_of_code(store: &Store, code: (&str, &str)) -> Result<Option<UserId>> {
    let secret = secret_of(store, code).await?;
    let digest = secret.digest();
    let is_valid = store.is_recovery_code_valid(secret.user, &digest).await?;
    Ok(is_valid.then_some(secret.user))
}

/// Returns the secret of a login and a code. A text that is no code gives an unknown one, so it is compared too.
async fn secret_of(store: &Store, (login, code): (&str, &str)) -> Result<SecretLink> {
    let holder = match Login::stored(login) {
        Some(login) => store.holder(&login).await?,
        None => None,
    };
    let code = SecretCode::parse(code).unwrap_or_else(SecretCode::draw);
    let user = holder.unwrap_or(UserId::NOBODY);
    Ok(SecretLink { user, code })
}

/// Sets a new password by a link, which is used up, and ends every session. `None` if the link is not valid.
pub async fn reset(
    store: &Store,
    hasher: &Hasher,
    link: &SecretLink,
    new: &Password,
) -> HashResult<Option<Credentials>> {
    let hash = hasher.hash(new).await?;
    let (uid, epoch) = (link.user, draw_epoch());
    let call = store.begin().await?;
    let recovered = store
        .recover_account(&call, uid, link.digest(), (&hash, &epoch))
        .await;
    if !call.finish(recovered).await? {
        return Ok(None);
    }
    forget_sessions(store, uid).await;
    Ok(Some(Credentials { uid, epoch }))
}

/// Makes a link with which a person sets a new password. It replaces the link before.
pub async fn make_reset_link(store: &Store, user: UserId) -> Result<SecretLink> {
    let link = SecretLink::draw(user);
    let call = store.begin().await?;
    let end = UnixMs(store.now().await?.0 + SecretLink::RESET_MS);
    let added = store.add_reset_link(&call, user, link.digest(), end).await;
    call.finish(added).await?;
    Ok(link)
}

/// Makes the password, the recovery codes and the links of a person unusable, and ends every session. Returns `false` if
/// another link was made at the same time. Then the person may have used it.
pub async fn disable_password(store: &Store, hasher: &Hasher, user: UserId) -> HashResult<bool> {
    let unknown = Password::parse(&SecretCode::draw().to_string());
    let unknown = unknown.map_err(|error| HashError::Failed(error.to_string()))?;
    let link = make_reset_link(store, user).await?;
    let disabled = reset(store, hasher, &link, &unknown).await?;
    Ok(disabled.is_some())
}
