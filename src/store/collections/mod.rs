//! Single steps on what somebody keeps, favourites and bookmarks: the truth in their own slot, and
//! its pages.

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
    /// By this call, or before.
    Kept,
    TooMany,
    UnknownPerson,
}

/// How much of what somebody keeps one read looks at, at most.
const LOOKED_AT: usize = 1000;

impl Store {
    /// How many statuses one person can keep there.
    #[must_use]
    pub fn collection_limit(&self, collection: Collection) -> usize {
        match collection {
            Collection::Favourites => self.config.limits.max_favourites,
            Collection::Bookmarks => self.config.limits.max_bookmarks,
        }
    }

    /// Keeps a status. Where no more can be kept, what died meanwhile makes room, as far as a look
    /// at some of it finds any.
    ///
    /// # Errors
    /// `Ended` where the session that asks is over.
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

    /// Keeps a status no longer.
    ///
    /// # Errors
    /// `Ended` where the session that asks is over.
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

    /// Whether somebody keeps a status there, by the truth.
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

    /// What somebody keeps, kept last first, as they see it: full unless it ends. What died
    /// meanwhile is met here and goes.
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

    /// Looks at a thousand of what somebody keeps, drawn anew each time, takes the dead among them
    /// out, and says whether there were any.
    async fn discard_some_dead(&self, of: UserId, collection: Collection) -> Result<bool> {
        let some = redis::cmd("ZRANDMEMBER")
            .with(keys::collection(of, collection))
            .with(LOOKED_AT);
        let ids: Vec<u64> = self.connection.query(some).await?;
        self.discard_dead(of, collection, status_ids(ids)).await
    }

    /// Takes those of these out that are dead, and says whether there were any. Death is final, so
    /// whoever meets it may.
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
