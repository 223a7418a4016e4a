//! Fan-out over an author's audiences, in passes: delivering a living status to the homes of followers
//! and to lists, withdrawing a dead one. A pass answers with the task that goes on with it.

use crate::{
    domain::{Reach, StatusId, Task, Timeline},
    store::{Call, Life, Result, Store},
};

/// One pass of a delivery: listing 8.7 of the book, with the exercise "Updating lists". Continues from an exclusive, unique score,
/// looks at the truth of the status at its start and its end, and each delivery at that of the
/// edge or the listing. At its end it notes for the author how far the delivery has come.
pub async fn deliver_pass(
    store: &Store,
    call: &Call,
    status: StatusId,
    from: Reach,
) -> Result<Option<Task>> {
    let withdraw = Some(Task::Withdraw {
        status,
        from: Reach::START,
    });
    let Life::Living(provenance) = store.life(status).await? else {
        return Ok(withdraw);
    };
    let (timelines, next) = store
        .timelines_from(provenance.author, from, store.config().limits.pass_size)
        .await?;
    let delivered = (status, &provenance);
    store.deliver(call, delivered, &timelines).await?;
    if !store.note_pass(call, status, next).await? {
        return Ok(withdraw);
    }
    Ok(next.map(|from| Task::Deliver { status, from }))
}

/// One pass of taking a dead status out of the homes and lists it may have reached: the exercise
/// "Cleaning out deleted IDs" of section 8.4 of the book. One that many deletes have left too short is
/// refilled by a task, as after an unfollow; its author's home is looked at by the first pass.
pub async fn withdraw_pass(store: &Store, status: StatusId, from: Reach) -> Result<Option<Task>> {
    let author = match store.life(status).await? {
        Life::Dead(status) => status.author,
        Life::Living(_) => {
            return Ok(Some(Task::Deliver {
                status,
                from: Reach::START,
            }));
        }
        Life::Absent => return Ok(None),
    };
    let (timelines, next) = store
        .timelines_from(author, from, store.config().limits.pass_size)
        .await?;
    let own = (from == Reach::START).then_some(Timeline::Home(author));
    let reached: Vec<Timeline> = own.into_iter().chain(timelines).collect();
    let short = store.withdraw(status, &reached).await?;
    let refills: Vec<Task> = short.into_iter().map(Task::Rebuild).collect();
    store.enqueue_all(&refills).await?;
    Ok(next.map(|from| Task::Withdraw { status, from }))
}

/// Leaves the task that goes on, where there is one.
pub async fn enqueue(store: &Store, task: Option<Task>) -> Result<()> {
    match task {
        Some(task) => store.enqueue(&task).await,
        None => Ok(()),
    }
}
