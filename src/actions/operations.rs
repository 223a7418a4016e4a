//! The shape that all operations with derived copies share: write an outbox entry, write the source of
//! truth, reconcile the copies, remove the entry. Operations supply the steps; the order is here.

use crate::{
    domain::{Task, Thing},
    store::{Call, OutboxEntry, Result, Store},
};

/// Maximum number of attempts to reconcile copies of a source of truth that keeps changing. After them
/// the outbox entry or a task continues.
pub(super) const ATTEMPTS: usize = 5;

/// Whether the copies agreed with the source of truth when it was read last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reconciled {
    Yes,
    No,
}

/// Runs an operation under an outbox entry. `write` writes the entry and then the source of truth;
/// `reconcile` brings the copies in line. The entry is removed once they agree. After a crash at any
/// point the entry is due and the worker reconciles.
pub(super) async fn with_outbox<T>(
    store: &Store,
    write: impl AsyncFnOnce(&Call) -> Result<(T, OutboxEntry)>,
    reconcile: impl AsyncFnOnce(&Call, &T) -> Result<Reconciled>,
) -> Result<T> {
    let call = store.begin().await?;
    let steps = async {
        let (written, entry) = write(&call).await?;
        if reconcile(&call, &written).await? == Reconciled::Yes {
            store.remove_outbox_entry(entry).await?;
        }
        Ok(written)
    };
    call.finish(steps.await).await
}

/// Reconciles the copies of a thing for a worker or the audit. Returns `task`, which continues, if the
/// source of truth kept changing.
pub(super) async fn reconcile_in_call(
    store: &Store,
    task: Task,
    reconcile: impl AsyncFnOnce(&Call) -> Result<Reconciled>,
) -> Result<Option<Task>> {
    let call = store.begin().await?;
    let reconciled = reconcile(&call).await;
    Ok(match call.finish(reconciled).await? {
        Reconciled::Yes => None,
        Reconciled::No => Some(task),
    })
}

/// Reconciles the copies of a relation for a worker or the audit, like [`reconcile_in_call`].
pub(super) async fn reconcile_thing(
    store: &Store,
    thing: Thing,
    reconcile: impl AsyncFnOnce(&Call) -> Result<Reconciled>,
) -> Result<Option<Task>> {
    reconcile_in_call(store, Task::Reconcile(thing), reconcile).await
}

/// Applies the source of truth to its copies until it stays the same over one application. The last of
/// several writers has then seen the final state.
pub(super) async fn reconcile_until_stable<T: PartialEq>(
    read: impl AsyncFn() -> Result<T>,
    mut apply: impl AsyncFnMut(&T) -> Result<()>,
) -> Result<Reconciled> {
    let mut truth = read().await?;
    for _ in 0..ATTEMPTS {
        apply(&truth).await?;
        let now = read().await?;
        if now == truth {
            return Ok(Reconciled::Yes);
        }
        truth = now;
    }
    Ok(Reconciled::No)
}
