//! Reads of favourites.

use crate::store::prelude::*;

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
        let reads = [
            Place::of(&Relation::Favourite(by, id)).score(),
            redis::cmd("HGET").with((keys::status(id), "uid")),
        ];
        let (score, author): (Option<f64>, Option<u64>) =
            self.connection.query_tuple(reads).await?;
        Ok(FavouriteState {
            since_us: score.map(|score| score as u64),
            author: author.and_then(|author| UserId::new(author).ok()),
        })
    }
}
