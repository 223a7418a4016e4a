//! The steps that operations on relations and names share: write an outbox entry and the source of truth,
//! reconcile the copies, remove the entry. Posting, editing, deleting, reposting and signing up have more
//! steps and write them out.

use std::future::Future;

use crate::{
    domain::{Task, Thing},
    store::{Call, OutboxEntry, Result, Store},
};

/// Maximum number of attempts to reconcile copies of a source of truth that keeps changing. After them
/// the outbox entry or a task continues.
pub(super) const ATTEMPTS: usize = 5;

/// Whether nothing is left to do: the copies agreed with the source of truth when it was read last. After
/// `No` the outbox entry stays, because the source of truth kept changing or a former name is still to be
/// removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reconciled {
    Yes,
    No,
}

/// Runs an operation under an outbox entry. `write` must write the entry before the source of truth;
/// `reconcile` brings the copies in line. The entry is removed once they agree. After a crash at any
/// point the entry is due and the worker reconciles.
pub(super) async fn with_outbox<T: Copy, R>(
    store: &Store,
    call: &Call,
    write: impl Future<Output = Result<(T, OutboxEntry)>>,
    reconcile: impl FnOnce(T) -> R,
) -> Result<T>
where
    R: Future<Output = Result<Reconciled>>,
{
    let steps = async {
        let (written, entry) = write.await?;
        if reconcile(written).await? == Reconciled::Yes {
            store.remove_outbox_entry(entry).await?;
        }
        Ok(written)
    };
    call.finish(steps.await).await
}

/// Finishes a reconciliation for a worker or the audit. Returns `task`, which continues, if the source of
/// truth kept changing.
pub(super) async fn continue_with(
    call: &Call,
    task: Task,
    reconcile: impl Future<Output = Result<Reconciled>>,
) -> Result<Option<Task>> {
    Ok(match call.finish(reconcile.await).await? {
        Reconciled::Yes => None,
        Reconciled::No => Some(task),
    })
}

/// Finishes the reconciliation of a thing, like [`continue_with`].
pub(super) async fn reconcile_thing(
    call: &Call,
    thing: Thing,
    reconcile: impl Future<Output = Result<Reconciled>>,
) -> Result<Option<Task>> {
    continue_with(call, Task::Reconcile(thing), reconcile).await
}

/// Applies the source of truth to its copies until it stays the same over one application. The last of
/// several writers has then seen the final state.
pub(super) async fn reconcile_until_stable<T, R, A>(
    read: impl Fn() -> R,
    apply: impl Fn(T) -> A,
) -> Result<Reconciled>
where
    T: Copy + PartialEq,
    R: Future<Output = Result<T>>,
    A: Future<Output = Result<()>>,
{
    let mut truth = read().await?;
    for _ in 0..ATTEMPTS {
        apply(truth).await?;
        let now = read().await?;
        if now == truth {
            return Ok(Reconciled::Yes);
        }
        truth = now;
    }
    Ok(Reconciled::No)
}
