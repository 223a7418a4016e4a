//! The steps that operations on relations and names share: write an outbox entry and the source of truth,
//! reconcile the copies, remove the entry. Posting, editing, deleting, reposting and signing up have more
//! steps and write them out.

use std::future::Future;

use crate::{
    actions::{prelude::*, timelines::remove_dead_statuses},
    domain::SaveOutcome,
    store::ClearOutcome,
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

/// The after-effects of a relation: its mirror, counts, notifications and timelines.
pub(super) trait Effects {
    type Truth: Copy + PartialEq;

    fn thing(&self) -> Thing;

    async fn truth(&self, store: &Store) -> Result<Self::Truth>;

    /// Returns the state right after the relation was removed, if nothing else decides it.
    fn truth_when_cleared(&self) -> Option<Self::Truth> {
        None
    }

    /// Returns the timeline that has the relation as a source.
    fn timeline(&self) -> Option<Timeline> {
        None
    }

    /// Brings the copies in line with this state. It may run twice.
    async fn apply(&self, store: &Store, call: &Call, truth: Self::Truth) -> Result<()>;
}

/// Sets a relation of the actor and reconciles its copies.
pub(super) async fn set(
    store: &Store,
    actor: &Actor,
    relation: &Relation,
    effects: &impl Effects,
) -> Result<SetOutcome> {
    let call = &store.begin().await?;
    let write = store.set_relation(call, actor, relation);
    set_by(store, call, effects, write).await
}

/// Sets a relation by this write and reconciles its copies.
pub(super) async fn set_by(
    store: &Store,
    call: &Call,
    effects: &impl Effects,
    write: impl Future<Output = Result<SetOutcome>>,
) -> Result<SetOutcome> {
    with_outbox(store, call, effects.thing(), write, |set| async move {
        match set {
            Some(SetOutcome::Done) | None => reconcile_copies(store, call, effects, None).await,
            Some(SetOutcome::TooMany | SetOutcome::Unknown) => Ok(Reconciled::Yes),
        }
    })
    .await
}

/// Removes a relation of the actor and reconciles its copies.
pub(super) async fn clear(
    store: &Store,
    actor: &Actor,
    relation: &Relation,
    effects: &impl Effects,
) -> Result<ClearOutcome> {
    let call = &store.begin().await?;
    let write = store.clear_relation(call, actor, relation);
    clear_by(store, call, effects, write).await
}

/// Removes a relation by this write and reconciles its copies.
pub(super) async fn clear_by(
    store: &Store,
    call: &Call,
    effects: &impl Effects,
    write: impl Future<Output = Result<ClearOutcome>>,
) -> Result<ClearOutcome> {
    let reconcile = |cleared: Option<ClearOutcome>| async move {
        if cleared == Some(ClearOutcome::Kept) {
            return Ok(Reconciled::Yes);
        }
        let known = cleared.and_then(|_| effects.truth_when_cleared());
        reconcile_copies(store, call, effects, known).await
    };
    with_outbox(store, call, effects.thing(), write, reconcile).await
}

/// Reconciles a relation after a crash. Returns the task that continues, if any. If a removed source is added again
/// before its statuses have left the timeline, a status that died between the two was withdrawn from the audience of
/// that moment only. So the dead statuses are removed here.
pub(super) async fn reconcile(store: &Store, effects: &impl Effects) -> Result<Option<Task>> {
    let call = &store.begin().await?;
    let reconciled = async {
        let reconciled = reconcile_copies(store, call, effects, None).await?;
        if let Some(timeline) = effects.timeline() {
            remove_dead_statuses(store, timeline).await?;
        }
        Ok(reconciled)
    };
    reconcile_thing(call, effects.thing(), reconciled).await
}

/// Applies the source of truth to its copies until it stays the same over one application. The last of
/// several writers has then seen the final state. `known` is the state that the caller has just written.
pub(super) async fn reconcile_copies<E: Effects>(
    store: &Store,
    call: &Call,
    effects: &E,
    known: Option<E::Truth>,
) -> Result<Reconciled> {
    let mut truth = match known {
        Some(truth) => truth,
        None => effects.truth(store).await?,
    };
    for _ in 0..ATTEMPTS {
        effects.apply(store, call, truth).await?;
        let now = effects.truth(store).await?;
        if now == truth {
            return Ok(Reconciled::Yes);
        }
        truth = now;
    }
    Ok(Reconciled::No)
}

/// Runs an operation under an outbox entry. `write` changes the source of truth, and `reconcile` brings the
/// copies in line. The entry is removed once they agree, or if the session has ended. After a crash at any
/// point the entry is due and the worker reconciles. It also does if Redis fails after `write` succeeded.
///
/// `reconcile` gets `None` if memory is full and the write was refused. It reads the source of truth then,
/// because a write that is sent again over a new connection may have happened before the refusal.
pub(super) async fn with_outbox<T: Clone, R>(
    store: &Store,
    call: &Call,
    thing: Thing,
    write: impl Future<Output = Result<T>>,
    reconcile: impl FnOnce(Option<T>) -> R,
) -> Result<T>
where
    R: Future<Output = Result<Reconciled>>,
{
    let steps = async {
        let entry = store.add_outbox_entry(&thing).await?;
        let written = write.await;
        let known = match written.clone() {
            Ok(written) => Some(written),
            Err(Error::Full) => None,
            Err(Error::Ended) => {
                store.remove_outbox_entry(entry).await?;
                return written;
            }
            Err(_) => return written,
        };
        let rest = async {
            let reconciled = reconcile(known).await?;
            if reconciled == Reconciled::Yes {
                store.remove_outbox_entry(entry).await?;
            }
            Ok(reconciled)
        };
        after_truth(call, rest.await)?;
        written
    };
    call.finish(steps.await).await
}

/// Returns the result of the steps after the source of truth. If Redis cannot be reached in time or is full, the
/// outbox entry stays and completes the write. So this is a success: the person must not repeat a completed write.
pub(super) fn after_truth(call: &Call, steps: Result<Reconciled>) -> Result<Reconciled> {
    match steps {
        Err(error) if error.is_outage() => {
            call.distrust_clock();
            tracing::warn!(%error, "an outbox entry completes a write");
            Ok(Reconciled::No)
        }
        steps => steps,
    }
}

/// Saves a form. Each attempt compares the form with the stored values and writes, and returns `None` if another
/// device changed them between both. Then the next attempt finds the conflict, or a form that overwrites the new values.
pub(super) async fn save_form(
    attempt: impl AsyncFn() -> Result<Option<SaveOutcome>>,
) -> Result<SaveOutcome> {
    for _ in 0..ATTEMPTS {
        if let Some(outcome) = attempt().await? {
            return Ok(outcome);
        }
    }
    Err(Error::Contended)
}

/// Notes the first error of several scheduled steps, so that the others run. Returns an outage, which concerns all of
/// them.
pub(super) fn note_failure<T>(failure: &mut Result<()>, step: Result<T>) -> Result<()> {
    match step {
        Err(error) if error.is_outage() => Err(error),
        Err(error) => {
            if failure.is_ok() {
                *failure = Err(error);
            }
            Ok(())
        }
        Ok(_) => Ok(()),
    }
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
