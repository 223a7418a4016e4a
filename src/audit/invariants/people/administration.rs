//! The log of the administration: each entry can be read, and the numbers of acts follow from it.

use crate::audit::invariants::prelude::*;
use crate::domain::LoggedAct;

pub(in crate::audit) const ADMIN_LOG_IS_READABLE: Invariant = Invariant::new(
    "admin_log_is_readable",
    "each entry of the log of the administration can be read",
);
pub(in crate::audit) const ACTS_ARE_COUNTED: Invariant = Invariant::new(
    "acts_are_counted",
    "the numbers of acts of the last 30 days and 12 months are those of the log of the administration",
);

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::Key(key @ Key::AdminLog) => {
            check_entries(exam, key).await?;
            check_counts(exam, key).await
        }
        Target::Key(key @ Key::ActCounts) => check_counts(exam, key).await,
        _ => Ok(()),
    }
}

/// Reports an entry that cannot be read. Nothing repairs it, because the log is append-only.
async fn check_entries(exam: &mut Examination<'_>, key: &Key) -> Result<()> {
    let mut members = Members::of(ADMIN_LOG_IS_READABLE, key, "entry");
    while let Some(rows) = members.rows(exam).await? {
        members.check_unique(exam, &rows);
        for (entry, _) in rows {
            if entry.parse::<LoggedAct>().is_err() {
                exam.found(members.fault(format!("{entry:?} is not an entry of the log")));
            }
        }
    }
    Ok(())
}

/// Compares the numbers with the log. Acts that are logged meanwhile change both in one step, so the numbers are compared
/// only if they are the same before and after the log was read.
async fn check_counts(exam: &mut Examination<'_>, key: &Key) -> Result<()> {
    let before = exam.store.act_counts().await?;
    if *key == Key::AdminLog && !before.is_empty() {
        // If counts exist, they are checked with the key of the counts.
        return Ok(());
    }
    exam.examined(ACTS_ARE_COUNTED, 1);
    let in_log = exam.store.acts_in_log().await?.counts;
    let is_steady = exam.store.act_counts().await? == before;
    if !is_steady || in_log == before {
        return Ok(());
    }
    let text = "the numbers of acts do not match the log";
    let fault = Fault::new(ACTS_ARE_COUNTED, key, text);
    let words = "counted the acts of the log again".to_owned();
    exam.found(fault.repair(words, |store| async move { store.recount_acts().await }));
    Ok(())
}
