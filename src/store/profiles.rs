//! Reading of ids from profiles and follow lists, which merging and paging are made of.

use super::{Result, Store, keys, scripts::With};
use crate::domain::{Cursor, StatusId, UserId};

impl Store {
    /// The newest `count` ids of a profile older than the cursor.
    pub(super) async fn profile_ids(
        &self,
        of: UserId,
        before: Option<Cursor>,
        count: usize,
    ) -> Result<Vec<StatusId>> {
        let ids: Vec<u64> = self
            .connection
            .query(older(keys::profile(of), before, count))
            .await?;
        Ok(status_ids(ids))
    }

    /// All whom a person follows, in the order in which they began.
    pub async fn following(&self, of: UserId) -> Result<Vec<UserId>> {
        let ids: Vec<u64> = self
            .connection
            .query(
                redis::cmd("ZRANGE")
                    .with(keys::following(of))
                    .with(0)
                    .with(-1),
            )
            .await?;
        Ok(user_ids(ids))
    }

    /// The next followers of a person after a score, oldest first, and the score to go on from:
    /// `None` where these are the last. Scores are unique, so an exclusive one neither repeats
    /// nor skips (the book's inclusive one loops for ever where 1000 followers share a score).
    pub async fn followers_after(
        &self,
        of: UserId,
        after: u64,
        count: usize,
    ) -> Result<(Vec<UserId>, Option<u64>)> {
        let range = redis::cmd("ZRANGE")
            .with(keys::followers(of))
            .with(format!("({after}"))
            .with("+inf")
            .with("BYSCORE")
            .with("LIMIT")
            .with(0)
            .with(count)
            .with("WITHSCORES");
        let rows: Vec<(u64, f64)> = self.connection.query(range).await?;
        let last = rows
            .last()
            .filter(|_| rows.len() == count)
            .map(|(_, score)| *score as u64);
        Ok((user_ids(rows.into_iter().map(|(id, _)| id)), last))
    }
}

/// ZRANGE of the newest members of a timeline older than the cursor. The score is the negated id.
pub(super) fn older(timeline: String, before: Option<Cursor>, count: usize) -> redis::Cmd {
    redis::cmd("ZRANGE")
        .with(timeline)
        .with(older_than(before))
        .with("+inf")
        .with("BYSCORE")
        .with("LIMIT")
        .with(0)
        .with(count)
}

/// The exclusive score from which a timeline goes on.
pub(super) fn older_than(before: Option<Cursor>) -> String {
    before.map_or_else(|| "-inf".to_owned(), |cursor| format!("(-{}", cursor.get()))
}

/// Members of a ZSET that this store wrote are ids; anything else there is nobody's.
pub(super) fn status_ids(numbers: impl IntoIterator<Item = u64>) -> Vec<StatusId> {
    numbers
        .into_iter()
        .filter_map(|number| StatusId::new(number).ok())
        .collect()
}

pub(super) fn user_ids(numbers: impl IntoIterator<Item = u64>) -> Vec<UserId> {
    numbers
        .into_iter()
        .filter_map(|number| UserId::new(number).ok())
        .collect()
}
