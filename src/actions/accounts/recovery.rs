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
    let holder = match Login::stored(login) {
        Some(login) => store.holder(&login).await?,
        None => None,
    };
    // A text that is no code is compared too, as an unknown code.
    let code = SecretCode::parse(code).unwrap_or_else(SecretCode::draw);
    let user = holder.unwrap_or(UserId::NOBODY);
    reset(store, hasher, &SecretLink { user, code }, new).await
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
