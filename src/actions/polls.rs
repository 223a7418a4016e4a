//! Votes. All data of a vote lies in the slot of its status, without copies, so it needs no outbox
//! entry.

use crate::{
    domain::{Ballot, StatusId},
    store::{Actor, Cast, Result, Store, Viewer},
};

/// Votes in a poll that the actor may see. The first vote of a person stays; the same vote again returns
/// the same answer.
pub async fn vote(
    store: &Store,
    actor: impl Into<Actor>,
    id: StatusId,
    ballot: Ballot,
) -> Result<Cast> {
    let actor = actor.into();
    let by = actor.id();
    if store.status(Viewer::Member(by), id).await?.is_none() {
        return Ok(Cast::NoPoll);
    }
    let call = store.begin().await?;
    store.check_session(&actor).await?;
    let cast = store.cast_ballot(&call, by, id, ballot).await;
    call.finish(cast).await
}
