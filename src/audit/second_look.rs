//! What seemed wrong is looked at again, because things move while the site is in use.
//!
//! An operation leaves a reminder before its truth and removes it when every copy agrees or the task
//! that goes on stands in the stream; so whatever it makes disagree meanwhile is named by work that
//! waits. A fault therefore counts only when it is seen once more after a moment in which no work
//! named it, and once again: an operation that had begun before is over by then, and another would
//! have to leave the very same fault. While work names it, it is waited for, up to the time-out of
//! reminders and a margin; what is then still named by work that waits no longer than it may is
//! under way and not wrong (work that waits longer is a fault of its own). Where nothing is wrong
//! nothing is waited for, and with no work about it the verdict takes two looks of 50 ms.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    time::Duration,
};

use tokio::time::{Instant, sleep};

use super::{
    backlog,
    fault::{Concern, Fault, Subject},
    look,
};
use crate::store::{Result, Store};

/// Looks in a row, with no work about it, at which a fault must be seen again.
const LOOKS: u32 = 2;
/// Between two looks.
const BETWEEN: Duration = Duration::from_millis(50);
/// Between two looks at what work is about: each reads all that waits.
const BETWEEN_AT_WORK: Duration = Duration::from_secs(1);
/// How long a worker may take with a reminder that is due.
const MARGIN: Duration = Duration::from_secs(5);

/// What is left of what seemed wrong.
#[derive(Default)]
pub(super) struct Verdict {
    pub(super) wrong: Vec<Fault>,
    /// How much is wrong only until work that waits is done.
    pub(super) under_way: u64,
}

/// How long what work is about is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Patience {
    /// Until a reminder would have mended it.
    OutboxEntry,
    /// Not at all: another walk comes.
    None,
}

/// Looks again until each of these is gone, is wrong, or is under way.
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
        // What work names is not looked at until that is done, or for the last time.
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

/// Those that a look still finds, as it finds them.
async fn still_wrong(store: &Store, suspects: Vec<(Fault, u32)>) -> Result<Vec<(Fault, u32)>> {
    let subjects: BTreeSet<Subject> = suspects
        .iter()
        .map(|(fault, _)| fault.subject.clone())
        .collect();
    let look = look::at(store, subjects.into_iter().collect()).await?;
    let now: HashMap<u64, Fault> = look
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
