//! Fan-out over the audiences of a status, in passes: delivery of a living status and withdrawal of a dead one, on the
//! homes of followers, on lists, and on the homes of tag followers, or on the homes of members of its group. A pass
//! returns the task that continues it.

use crate::{
    actions::{prelude::*, statuses::tombstones},
    domain::FanOutProgress,
    store::PassOutcome,
};

/// Timelines of the first pass, within the call of the author. The measurements are in docs/decisions/first-pass.md.
const FIRST_PASS_SIZE: usize = 100;

/// Runs the first pass of a delivery, within the call of the author. It is smaller than the passes of the tasks, so the
/// answer does not wait for up to a thousand homes.
pub async fn deliver_first_pass(
    store: &Store,
    call: &Call,
    status: StatusId,
) -> Result<Option<Task>> {
    let size = store.config().limits.pass_size.min(FIRST_PASS_SIZE);
    deliver(store, call, (status, FanOutProgress::START), size).await
}

/// Runs one pass of a delivery by a task: listing 8.7 of the book, with the exercise "Updating lists". It
/// continues from an exclusive, unique score. It reads the status at its start and end, and each
/// delivery reads the relation. At its end it notes the progress for the author. Homes that got the
/// status by a removed tag, or before it was made visible to followers only, lose it. If tags or readers change
/// meanwhile, the pass is repeated. A pass that takes
/// half of its call's time ends early, and the next one continues behind the last timeline that it served.
pub async fn deliver_pass(
    store: &Store,
    call: &Call,
    status: StatusId,
    from: FanOutProgress,
) -> Result<Option<Task>> {
    let size = store.config().limits.pass_size;
    deliver(store, call, (status, from), size).await
}

async fn deliver(
    store: &Store,
    call: &Call,
    (status, from): (StatusId, FanOutProgress),
    size: usize,
) -> Result<Option<Task>> {
    let withdraw = Some(Task::Withdraw {
        status,
        from: FanOutProgress::START,
    });
    let lives = store.lives_for_timelines(&[status]).await?;
    let Some(Life::Living(header)) = lives.into_iter().next() else {
        return Ok(withdraw);
    };
    let reach = store.timelines_from((status, &header), from, size).await?;
    let delivered = (status, &header);
    let delivery = store.deliver(call, delivered, &reach.timelines).await?;
    let next = reach.position_after(delivery.served_count);
    if !header.untagged.is_empty() || header.readers.followed().is_some() {
        let short = store.prune_statuses(delivered, &delivery.unwanted).await?;
        refill(store, short).await?;
    }
    Ok(match store.note_pass(call, delivered, next).await? {
        PassOutcome::Noted => next.map(|from| Task::Deliver { status, from }),
        PassOutcome::HeaderChanged => Some(Task::Deliver { status, from }),
        PassOutcome::Deleted => withdraw,
    })
}

/// Runs one pass that removes a dead status from homes and lists: the exercise "Cleaning out deleted
/// IDs" of section 8.4 of the book. A task refills timelines that became too short, as after an
/// unfollow. The first pass checks the author's home.
pub async fn withdraw_pass(
    store: &Store,
    status: StatusId,
    from: FanOutProgress,
) -> Result<Option<Task>> {
    let header = match store.life(status).await? {
        Life::Dead(header) => header,
        Life::Living(_) => {
            return Ok(Some(Task::Deliver {
                status,
                from: FanOutProgress::START,
            }));
        }
        Life::Absent => return Ok(None),
    };
    let reach = store
        .timelines_from((status, &header), from, store.config().limits.pass_size)
        .await?;
    let own = (from == FanOutProgress::START).then_some(Timeline::Home(header.author));
    let reached: Vec<Timeline> = own.into_iter().chain(reach.timelines).collect();
    let short = store.withdraw(status, &reached).await?;
    refill(store, short).await?;
    Ok(reach.next.map(|from| Task::Withdraw { status, from }))
}

/// Runs one pass like [`withdraw_pass`], for a status that died so long ago that no call can write copies of it. The
/// last pass drops the fields of the tombstone that lead to copies.
pub async fn last_withdraw_pass(
    store: &Store,
    status: StatusId,
    from: FanOutProgress,
) -> Result<Option<Task>> {
    match withdraw_pass(store, status, from).await? {
        Some(Task::Withdraw { status, from }) => Ok(Some(Task::LastWithdraw { status, from })),
        None => {
            tombstones::shrink(store, status).await?;
            Ok(None)
        }
        other => Ok(other),
    }
}

async fn refill(store: &Store, short: Vec<Timeline>) -> Result<()> {
    let refills: Vec<Task> = short.into_iter().map(Task::Rebuild).collect();
    store.enqueue_all(&refills).await
}

/// Enqueues the continuing task, if any.
pub async fn enqueue(store: &Store, task: Option<Task>) -> Result<()> {
    match task {
        Some(task) => store.enqueue(&task).await,
        None => Ok(()),
    }
}
