//! Answers: the truth is with the one who answers. With the status that is answered stands which
//! answer it, or did and are answered themselves; with its author, which are the newest to them.

use futures_util::try_join;

use crate::{
    domain::{Provenance, Stand, StatusId, Task, Thing},
    store::{Call, Result, Store},
};

/// How often a gap is brought to what is below it when that changes meanwhile, before it is left to
/// a task.
const ROUNDS: usize = 5;

/// Brings a living answer to where it is found. Where what it answers has died meanwhile, that stays
/// above it as a gap.
pub(super) async fn enter(
    store: &Store,
    call: &Call,
    id: StatusId,
    status: &Provenance,
) -> Result<()> {
    let Some(answered) = status.answers else {
        return Ok(());
    };
    let note = async {
        if answered.author == status.author {
            return Ok(());
        }
        store.note_answer(call, answered.author, id).await
    };
    let place = store.place_answer(call, answered.status, id, Stand::Answer);
    let (answered_lives, ()) = try_join!(place, note)?;
    if !answered_lives && let Some(thread) = store.thread(id).await? {
        climb(store, call, &thread.above).await?;
    }
    Ok(())
}

/// Takes a dead answer away. Where others answer it, it stays as a gap; where it was the last below
/// gaps, those go with it.
pub(super) async fn leave(store: &Store, id: StatusId, status: &Provenance) -> Result<()> {
    let Some(answered) = status.answers else {
        return Ok(());
    };
    let call = store.begin().await?;
    store.forget_answer(answered.author, id).await?;
    let thread = store.thread(id).await?;
    let above = thread.map_or_else(|| vec![answered.status], |thread| thread.above);
    let line: Vec<StatusId> = [id].into_iter().chain(above).collect();
    climb(store, &call, &line).await
}

/// Brings each of these, of which one answers the next, to where it belongs, up to the first that is
/// answered by something living: what is above that does not change.
async fn climb(store: &Store, call: &Call, line: &[StatusId]) -> Result<()> {
    for pair in line.windows(2) {
        if let [answer, answered] = *pair
            && settle(store, call, answered, answer).await?
        {
            break;
        }
    }
    Ok(())
}

/// Brings one answer to where it belongs, after a check has found it elsewhere.
pub async fn reconcile(store: &Store, answered: StatusId, answer: StatusId) -> Result<()> {
    let call = store.begin().await?;
    settle(store, &call, answered, answer).await.map(drop)
}

/// Puts an answer where it belongs under what it answers, and looks once more afterwards: whoever
/// finishes last has seen the final truth. Says whether the one answered lives.
async fn settle(store: &Store, call: &Call, answered: StatusId, answer: StatusId) -> Result<bool> {
    let look = async || {
        let stands = store.where_due(&[(answered, answer)]).await?;
        Ok(stands.into_iter().next().unwrap_or(Stand::Nowhere))
    };
    let mut stand = look().await?;
    for _ in 0..ROUNDS {
        let answered_lives = store.place_answer(call, answered, answer, stand).await?;
        let now = look().await?;
        if now == stand {
            return Ok(answered_lives);
        }
        stand = now;
    }
    store
        .enqueue(&Task::Reconcile(Thing::Status(answer)))
        .await?;
    Ok(true)
}
