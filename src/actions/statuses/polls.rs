//! Votes. All data of a vote lies in the slot of its status, without copies, so it needs no outbox
//! entry.

use crate::{actions::prelude::*, domain::Ballot, store::Cast};

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
        return Ok(Cast::Unknown);
    }
    let call = store.begin().await?;
    store.check_session(&actor).await?;
    let cast = call
        .finish(store.cast_ballot(&call, by, id, ballot).await)
        .await?;
    // A block removes the votes that it finds. One cast meanwhile finds the block.
    if cast == Cast::Counted && store.status(Viewer::Member(by), id).await?.is_none() {
        store.drop_ballots(&[id], by).await?;
        return Ok(Cast::Unknown);
    }
    Ok(cast)
}
