//! The page of blocked people. Only their owner sees it, so it shows people whom the owner may not find.

use std::sync::Arc;

use super::is_hidden;
use crate::store::prelude::*;

impl Store {
    /// Returns a person that a member can block: one whom they find, or block already. So the same form again
    /// gets the same answer.
    pub async fn person_to_block(&self, by: UserId, login: &Login) -> Result<Option<Arc<User>>> {
        if let Some(user) = self.find_user(Viewer::Member(by), login).await? {
            return Ok(Some(user));
        }
        let Some(user) = self.user_by_login(login).await? else {
            return Ok(None);
        };
        let is_blocked = self.has_relation(&Relation::Block(by, user.id)).await?;
        Ok(Some(user).filter(|_| is_blocked))
    }

    /// Returns one page of the people that a user blocks, newest first.
    pub async fn blocked_page(&self, of: UserId, before: Option<Cursor>) -> Result<Page<Person>> {
        let rows = self
            .edges_before(&keys::blocked(of), before, PAGE_SIZE + 1)
            .await?;
        let shown = &rows[..rows.len().min(PAGE_SIZE)];
        let ids = user_ids(shown.iter().map(|(id, _)| *id));
        let last = shown.last().filter(|_| rows.len() > PAGE_SIZE);
        let mut people = self.people_and_blocked(Viewer::Member(of), &ids).await?;
        people.retain(|person| !is_hidden(&person.user));
        Ok(Page {
            items: people,
            next: last.map(|(_, score)| Cursor::before(*score as u64)),
        })
    }
}
