//! Answers: the truth is with the one who answers. With the status that is answered stands which
//! answer it, or did and are answered themselves; with its author, which are the newest to them.

use futures_util::try_join;

use crate::{
    domain::{Stand, StatusHeader, StatusId, Task, Thing},
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
    status: &StatusHeader,
) -> Result<()> {
    let Some(answered) = status.reply_to else {
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
    if answered_lives {
        return Ok(());
    }
    let above = above(store, id, answered.status).await?;
    climb(store, call, answered.status, above[1..].to_vec()).await
}

/// Takes a dead answer away. Where others answer it, it stays as a gap; where it was the last below
/// gaps, those go with it.
pub(super) async fn leave(store: &Store, id: StatusId, status: &StatusHeader) -> Result<()> {
    let Some(answered) = status.reply_to else {
        return Ok(());
    };
    let call = store.begin().await?;
    store.forget_answer(answered.author, id).await?;
    let above = above(store, id, answered.status).await?;
    climb(store, &call, id, above).await
}

/// What is known of what is above an answer, the nearest first: at least what it answers.
async fn above(store: &Store, id: StatusId, answered: StatusId) -> Result<Vec<StatusId>> {
    let thread = store.thread(id).await?;
    let above = thread.map(|thread| thread.above);
    Ok(above
        .filter(|above| above.first() == Some(&answered))
        .unwrap_or_else(|| vec![answered]))
}

/// Brings an answer and each above it to where it belongs, up to the first that answers something
/// living: what is above that does not change. What is nearest above is given; how it goes on there, the
/// last of these says, as long as its tombstone stands.
async fn climb(
    store: &Store,
    call: &Call,
    mut answer: StatusId,
    mut above: Vec<StatusId>,
) -> Result<()> {
    loop {
        for answered in std::mem::take(&mut above) {
            if settle(store, call, answered, answer).await? {
                return Ok(());
            }
            answer = answered;
        }
        match store.thread(answer).await? {
            Some(thread) => above = thread.above,
            None => return Ok(()),
        }
    }
}

/// Brings one answer to where it belongs, after a check has found it elsewhere, and with it the dead
/// above it.
pub async fn reconcile(store: &Store, answered: StatusId, answer: StatusId) -> Result<()> {
    let call = store.begin().await?;
    let above = above(store, answer, answered).await?;
    climb(store, &call, answer, above).await
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
