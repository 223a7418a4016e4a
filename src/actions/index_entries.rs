//! Under what a status is looked for: its tags, and those whom it mentions.

use crate::{
    domain::{StatusHeader, StatusId},
    store::{Call, IndexEntry, Life, Result, Store},
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
    status: &StatusHeader,
) -> Result<()> {
    let mut status = status.clone();
    for _ in 0..ROUNDS {
        let (index_entries, former) = (IndexEntry::all_of(&status), IndexEntry::former_of(&status));
        if index_entries.is_empty() && former.is_empty() {
            return Ok(());
        }
        store.remove_index_entries((id, &status), &former).await?;
        store
            .add_index_entries(call, (id, &status), &index_entries)
            .await?;
        match store.life(id).await? {
            Life::Living(now) if now == status => return Ok(()),
            Life::Living(now) => status = now,
            Life::Dead(_) | Life::Absent => return leave(store, id, &status).await,
        }
    }
    Ok(())
}

/// Takes a dead status from under all of it.
pub(super) async fn leave(store: &Store, id: StatusId, status: &StatusHeader) -> Result<()> {
    let mut index_entries = IndexEntry::former_of(status);
    index_entries.extend(IndexEntry::all_of(status));
    store
        .remove_index_entries((id, status), &index_entries)
        .await
}
