//! Second looks at suspected faults, because data changes while the site is in use.
//!
//! An operation writes an outbox entry before its source of truth. It removes the entry when every copy
//! agrees or a task continues. So waiting work names everything that disagrees meanwhile. A fault counts
//! only if two further looks find it while no work names it: an earlier operation is complete by then,
//! and another one would have to leave the same fault. While work names it, the look waits up to the
//! delay of outbox entries and a margin. A fault that punctual work still names then is under way, not
//! wrong; late work is a fault of its own. Without suspected faults nothing waits, and without work a
//! verdict takes two looks of 50 ms.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    time::Duration,
};

use tokio::time::{Instant, sleep};

use super::{
    backlog, examination,
    fault::{Concern, Fault, Subject},
};
use crate::store::{Result, Store};

/// Number of consecutive looks, without work about it, that must find a fault.
const LOOKS: u32 = 2;
/// Pause between two looks.
const BETWEEN: Duration = Duration::from_millis(50);
/// Pause between two reads of the waiting work, because each reads all of it.
const BETWEEN_AT_WORK: Duration = Duration::from_secs(1);
/// Time that a worker may take for a due outbox entry.
const MARGIN: Duration = Duration::from_secs(5);

/// Result of the second looks.
#[derive(Default)]
pub(super) struct Verdict {
    pub(super) wrong: Vec<Fault>,
    /// Number of disagreements that waiting work will repair.
    pub(super) under_way: u64,
}

/// How long to wait for work that names a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Patience {
    /// Until an outbox entry would have repaired it.
    OutboxEntry,
    /// Not at all: another walk follows.
    None,
}

/// Repeats the look until each fault is gone, confirmed or under way.
pub(super) async fn at(store: &Store, seemed: Vec<Fault>, patience: Patience) -> Result<Verdict> {
    let mut verdict = Verdict::default();
    let mut suspects: Vec<(Fault, u32)> = seemed.into_iter().map(|fault| (fault, 0)).collect();
    let allowed = match patience {
        Patience::OutboxEntry => store.config().timeouts.outbox_delay + MARGIN,
        Patience::None => Duration::ZERO,
    };
    let limit = Instant::now() + allowed;
    let mut pause = BETWEEN;
    while !suspects.is_empty() {
        sleep(pause).await;
        let asked: HashSet<Concern> = suspects
            .iter()
            .flat_map(|(fault, _)| fault.concerns.iter().cloned())
            .collect();
        let work = backlog::concerns(store, &asked).await?;
        let is_named = |fault: &Fault| fault.concerns.iter().any(|concern| work.contains(concern));
        // A fault that work names is looked at after that work, or for the last time.
        let mut left = Vec::with_capacity(suspects.len());
        if Instant::now() < limit {
            let named = suspects.extract_if(.., |(fault, _)| is_named(fault));
            left.extend(named.map(|(fault, _)| (fault, 0)));
        }
        suspects = still_wrong(store, suspects).await?;
        pause = BETWEEN_AT_WORK;
        for (fault, seen) in suspects {
            if is_named(&fault) {
                verdict.under_way += 1;
                continue;
            }
            pause = BETWEEN;
            if seen + 1 == LOOKS {
                verdict.wrong.push(fault);
            } else {
                left.push((fault, seen + 1));
            }
        }
        suspects = left;
    }
    Ok(verdict)
}

/// Returns the faults that another look still finds.
async fn still_wrong(store: &Store, suspects: Vec<(Fault, u32)>) -> Result<Vec<(Fault, u32)>> {
    let subjects: BTreeSet<Subject> = suspects
        .iter()
        .map(|(fault, _)| fault.subject.clone())
        .collect();
    let findings = examination::at(store, subjects.into_iter().collect()).await?;
    let now: HashMap<u64, Fault> = findings
        .faults
        .into_iter()
        .map(|fault| (fault.identity(), fault))
        .collect();
    let again = suspects.into_iter().filter_map(|(fault, seen)| {
        let found = now.get(&fault.identity())?;
        Some((found.clone(), seen))
    });
    Ok(again.collect())
}
