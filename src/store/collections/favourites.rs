//! Single steps on favourites: the source of truth with its outbox entry, and the mirror in the status's
//! slot.

use crate::{
    domain::{Collection, Cursor, Page, StatusId, Thing, UserId},
    store::{
        Actor, Call, Collect, Error, OutboxEntry, Person, Result, Store, Viewer, keys,
        redis::{
            connection::read,
            scripts::{self, With},
        },
    },
};

/// Outcome of writing the mirror.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MirrorFavourite {
    Done,
    /// The status is not alive.
    Dead,
}

/// A favourite, and the author of the status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FavouriteState {
    /// Time of the favourite (µs). `None` if there is none.
    pub since_us: Option<u64>,
    /// `None` if nothing is left of the status.
    pub author: Option<UserId>,
}

impl Store {
    /// Returns the source of truth of a favourite. One round trip.
    pub async fn favourite(&self, by: UserId, id: StatusId) -> Result<FavouriteState> {
        let reads = vec![
            redis::cmd("ZSCORE")
                .with(keys::collection(by, Collection::Favourites))
                .with(id.get()),
            redis::cmd("HGET").with(keys::status(id)).with("uid"),
        ];
        let mut answers = self.connection.batch(reads).await?.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let (score, author): (Option<f64>, Option<u64>) = (read(next())?, read(next())?);
        Ok(FavouriteState {
            since_us: score.map(|score| score as u64),
            author: author.and_then(|author| UserId::new(author).ok()),
        })
    }

    /// Writes the outbox entry, then the favourite, in two round trips.
    pub async fn set_favourite(
        &self,
        call: &Call,
        actor: &Actor,
        id: StatusId,
    ) -> Result<(Collect, OutboxEntry)> {
        let outbox_entry = self
            .add_outbox_entry(&Thing::Favourite(actor.id, id))
            .await?;
        let set = self.collect(call, actor, Collection::Favourites, id).await;
        match set {
            Err(Error::Ended) => self.ended(outbox_entry).await,
            set => Ok((set?, outbox_entry)),
        }
    }

    /// Writes the outbox entry, then removes the favourite, in two round trips.
    pub async fn clear_favourite(
        &self,
        call: &Call,
        actor: &Actor,
        id: StatusId,
    ) -> Result<OutboxEntry> {
        let outbox_entry = self
            .add_outbox_entry(&Thing::Favourite(actor.id, id))
            .await?;
        let cleared = self.discard(call, actor, Collection::Favourites, id).await;
        match cleared {
            Err(Error::Ended) => self.ended(outbox_entry).await,
            cleared => cleared.map(|()| outbox_entry),
        }
    }

    /// Writes the status's side, if the status is alive.
    pub async fn mirror_favourite(
        &self,
        call: &Call,
        by: UserId,
        id: StatusId,
    ) -> Result<MirrorFavourite> {
        let mirror = scripts::MIRROR_FAVOURITE
            .on([keys::favourited_by(id), keys::status(id)])
            .with(call.deadline())
            .with(by.get());
        match self.connection.query::<i64>(mirror).await? {
            1 => Ok(MirrorFavourite::Done),
            0 => Ok(MirrorFavourite::Dead),
            code => Err(scripts::MIRROR_FAVOURITE.undocumented(code)),
        }
    }

    /// Removes the status's side.
    pub async fn unmirror_favourite(&self, call: &Call, by: UserId, id: StatusId) -> Result<()> {
        let unmirror = scripts::UNMIRROR_FAVOURITE
            .on([keys::favourited_by(id), keys::status(id)])
            .with(call.deadline())
            .with(by.get());
        self.connection.query::<i64>(unmirror).await.map(drop)
    }

    /// Returns one page of the people who favourited a status, newest first.
    pub async fn favourited_by_page(
        &self,
        viewer: Viewer,
        of: StatusId,
        before: Option<Cursor>,
    ) -> Result<Page<Person>> {
        self.people_page(viewer, keys::favourited_by(of), before)
            .await
    }

    /// Returns whether each of these people favourited the status. One round trip.
    pub async fn favourited_by_each(&self, id: StatusId, people: &[UserId]) -> Result<Vec<bool>> {
        let score = |who: &UserId| {
            redis::cmd("ZSCORE")
                .with(keys::collection(*who, Collection::Favourites))
                .with(id.get())
        };
        self.stands_in_each(people.iter().map(score).collect())
            .await
    }

    /// Returns whether each of these statuses lists the person among those who favourited it. One round
    /// trip.
    pub async fn has_favourited_each(&self, who: UserId, ids: &[StatusId]) -> Result<Vec<bool>> {
        let score = |id: &StatusId| {
            redis::cmd("ZSCORE")
                .with(keys::favourited_by(*id))
                .with(who.get())
        };
        self.stands_in_each(ids.iter().map(score).collect()).await
    }

    /// Returns whether each person favourited the status. One round trip.
    pub async fn are_favourited(&self, pairs: &[(UserId, StatusId)]) -> Result<Vec<bool>> {
        let score = |(by, id): &(UserId, StatusId)| {
            redis::cmd("ZSCORE")
                .with(keys::collection(*by, Collection::Favourites))
                .with(id.get())
        };
        self.stands_in_each(pairs.iter().map(score).collect()).await
    }

    pub(in crate::store) async fn stands_in_each(
        &self,
        scores: Vec<redis::Cmd>,
    ) -> Result<Vec<bool>> {
        let answers = self.connection.batch(scores).await?.into_iter();
        let stands = |answer| Ok(read::<Option<f64>>(answer)?.is_some());
        answers.map(stands).collect()
    }
}
