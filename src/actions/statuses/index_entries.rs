//! The tag index and mention index entries of a status.

use crate::actions::operations::ATTEMPTS;
use crate::{actions::prelude::*, domain::Readers, store::IndexEntry};

/// Adds a living status to its index entries and removes those of its former text. Removes all if it
/// died.
pub(in crate::actions) async fn add_copies(
    store: &Store,
    call: &Call,
    id: StatusId,
    status: &StatusHeader,
) -> Result<()> {
    let mut status = status.clone();
    for _ in 0..ATTEMPTS {
        let index_entries = IndexEntry::all_of(&status);
        let mut former = IndexEntry::former_of(&status);
        // Tags of a status that was visible to everyone before no longer count as used.
        if status.readers != Readers::Everyone {
            let tags = index_entries.iter();
            let tags = tags.filter(|entry| matches!(entry, IndexEntry::Tag(_)));
            former.extend(tags.cloned());
        }
        if index_entries.is_empty() && former.is_empty() {
            return Ok(());
        }
        store.remove_index_entries((id, &status), &former).await?;
        store
            .add_index_entries(call, (id, &status), &index_entries)
            .await?;
        let is_waiting = status.waiting_since.is_some();
        if !status.tags.is_empty() && (is_waiting || store.is_out_of_trends(status.author).await?) {
            let tags = status.tags.iter().cloned();
            store.remove_tag_uses(tags, status.author).await?;
        }
        match store.life(id).await? {
            Life::Living(now) if now == status => return Ok(()),
            Life::Living(now) => status = now,
            Life::Dead(_) | Life::Absent => return remove_copies(store, id, &status).await,
        }
    }
    Ok(())
}

/// Removes all index entries of a dead status.
pub(in crate::actions) async fn remove_copies(
    store: &Store,
    id: StatusId,
    status: &StatusHeader,
) -> Result<()> {
    let mut index_entries = IndexEntry::former_of(status);
    index_entries.extend(IndexEntry::all_of(status));
    store
        .remove_index_entries((id, status), &index_entries)
        .await
}
