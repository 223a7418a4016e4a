//! Replies. The source of truth is the reply itself. The parent lists its living replies and gaps; the
//! parent's author has the newest replies to them.

use futures_util::try_join;

use super::operations::ATTEMPTS;
use crate::{
    domain::{Stand, StatusHeader, StatusId, Task, Thing},
    store::{Call, Result, Store},
};

/// Adds a living reply to its derived copies. If its parent died meanwhile, the parent stays above it as
/// a gap.
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

/// Removes a dead reply. It stays as a gap if it has replies. If it was the last below gaps, those go
/// too.
pub(super) async fn leave(store: &Store, id: StatusId, status: &StatusHeader) -> Result<()> {
    let Some(answered) = status.reply_to else {
        return Ok(());
    };
    let call = store.begin().await?;
    store.forget_answer(answered.author, id).await?;
    let above = above(store, id, answered.status).await?;
    climb(store, &call, id, above).await
}

/// Returns the known ancestors of a reply, nearest first: at least its parent.
async fn above(store: &Store, id: StatusId, answered: StatusId) -> Result<Vec<StatusId>> {
    let thread = store.thread(id).await?;
    let above = thread.map(|thread| thread.above);
    Ok(above
        .filter(|above| above.first() == Some(&answered))
        .unwrap_or_else(|| vec![answered]))
}

/// Reconciles a reply and each ancestor, up to the first reply with a living parent. Nothing above that
/// changes. The nearest ancestors are given; further ones come from the tombstone of the last, while it
/// exists.
async fn climb(
    store: &Store,
    call: &Call,
    mut answer: StatusId,
    mut above: Vec<StatusId>,
) -> Result<()> {
    loop {
        for answered in std::mem::take(&mut above) {
            if reconcile_position(store, call, answered, answer).await? {
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

/// Reconciles one reply after an audit found it in the wrong place, with its dead ancestors.
pub async fn reconcile(store: &Store, answered: StatusId, answer: StatusId) -> Result<()> {
    let call = store.begin().await?;
    let above = above(store, answer, answered).await?;
    climb(store, &call, answer, above).await
}

/// Puts a reply into its right position under its parent, and reads the source of truth again. The last
/// of several writers has then seen the final state. Returns whether the parent is alive.
async fn reconcile_position(
    store: &Store,
    call: &Call,
    answered: StatusId,
    answer: StatusId,
) -> Result<bool> {
    let look = async || {
        let stands = store.where_due(&[(answered, answer)]).await?;
        Ok(stands.into_iter().next().unwrap_or(Stand::Nowhere))
    };
    let mut stand = look().await?;
    for _ in 0..ATTEMPTS {
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
