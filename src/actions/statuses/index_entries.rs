//! The tag index and mention index entries of a status.

use crate::actions::operations::ATTEMPTS;
use crate::{actions::prelude::*, store::IndexEntry};

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
        let former = IndexEntry::former_of(&status);
        if index_entries.is_empty() && former.is_empty() {
            return Ok(());
        }
        store.remove_index_entries((id, &status), &former).await?;
        store
            .add_index_entries(call, (id, &status), &index_entries)
            .await?;
        let is_counted = !status.tags.is_empty() && status.counts_in_trends();
        if is_counted && store.is_out_of_trends(status.author).await? {
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

/// Counts the authors of these statuses as users of their tags. A status that changed meanwhile counts for the tags that
/// it still has. The index entries stay as they are, because no outbox entry covers this call.
pub(in crate::actions) async fn add_tag_uses(
    store: &Store,
    call: &Call,
    statuses: &[(StatusId, StatusHeader)],
) -> Result<()> {
    let added: Vec<_> = statuses.iter().flat_map(tag_uses).collect();
    store.set_tag_uses(call, &added, true).await?;
    let ids: Vec<StatusId> = statuses.iter().map(|(id, _)| *id).collect();
    let lives = ids.iter().zip(store.lives(&ids).await?);
    let living = lives.filter_map(|(id, life)| Some((*id, life.living()?)));
    let counted: Vec<_> = living.flat_map(|status| tag_uses(&status)).collect();
    let ended = added
        .into_iter()
        .filter(|tag_use| !counted.contains(tag_use));
    let ended: Vec<_> = ended.collect();
    store.set_tag_uses(call, &ended, false).await
}

fn tag_uses((id, status): &(StatusId, StatusHeader)) -> Vec<(StatusId, UserId, FoldedTag)> {
    let tags = status.tags.iter().filter(|_| status.counts_in_trends());
    tags.map(|tag| (*id, status.author, tag.clone())).collect()
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
