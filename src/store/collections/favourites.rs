//! Reads of favourites.

use crate::{
    domain::{Cursor, Page, StatusId, UserId},
    store::{
        Person, Relation, Result, Store, Viewer, keys,
        redis::{connection::read, scripts::With},
    },
};

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
            Relation::favourite(by, id).truth.score(),
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
}
