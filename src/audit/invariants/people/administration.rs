//! The log of the administration: each entry can be read.

use crate::audit::invariants::prelude::*;
use crate::domain::LoggedAct;

pub(in crate::audit) const ADMIN_LOG_IS_READABLE: Invariant = Invariant::new(
    "admin_log_is_readable",
    "each entry of the log of the administration can be read",
);

/// Reports an entry that cannot be read. Nothing repairs it, because the log is only added to.
pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    let Target::Key(key @ Key::AdminLog) = exam.target else {
        return Ok(());
    };
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
