//! Confirmation of suspected faults by further looks, because data changes while the site is in use.
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
    examination,
    fault::{Fault, Subject},
    work::{self, Work},
};
use crate::store::{Result, Store};

/// Number of consecutive looks, without work about it, that must find a fault.
const LOOKS: u32 = 2;
const PAUSE: Duration = Duration::from_millis(50);
/// Pause between two reads of the waiting work, because each reads all of it.
const PAUSE_FOR_WORK: Duration = Duration::from_secs(1);
/// Time that a worker may take for a due outbox entry.
const MARGIN: Duration = Duration::from_secs(5);

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
pub(super) async fn confirm(
    store: &Store,
    suspected: Vec<Fault>,
    patience: Patience,
) -> Result<Verdict> {
    let mut verdict = Verdict::default();
    let mut known = HashSet::new();
    let mut suspects: Vec<(Fault, u32)> = suspected.into_iter().map(|fault| (fault, 0)).collect();
    suspects.retain(|(fault, _)| known.insert(fault.identity()));
    let allowed = match patience {
        Patience::OutboxEntry => store.config().timeouts.outbox_delay + MARGIN,
        Patience::None => Duration::ZERO,
    };
    let limit = Instant::now() + allowed;
    let mut pause = PAUSE;
    while !suspects.is_empty() {
        sleep(pause).await;
        let asked = suspects.iter().flat_map(|(fault, _)| &fault.work);
        let asked: HashSet<Work> = asked.cloned().collect();
        let under_way = work::under_way(store, &asked).await?;
        let is_named = |fault: &Fault| fault.work.iter().any(|work| under_way.contains(work));
        // A fault that work names is looked at after that work, or for the last time.
        let mut left = Vec::with_capacity(suspects.len());
        if Instant::now() < limit {
            let named = suspects.extract_if(.., |(fault, _)| is_named(fault));
            left.extend(named.map(|(fault, _)| (fault, 0)));
        }
        suspects = look_again(store, suspects).await?;
        pause = PAUSE_FOR_WORK;
        for (fault, looks) in suspects {
            if is_named(&fault) {
                verdict.under_way += 1;
                continue;
            }
            pause = PAUSE;
            if looks + 1 == LOOKS {
                verdict.wrong.push(fault);
            } else {
                left.push((fault, looks + 1));
            }
        }
        suspects = left;
    }
    Ok(verdict)
}

/// Returns the faults that another look still finds.
async fn look_again(store: &Store, suspects: Vec<(Fault, u32)>) -> Result<Vec<(Fault, u32)>> {
    let subjects = suspects.iter().map(|(fault, _)| fault.subject.clone());
    let subjects: BTreeSet<Subject> = subjects.collect();
    let findings = examination::examine(store, subjects.into_iter().collect()).await?;
    let found = findings.faults.into_iter();
    let mut found: HashMap<u64, Fault> = found.map(|fault| (fault.identity(), fault)).collect();
    let again = suspects.into_iter();
    let again = again.filter_map(|(fault, looks)| Some((found.remove(&fault.identity())?, looks)));
    Ok(again.collect())
}
