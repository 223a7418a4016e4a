//! Fan-out over an author's audiences, in passes: delivering a living status to the homes of followers
//! and of those who follow its tags and to lists, withdrawing a dead one. A pass answers with the task
//! that goes on with it.

use crate::{
    domain::{Reach, StatusId, Task, Timeline},
    store::{Call, Delivery, Life, NotePass, Result, Store},
};

/// One pass of a delivery: listing 8.7 of the book, with the exercise "Updating lists". Continues from
/// an exclusive, unique score, looks at the truth of the status at its start and its end, and each
/// delivery at that of the edge or the listing. At its end it notes for the author how far the delivery
/// has come. Homes to which a status came by a tag that it has no more are rid of it; one whose tags
/// change meanwhile is delivered by this pass again.
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
    let Life::Living(header) = store.life(status).await? else {
        return Ok(withdraw);
    };
    let (timelines, next) = store
        .timelines_from(&header, from, store.config().limits.pass_size)
        .await?;
    let delivered = (status, &header);
    let deliveries = store.deliver(call, delivered, &timelines).await?;
    if !header.untagged.is_empty() {
        let each = timelines.into_iter().zip(deliveries);
        let unwanted = each.filter(|(_, delivery)| *delivery == Delivery::NotWanted);
        let unwanted: Vec<Timeline> = unwanted.map(|(timeline, _)| timeline).collect();
        let short = store.prune_statuses(delivered, &unwanted).await?;
        refill(store, short).await?;
    }
    Ok(match store.note_pass(call, delivered, next).await? {
        NotePass::Lives => next.map(|from| Task::Deliver { status, from }),
        NotePass::Reworded => Some(Task::Deliver { status, from }),
        NotePass::Dead => withdraw,
    })
}

/// One pass of taking a dead status out of the homes and lists it may have reached: the exercise
/// "Cleaning out deleted IDs" of section 8.4 of the book. One that many deletes have left too short is
/// refilled by a task, as after an unfollow; its author's home is looked at by the first pass.
pub async fn withdraw_pass(store: &Store, status: StatusId, from: Reach) -> Result<Option<Task>> {
    let header = match store.life(status).await? {
        Life::Dead(header) => header,
        Life::Living(_) => {
            return Ok(Some(Task::Deliver {
                status,
                from: Reach::START,
            }));
        }
        Life::Absent => return Ok(None),
    };
    let (timelines, next) = store
        .timelines_from(&header, from, store.config().limits.pass_size)
        .await?;
    let own = (from == Reach::START).then_some(Timeline::Home(header.author));
    let reached: Vec<Timeline> = own.into_iter().chain(timelines).collect();
    let short = store.withdraw(status, &reached).await?;
    refill(store, short).await?;
    Ok(next.map(|from| Task::Withdraw { status, from }))
}

async fn refill(store: &Store, short: Vec<Timeline>) -> Result<()> {
    let refills: Vec<Task> = short.into_iter().map(Task::Rebuild).collect();
    store.enqueue_all(&refills).await
}

/// Leaves the task that goes on, where there is one.
pub async fn enqueue(store: &Store, task: Option<Task>) -> Result<()> {
    match task {
        Some(task) => store.enqueue(&task).await,
        None => Ok(()),
    }
}
