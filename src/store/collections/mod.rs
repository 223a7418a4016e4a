//! Single steps on saved statuses, favourites and bookmarks: the source of truth in the owner's slot,
//! and its pages.

pub(super) mod favourites;

use std::collections::HashSet;

use super::{
    Actor, Call, Error, PageInProgress, Rest, Result, Store, Viewer, VisibleStatus, keys,
    redis::scripts::{self, With},
    timelines::profiles::status_ids,
};
use crate::domain::{Collection, Cursor, Page, StatusId, UserId};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Collect {
    /// Saved by this call or before.
    Kept,
    TooMany,
    UnknownPerson,
}

/// Maximum number of entries per read.
const LOOKED_AT: usize = 1000;

impl Store {
    /// Returns the maximum number of statuses in a collection.
    #[must_use]
    pub fn collection_limit(&self, collection: Collection) -> usize {
        match collection {
            Collection::Favourites => self.config.limits.max_favourites,
            Collection::Bookmarks => self.config.limits.max_bookmarks,
        }
    }

    /// Saves a status. If the collection is full, dead entries make room, as far as a sample of it
    /// contains any.
    pub async fn collect(
        &self,
        call: &Call,
        actor: &Actor,
        collection: Collection,
        id: StatusId,
    ) -> Result<Collect> {
        let mut collected = self.try_collect(call, actor, collection, id).await?;
        if collected == Collect::TooMany && self.discard_some_dead(actor.id, collection).await? {
            collected = self.try_collect(call, actor, collection, id).await?;
        }
        Ok(collected)
    }

    async fn try_collect(
        &self,
        call: &Call,
        actor: &Actor,
        collection: Collection,
        id: StatusId,
    ) -> Result<Collect> {
        let collect = scripts::COLLECT_STATUS
            .on([
                keys::collection(actor.id, collection),
                keys::user(actor.id),
                keys::auth(actor.id),
            ])
            .with(call.deadline())
            .with(id.get())
            .with(self.collection_limit(collection))
            .with(actor.epoch());
        match self.connection.keep::<i64>(collect).await? {
            0 | 1 => Ok(Collect::Kept),
            -1 => Ok(Collect::TooMany),
            -2 => Ok(Collect::UnknownPerson),
            -3 => Err(Error::Ended),
            code => Err(scripts::COLLECT_STATUS.undocumented(code)),
        }
    }

    /// Removes a status from a collection.
    pub async fn discard(
        &self,
        call: &Call,
        actor: &Actor,
        collection: Collection,
        id: StatusId,
    ) -> Result<()> {
        let discard = scripts::DISCARD_STATUS
            .on([
                keys::collection(actor.id, collection),
                keys::user(actor.id),
                keys::auth(actor.id),
            ])
            .with(call.deadline())
            .with(id.get())
            .with(actor.epoch());
        match self.connection.keep::<i64>(discard).await? {
            0 | 1 => Ok(()),
            -3 => Err(Error::Ended),
            code => Err(scripts::DISCARD_STATUS.undocumented(code)),
        }
    }

    /// Returns whether a person saved a status.
    pub async fn has_collected(
        &self,
        who: UserId,
        collection: Collection,
        id: StatusId,
    ) -> Result<bool> {
        let score = redis::cmd("ZSCORE")
            .with(keys::collection(who, collection))
            .with(id.get());
        Ok(self.connection.query::<Option<f64>>(score).await?.is_some())
    }

    /// Returns one page of a collection as its owner sees it, last saved first. A page is full unless
    /// the collection ends. Dead entries are removed.
    pub async fn collection_page(
        &self,
        of: UserId,
        collection: Collection,
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
            let visible = self.visible(Viewer::Member(of), &ids).await?;
            let shown: HashSet<StatusId> = visible.iter().map(VisibleStatus::id).collect();
            let hidden = ids.into_iter().filter(|id| !shown.contains(id)).collect();
            self.discard_dead(of, collection, hidden).await?;
            let rest = match places[..] {
                [] => Rest::Nothing,
                _ => Rest::of(rows.len(), wanted),
            };
            page.add_at(&places, visible, rest);
        }
        Ok(page.finish())
    }

    /// Examines a random sample of a thousand entries, removes the dead ones, and returns whether there
    /// were any.
    async fn discard_some_dead(&self, of: UserId, collection: Collection) -> Result<bool> {
        let some = redis::cmd("ZRANDMEMBER")
            .with(keys::collection(of, collection))
            .with(LOOKED_AT);
        let ids: Vec<u64> = self.connection.query(some).await?;
        self.discard_dead(of, collection, status_ids(ids)).await
    }

    /// Removes the dead among these entries and returns whether there were any. Death is final, so any
    /// reader may do it.
    pub async fn discard_dead(
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
        let remove = redis::cmd("ZREM")
            .with(keys::collection(of, collection))
            .with(dead);
        self.connection.query::<i64>(remove).await?;
        Ok(true)
    }
}
