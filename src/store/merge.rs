//! The merge of profiles: the newest statuses over a set of authors. It serves rebuilding, pages
//! below the floor and homes that are being built.

use super::{
    Result, Store,
    connection::read,
    keys,
    profiles::{older, status_ids},
};
use crate::domain::{Cursor, StatusId, UserId};

/// How many profiles one trip reads.
const PROFILES_A_TRIP: usize = 1000;

/// How far one author has been read.
struct Source {
    author: UserId,
    cursor: Option<Cursor>,
    ended: bool,
}

impl Store {
    /// The newest `count` statuses older than the cursor by any of the authors, newest first.
    /// Reads ceil(2 count / authors), at least 4, of each, then goes on only with those whose last
    /// one is newer than the `count`-th best. A profile's last page takes no further trip.
    pub async fn merge_profiles(
        &self,
        authors: &[UserId],
        before: Option<Cursor>,
        count: usize,
    ) -> Result<Vec<(StatusId, UserId)>> {
        let mut portion = (2 * count).div_ceil(authors.len().max(1)).max(4);
        let new_source = |author: &UserId| Source {
            author: *author,
            cursor: before,
            ended: false,
        };
        let mut open: Vec<Source> = authors.iter().map(new_source).collect();
        let mut best: Vec<(StatusId, UserId)> = Vec::new();
        while !open.is_empty() {
            for sources in open.chunks_mut(PROFILES_A_TRIP) {
                self.read_on(sources, portion, &mut best).await?;
            }
            best.sort_unstable_by(|a, b| b.cmp(a));
            best.truncate(count);
            let full_down_to = best
                .last()
                .filter(|_| best.len() == count)
                .map(|(id, _)| id.get());
            open.retain(|source| {
                let reached = source.cursor.map_or(u64::MAX, Cursor::get);
                !source.ended && full_down_to.is_none_or(|id| reached > id)
            });
            portion *= 2;
        }
        Ok(best)
    }

    async fn read_on(
        &self,
        sources: &mut [Source],
        portion: usize,
        found: &mut Vec<(StatusId, UserId)>,
    ) -> Result<()> {
        let reads = sources
            .iter()
            .map(|source| older(keys::profile(source.author), source.cursor, portion));
        let answers = self.connection.batch(reads.collect()).await?;
        for (source, answer) in sources.iter_mut().zip(answers) {
            let ids = status_ids(read::<Vec<u64>>(answer)?);
            source.ended = ids.len() < portion;
            source.cursor = ids
                .last()
                .map(|id| Cursor::before(id.get()))
                .or(source.cursor);
            found.extend(ids.into_iter().map(|id| (id, source.author)));
        }
        Ok(())
    }
}
