//! What a status leaves in other slots besides timelines: with whom it answers, mentions or reposts,
//! and under what it is found. All of it follows from the status, and is covered by its reminder.

use crate::{
    domain::{Provenance, StatusId},
    store::{Call, Heading, Life, Result, Store},
};

/// How often copies are brought to the truth when that changes meanwhile, before it is left to whoever
/// changed it.
const ROUNDS: usize = 5;

/// Brings a living status to where it is looked for, before it is delivered: whoever begins to follow
/// meanwhile finds it there. What its text had before it was changed goes, and all of it where it died.
/// Leaves the same when executed twice, and tells nobody twice.
pub(super) async fn enter(
    store: &Store,
    call: &Call,
    id: StatusId,
    status: &Provenance,
) -> Result<()> {
    let mut status = status.clone();
    for _ in 0..ROUNDS {
        let (headings, former) = (Heading::all_of(&status), Heading::former_of(&status));
        if headings.is_empty() && former.is_empty() {
            return Ok(());
        }
        store.leave_records((id, &status), &former).await?;
        store.enter_records(call, (id, &status), &headings).await?;
        match store.life(id).await? {
            Life::Living(now) if now == status => return Ok(()),
            Life::Living(now) => status = now,
            Life::Dead(_) | Life::Absent => return leave(store, id, &status).await,
        }
    }
    Ok(())
}

/// Takes a dead status away from there.
pub(super) async fn leave(store: &Store, id: StatusId, status: &Provenance) -> Result<()> {
    let mut headings = Heading::former_of(status);
    headings.extend(Heading::all_of(status));
    store.leave_records((id, status), &headings).await
}
