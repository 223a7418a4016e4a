//! Author preferences: see more or less of a followed person. All data lies in the reader's slot,
//! without copies, so it needs no outbox entry. The author does not learn of it.

use crate::{
    domain::{AuthorPreference, UserId},
    store::{Actor, Result, SetPreference, Store},
};

/// Sets the preference for a followed person. An unfollow removes it, so that hidden settings decide
/// nothing.
pub async fn weigh(
    store: &Store,
    actor: impl Into<Actor>,
    of: UserId,
    weight: AuthorPreference,
) -> Result<SetPreference> {
    let actor = actor.into();
    let call = store.begin().await?;
    let set = store.set_preference(&call, &actor, of, weight).await;
    call.finish(set).await
}
