//! The page of muted conversations.

use crate::store::{Life, prelude::*};

/// A conversation that a user mutes.
#[derive(Debug, Clone)]
pub struct MutedConversation {
    /// Its first status, which may be deleted.
    pub first: StatusId,
    /// The first status, if the user may see it.
    pub status: Option<VisibleStatus>,
}

impl Store {
    /// Returns one page of the conversations that a user mutes, last muted first. Mutes of conversations without any
    /// status are removed.
    pub async fn muted_conversations_page(
        &self,
        of: UserId,
        before: Option<Cursor>,
    ) -> Result<Page<MutedConversation>> {
        let key = keys::muted_conversations(of);
        let rows = self.edges_before(&key, before, PAGE_SIZE + 1).await?;
        let shown = &rows[..rows.len().min(PAGE_SIZE)];
        let ids = status_ids(shown.iter().map(|(id, _)| *id));
        let visible = self.visible(Viewer::Member(of), &ids).await?;
        let lives = self.lives(&ids).await?;
        let (mut items, mut gone) = (Vec::with_capacity(ids.len()), Vec::new());
        for (first, life) in ids.into_iter().zip(lives) {
            let status = visible.iter().find(|status| status.id() == first).cloned();
            match life {
                Life::Absent => gone.push(first.get()),
                Life::Living(_) | Life::Dead(_) => items.push(MutedConversation { first, status }),
            }
        }
        if !gone.is_empty() {
            let remove = redis::cmd("ZREM").with((key, gone));
            self.connection.query::<i64>(remove).await?;
        }
        let last = shown.last().filter(|_| rows.len() > PAGE_SIZE);
        Ok(Page {
            items,
            next: last.map(|(_, score)| Cursor::before(*score as u64)),
        })
    }
}
