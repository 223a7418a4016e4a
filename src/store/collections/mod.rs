//! Single steps on saved statuses, favourites and bookmarks: the source of truth in the owner's slot,
//! and its pages.

pub(super) mod favourites;

use std::sync::Arc;

use super::{
    AccountPage, PageInProgress, Rest, SetOutcome, access::may_see_favourites, prelude::*,
    statuses::status_row::StatusRow,
};
use crate::domain::Collection;

/// Maximum number of entries per read.
const LOOKED_AT: usize = 1000;

impl Store {
    pub fn collection_limit(&self, collection: Collection) -> usize {
        match collection {
            Collection::Favourites => self.config.limits.max_favourites,
            Collection::Bookmarks => self.config.limits.max_bookmarks,
        }
    }

    /// Saves a status. If the collection is full, dead entries make room, as far as a sample of it
    /// contains any.
    pub async fn save_status(
        &self,
        call: &Call,
        actor: &Actor,
        collection: Collection,
        StatusRef { status, author }: StatusRef,
    ) -> Result<SetOutcome> {
        let relation = Relation::saved(actor.id, collection, status);
        let set = async || {
            self.set_status_relation(call, actor, &relation, author)
                .await
        };
        let saved = set().await?;
        if saved == SetOutcome::TooMany && self.remove_some_deleted(actor.id, collection).await? {
            return set().await;
        }
        Ok(saved)
    }

    /// Returns the last `count` favourites of a user before a position, dead statuses included, each with the position
    /// that continues.
    pub async fn favourites_before(
        &self,
        of: UserId,
        before: Option<Cursor>,
        count: usize,
    ) -> Result<Vec<(StatusId, Cursor)>> {
        let key = keys::favourites(of);
        let rows = self.edges_before(&key, before, count).await?;
        let place =
            |(id, score): (u64, f64)| Some((StatusId::new(id).ok()?, Cursor::before(score as u64)));
        Ok(rows.into_iter().filter_map(place).collect())
    }

    /// Returns one page of the favourites of a person as a viewer sees them. `None` if the person does not show them to
    /// the viewer. Nothing is read for a viewer who may not see the account.
    pub async fn favourites_page(
        &self,
        viewer: Viewer,
        person: &User,
        before: Option<Cursor>,
    ) -> Result<Option<Page<VisibleStatus>>> {
        if !may_see_favourites(viewer, person) {
            return Ok(None);
        }
        let page = match self.may_see_account(viewer, person).await? {
            true => {
                let favourites = (person.id, Collection::Favourites);
                self.collection_page_for(viewer, favourites, before).await?
            }
            false => AccountPage::default().statuses,
        };
        Ok(Some(page))
    }

    /// Returns one page of a collection as its owner sees it, last saved first.
    pub async fn collection_page(
        &self,
        of: UserId,
        collection: Collection,
        before: Option<Cursor>,
    ) -> Result<Page<VisibleStatus>> {
        self.collection_page_for(Viewer::Member(of), (of, collection), before)
            .await
    }

    /// Returns one page of a collection, last saved first. A page is full unless the collection ends. Dead entries are
    /// removed when its owner reads it.
    async fn collection_page_for(
        &self,
        viewer: Viewer,
        (of, collection): (UserId, Collection),
        before: Option<Cursor>,
    ) -> Result<Page<VisibleStatus>> {
        let key = keys::collection(of, collection);
        let mut page = PageInProgress::new(before);
        while let Some((cursor, wanted)) = page.wants() {
            let rows = self.edges_before(&key, cursor, wanted).await?;
            let places: Vec<(StatusId, Cursor)> = rows
                .iter()
                .filter_map(|(id, score)| {
                    let id = StatusId::new(*id).ok()?;
                    Some((id, Cursor::before(*score as u64)))
                })
                .collect();
            let ids: Vec<StatusId> = places.iter().map(|(id, _)| *id).collect();
            let visible = self.visible(viewer, &ids).await?;
            if viewer.id() == Some(of) {
                // Of the entries that are not shown, most live and are hidden from the viewer. The cache knows that.
                let rows = self.rows_of::<StatusRow>(&ids).await?;
                let dead = |row: Option<Arc<StatusRow>>| row.is_none_or(|row| row.is_dead);
                let dead = ids
                    .into_iter()
                    .zip(rows)
                    .filter_map(|(id, row)| dead(row).then_some(id));
                self.remove_deleted(of, collection, dead.collect()).await?;
            }
            let rest = match places[..] {
                [] => Rest::Nothing,
                _ => Rest::of(rows.len(), wanted),
            };
            page.add_at(&places, visible, rest);
        }
        Ok(page.finish())
    }

    /// Examines a random sample of a thousand entries, removes those of deleted statuses, and returns whether there
    /// were any.
    async fn remove_some_deleted(&self, of: UserId, collection: Collection) -> Result<bool> {
        let some = redis::cmd("ZRANDMEMBER").with((keys::collection(of, collection), LOOKED_AT));
        let ids: Vec<u64> = self.connection.query(some).await?;
        self.remove_deleted(of, collection, status_ids(ids)).await
    }

    /// Removes the dead among these entries and returns whether there were any. A deletion is final, so any reader may
    /// do it.
    pub async fn remove_deleted(
        &self,
        of: UserId,
        collection: Collection,
        mut ids: Vec<StatusId>,
    ) -> Result<bool> {
        let lives = self.lives(&ids).await?;
        let mut lives = lives.iter();
        ids.retain(|_| !lives.next().is_some_and(|life| life.is_living()));
        if ids.is_empty() {
            return Ok(false);
        }
        let dead: Vec<u64> = ids.iter().map(|id| id.get()).collect();
        let remove = redis::cmd("ZREM").with((keys::collection(of, collection), dead));
        self.connection.query::<i64>(remove).await?;
        Ok(true)
    }
}
