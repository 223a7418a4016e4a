//! How much somebody asks for of a person whom they follow. All of it lies in one slot, with the one
//! who asks, so it has no copies and needs no reminder. Nobody is told.

use crate::{
    domain::{AuthorPreference, UserId},
    store::{Actor, Result, SetPreference, Store},
};

/// Asks for more or less of a person, or for neither. It is forgotten when they are no longer
/// followed: what cannot be seen must not decide anything.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session
/// that asks is over.
pub async fn weigh(
    store: &Store,
    actor: impl Into<Actor>,
    of: UserId,
    weight: AuthorPreference,
) -> Result<SetPreference> {
    let actor = actor.into();
    let call = store.begin().await?;
    let set = store.set_preference(&call, &actor, of, weight).await;
    call.settle(set).await
}
