//! Single steps on favourites: the truth with its reminder, and its mirror in the status's slot.

use super::{
    Actor, Call, Collect, Error, Person, Reminder, Result, Store, Viewer,
    connection::read,
    keys,
    scripts::{self, With},
};
use crate::domain::{Collection, Cursor, Page, StatusId, Thing, UserId};

/// What became of the mirror of a favourite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MirrorFavourite {
    Done,
    /// The status does not live, so there is nothing to favour.
    Dead,
}

impl Store {
    /// Reminds, then favours. A reminder that could not be left leaves the truth alone, so this
    /// takes two trips.
    pub async fn set_favourite(
        &self,
        call: &Call,
        actor: &Actor,
        id: StatusId,
    ) -> Result<(Collect, Reminder)> {
        let reminder = self.remind(&Thing::Favourite(actor.id, id)).await?;
        let set = self.collect(call, actor, Collection::Favourites, id).await;
        match set {
            Err(Error::Ended) => self.ended(reminder).await,
            set => Ok((set?, reminder)),
        }
    }

    /// Reminds, then favours no longer. A reminder that could not be left leaves the truth alone,
    /// so this takes two trips.
    pub async fn clear_favourite(
        &self,
        call: &Call,
        actor: &Actor,
        id: StatusId,
    ) -> Result<Reminder> {
        let reminder = self.remind(&Thing::Favourite(actor.id, id)).await?;
        let cleared = self.discard(call, actor, Collection::Favourites, id).await;
        match cleared {
            Err(Error::Ended) => self.ended(reminder).await,
            cleared => cleared.map(|()| reminder),
        }
    }

    /// Writes the status's side, where it lives.
    pub async fn mirror_favourite(
        &self,
        call: &Call,
        by: UserId,
        id: StatusId,
    ) -> Result<MirrorFavourite> {
        let mirror = scripts::MIRROR_FAVOURITE
            .on([keys::favourers(id), keys::status(id)])
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
            .on([keys::favourers(id), keys::status(id)])
            .with(call.deadline())
            .with(by.get());
        self.connection.query::<i64>(unmirror).await.map(drop)
    }

    /// Who favours a status, newest first.
    pub async fn favourers_page(
        &self,
        viewer: Viewer,
        of: StatusId,
        before: Option<Cursor>,
    ) -> Result<Page<Person>> {
        self.people_page(viewer, keys::favourers(of), before).await
    }

    /// Whether each of these people favours a status, by the truth. One trip.
    pub async fn favoured_by_each(&self, id: StatusId, people: &[UserId]) -> Result<Vec<bool>> {
        let score = |who: &UserId| {
            redis::cmd("ZSCORE")
                .with(keys::collection(*who, Collection::Favourites))
                .with(id.get())
        };
        self.stands_in_each(people.iter().map(score).collect())
            .await
    }

    /// Whether each of these statuses lists somebody among those who favour it. One trip.
    pub async fn is_favourer_of_each(&self, who: UserId, ids: &[StatusId]) -> Result<Vec<bool>> {
        let score = |id: &StatusId| {
            redis::cmd("ZSCORE")
                .with(keys::favourers(*id))
                .with(who.get())
        };
        self.stands_in_each(ids.iter().map(score).collect()).await
    }

    pub(super) async fn stands_in_each(&self, scores: Vec<redis::Cmd>) -> Result<Vec<bool>> {
        let answers = self.connection.batch(scores).await?.into_iter();
        let stands = |answer| Ok(read::<Option<f64>>(answer)?.is_some());
        answers.map(stands).collect()
    }
}
