//! Fan-out over an audience, in passes: delivering a living status, withdrawing a dead one. A pass
//! answers with the task that goes on with it.

use crate::{
    domain::{StatusId, Task},
    store::{Call, Life, Result, Store},
};

/// One pass of a delivery: listing 8.7 of the book. Continues from an exclusive, unique score,
/// looks at the truth of the status at its start and its end, and each delivery at that of the
/// edge. At its end it notes for the author how far the delivery has come.
pub async fn deliver_pass(
    store: &Store,
    call: &Call,
    status: StatusId,
    after: u64,
) -> Result<Option<Task>> {
    let withdraw = Some(Task::Withdraw { status, after: 0 });
    let Life::Living(author) = store.life(status).await? else {
        return Ok(withdraw);
    };
    let (readers, next) = store
        .followers_after(author, after, store.config().limits.pass_size)
        .await?;
    store.deliver(call, author, status, &readers).await?;
    if !matches!(store.note_pass(call, status, next).await?, Life::Living(_)) {
        return Ok(withdraw);
    }
    Ok(next.map(|after| Task::Deliver { status, after }))
}

/// One pass of taking a dead status out of the homes it may have reached.
pub async fn withdraw_pass(store: &Store, status: StatusId, after: u64) -> Result<Option<Task>> {
    let author = match store.life(status).await? {
        Life::Dead(author) => author,
        Life::Living(_) => return Ok(Some(Task::Deliver { status, after: 0 })),
        Life::Absent => return Ok(None),
    };
    let (readers, next) = store
        .followers_after(author, after, store.config().limits.pass_size)
        .await?;
    store.withdraw(status, &readers).await?;
    Ok(next.map(|after| Task::Withdraw { status, after }))
}

/// Leaves the task that goes on, where there is one.
pub async fn enqueue(store: &Store, task: Option<Task>) -> Result<()> {
    match task {
        Some(task) => store.enqueue(&task).await,
        None => Ok(()),
    }
}
