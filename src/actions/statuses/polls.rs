//! Votes. All data of a vote lies in the slot of its status. Its voter has a note of it, which is written first and can
//! be superfluous. So it needs no outbox entry.

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
    let Some(status) = store.status(Viewer::Member(by), id).await? else {
        return Ok(Cast::Unknown);
    };
    let call = store.begin().await?;
    store.check_session(&actor).await?;
    // In this order: a block and a deletion find the votes of a person by these notes.
    if status.poll().is_some() && !store.note_vote(by, status.as_status_ref()).await? {
        return Ok(Cast::Unknown);
    }
    let cast = call
        .finish(store.cast_ballot(&call, by, id, ballot).await)
        .await?;
    // A block removes the votes that it finds. One cast meanwhile finds the block.
    if cast == Cast::Counted && store.status(Viewer::Member(by), id).await?.is_none() {
        remove(store, by, &[id]).await?;
        return Ok(Cast::Unknown);
    }
    Ok(cast)
}

/// Removes the votes of a person in these polls, then the notes that lead to them.
pub(in crate::actions) async fn remove(store: &Store, by: UserId, ids: &[StatusId]) -> Result<()> {
    store.drop_ballots(ids, by).await?;
    store.forget_votes(by, ids).await
}
