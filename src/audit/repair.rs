//! Repairs by the same actions that an operation or its outbox entry takes. A source of truth is never
//! invented: if it exists, its copies follow it; if it is missing, they go.

use std::collections::HashSet;

use futures_util::{FutureExt, future::BoxFuture};

use super::{fault::Fault, names};
use crate::{
    actions::{fan_out::enqueue, homes, reconcile},
    domain::{StatusId, Thing, Timeline, UserId},
    store::{Begin, Class, Error, Key, Result, Store},
};

/// The data that a repair changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Derived,
    Source,
    /// A source of truth that refers to a missing one, which may be restored later. The repair needs
    /// the operator's word that nothing will be restored.
    Orphan,
    /// Tasks, which belong to the workers and the operator.
    Tasks,
}

type Steps = Box<dyn FnOnce(Store) -> BoxFuture<'static, Result<bool>> + Send + Sync>;

/// The repair of a fault.
pub(super) struct RepairStep {
    /// The done repair, for the report. Faults with the same words have the same repair.
    pub(super) words: String,
    pub(super) effect: Effect,
    steps: Steps,
}

/// The result of a repair: whether something was left to do.
pub(super) trait Changed {
    fn changed(self) -> bool;
}

impl Changed for () {
    fn changed(self) -> bool {
        true
    }
}

impl Changed for bool {
    fn changed(self) -> bool {
        self
    }
}

impl RepairStep {
    /// Creates a repair of derived copies.
    pub(super) fn new<F, Steps, Done>(words: String, steps: Steps) -> Self
    where
        F: Future<Output = Result<Done>> + Send + 'static,
        Steps: FnOnce(Store) -> F + Send + Sync + 'static,
        Done: Changed,
    {
        Self {
            words,
            effect: Effect::Derived,
            steps: Box::new(|store| {
                let done = steps(store);
                async move { Ok(done.await?.changed()) }.boxed()
            }),
        }
    }

    pub(super) fn with_effect(self, effect: Effect) -> Self {
        Self { effect, ..self }
    }
}

/// Brings the copies of a thing in line with its source of truth, as its outbox entry would.
pub(super) fn reconcile(words: String, thing: impl Into<Thing>) -> RepairStep {
    let thing = thing.into();
    RepairStep::new(words, move |store| async move {
        let task = reconcile::reconcile(&store, &thing).await?;
        enqueue(&store, task).await
    })
}

pub(super) fn reconcile_status(id: StatusId) -> RepairStep {
    let words = format!("reconciled all copies of {}", names::status(id));
    reconcile(words, Thing::Status(id))
}

pub(super) fn rebuild_timeline(of: Timeline) -> RepairStep {
    let words = format!("rebuilt {}", names::key(&of.into()));
    RepairStep::new(words, move |store| async move {
        homes::rebuild(&store, of, Begin::Wrong).await
    })
}

/// Stores the id and the counts of a user again.
pub(super) fn recount_user(id: UserId) -> RepairStep {
    let words = format!("counted the posts and follows of {} again", names::user(id));
    RepairStep::new(words, move |store| async move { store.recount(id).await })
}

/// Removes a member from a sorted set, with its count.
pub(super) fn remove_member(key: &Key, member: impl ToString) -> RepairStep {
    let (key, member) = (key.clone(), member.to_string());
    let words = format!("removed {member} from {}", names::key(&key));
    let effect = effect_on(&key);
    let repair = RepairStep::new(words, move |store| async move {
        store.drop_member(&key, &member).await?;
        match key {
            Key::Followers(of) => rank(&store, of).await,
            _ => Ok(()),
        }
    });
    repair.with_effect(effect)
}

/// Gives a member of a sorted set a score that no other member has.
pub(super) fn make_score_unique(key: &Key, member: &str) -> RepairStep {
    let (key, member) = (key.clone(), member.to_owned());
    let words = format!("gave {member} a unique score in {}", names::key(&key));
    let effect = effect_on(&key);
    let repair = RepairStep::new(words, move |store| async move {
        store.make_score_unique(&key, &member).await
    });
    repair.with_effect(effect)
}

pub(super) fn delete_key(name: String) -> RepairStep {
    RepairStep::new(format!("deleted {name}"), move |store| async move {
        store.unlink(&name).await
    })
}

fn effect_on(key: &Key) -> Effect {
    match key.class() {
        Class::SourceOfTruth => Effect::Source,
        Class::Derived | Class::Ephemeral => Effect::Derived,
    }
}

/// Ranks a user among the most followed people by the number of followers.
pub(super) async fn rank(store: &Store, of: UserId) -> Result<()> {
    let followers = store.cardinality(&Key::Followers(of)).await?;
    store.rank_followed(of, followers).await
}

#[derive(Debug, Default)]
pub(super) struct Repairs {
    pub(super) done: Vec<String>,
    /// With the reason.
    pub(super) failed: Vec<String>,
    /// Number of faults that were gone already.
    needless: u64,
}

impl Repairs {
    pub(super) fn changed(&self) -> bool {
        !self.done.is_empty() || self.needless > 0
    }
}

/// Runs the repairs of these faults, equal ones once. A failed repair does not stop the others.
pub(super) async fn run_all(store: &Store, faults: Vec<Fault>) -> Result<Repairs> {
    let mut results = Repairs::default();
    let mut tried = HashSet::new();
    for RepairStep { words, steps, .. } in faults.into_iter().filter_map(|fault| fault.repair) {
        if !tried.insert(words.clone()) {
            continue;
        }
        match steps(store.clone()).await {
            Ok(true) => results.done.push(words),
            Ok(false) => results.needless += 1,
            Err(error @ (Error::Unavailable(_) | Error::Late)) => return Err(error),
            Err(error) => results.failed.push(format!("{words}: {error}")),
        }
    }
    names::resolve(store, results.done.iter_mut().chain(&mut results.failed)).await?;
    Ok(results)
}
