//! The page of blocked people. Only their owner sees it, so it shows people whom the owner may not find.

use super::is_hidden;
use crate::store::{PageInProgress, Rest, prelude::*};

impl Store {
    /// Returns one page of the people that a user blocks, newest first. It has people that the user may not find, and no
    /// hidden accounts. A page is full unless the people end.
    pub async fn blocked_page(&self, of: UserId, before: Option<Cursor>) -> Result<Page<Person>> {
        let key = keys::blocked(of);
        let mut page = PageInProgress::new(before);
        while let Some((cursor, wanted)) = page.wants() {
            let rows = self.edges_before(&key, cursor, wanted);
            let place = |(id, score)| (id, Cursor::before(score as u64));
            let places: Vec<(u64, Cursor)> = rows.await?.into_iter().map(place).collect();
            let ids = user_ids(places.iter().map(|(id, _)| *id));
            let people = self.people_and_blocked(Viewer::Member(of), &ids).await?;
            let active = people.into_iter().filter(|person| !is_hidden(&person.user));
            page.add_people(&places, active, Rest::of(places.len(), wanted));
        }
        Ok(page.finish())
    }
}
