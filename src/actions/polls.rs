//! Votes: all of a vote lies in the slot of its status, ballots and what they come to, so it has no
//! copies and needs no reminder.

use crate::{
    domain::{Ballot, StatusId},
    store::{Actor, Cast, Result, Store, Viewer},
};

/// Votes in a poll that the actor may see. The first vote of a person stands; the same one again is
/// answered as the first time.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session
/// that asks was over at the beginning.
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
    store.stands(&actor).await?;
    let cast = store.cast_ballot(&call, by, id, ballot).await;
    call.settle(cast).await
}
