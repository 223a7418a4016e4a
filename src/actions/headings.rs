//! Under what a status is looked for: its tags, and those whom it mentions.

use crate::{
    domain::{Provenance, StatusId},
    store::{Call, Heading, Life, Result, Store},
};

/// How often copies are brought to the truth when that changes meanwhile, before it is left to whoever
/// changed it.
const ROUNDS: usize = 5;

/// Brings a living status under what it belongs, and takes it from where it belonged before its text
/// was changed; from all of it where it died.
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

/// Takes a dead status from under all of it.
pub(super) async fn leave(store: &Store, id: StatusId, status: &Provenance) -> Result<()> {
    let mut headings = Heading::former_of(status);
    headings.extend(Heading::all_of(status));
    store.leave_records((id, status), &headings).await
}
