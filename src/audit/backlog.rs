//! Waiting work: tasks that wait too long or were given up, and the faults that waiting tasks will
//! repair.

use std::collections::HashSet;

use super::{
    Invariant,
    fault::{Concern, Fault, Findings, Remedy, Subject},
};
use crate::store::{Entry, Queue, Reading, Result, Store};

/// Checks all waiting work.
pub(super) async fn check(store: &Store) -> Result<Findings> {
    let mut findings = Findings::default();
    for queue in [Queue::Later, Queue::Now, Queue::Held, Queue::Dead] {
        let mut reading = Reading::of(queue);
        while let Some(entries) = store.waiting(&mut reading).await? {
            if queue == Queue::Dead {
                findings.examined(Invariant::NothingIsGivenUp, entries.len());
            } else {
                findings.examined(Invariant::TasksMove, entries.len());
            }
            let faults = entries.into_iter().filter_map(|entry| fault(queue, entry));
            faults.for_each(|fault| findings.found(fault));
        }
    }
    Ok(findings)
}

fn fault(queue: Queue, entry: Entry) -> Option<Fault> {
    let text = match &entry.task {
        Ok(task) => task.to_string(),
        Err(text) => format!("{text:?}"),
    };
    let (invariant, what) = match queue {
        Queue::Dead => (Invariant::NothingIsGivenUp, "was given up"),
        _ if !entry.late => return None,
        Queue::Later => (Invariant::TasksMove, "is overdue"),
        Queue::Now => (Invariant::TasksMove, "waits too long"),
        Queue::Held => (Invariant::TasksMove, "is not finished"),
    };
    let remedy = match (queue, &entry.task) {
        (Queue::Dead, Ok(_)) => Remedy::Revive(entry.clone()),
        (Queue::Dead, Err(_)) => Remedy::None,
        _ => Remedy::Work,
    };
    let what = format!("task {text} {what} ({})", entry.id);
    Some(Fault::new(invariant, Subject::Tasks, what).repair_by(remedy))
}

/// Returns the concerns among these that punctual work will repair. `later` is read before and after the
/// stream, so work that moves between them is not missed.
pub(super) async fn concerns(store: &Store, asked: &HashSet<Concern>) -> Result<HashSet<Concern>> {
    let mut concerns = HashSet::new();
    if asked.is_empty() {
        return Ok(concerns);
    }
    for queue in [Queue::Later, Queue::Now, Queue::Later] {
        let mut reading = Reading::of(queue);
        while let Some(entries) = store.waiting(&mut reading).await? {
            let moving = entries.into_iter().filter(|entry| !entry.late);
            let tasks = moving.filter_map(|entry| entry.task.ok());
            let named = tasks.flat_map(|task| Concern::of(&task));
            concerns.extend(named.filter(|concern| asked.contains(concern)));
        }
    }
    Ok(concerns)
}
