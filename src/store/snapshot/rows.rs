//! Reads of a ZSET in pages, whatever its members and scores are, because the audit cannot trust them.

use std::{collections::HashSet, fmt::Display};

use futures_util::future::BoxFuture;

use crate::store::prelude::*;

/// Number of members per read.
const ROWS: usize = 1000;

/// A member of a ZSET and its score.
pub type Row = (String, f64);

/// Position in a ZSET that is being read.
pub struct Pages {
    place: Key,
    /// The last score read, and its members.
    last: Option<(f64, HashSet<String>)>,
    ended: bool,
}

impl Pages {
    pub fn of(place: &Key) -> Self {
        Self {
            place: place.clone(),
            last: None,
            ended: false,
        }
    }
}

impl Store {
    /// Returns the next rows of a ZSET in the order of scores; none at its end. Members with equal
    /// scores are all read, up to a page of them.
    pub async fn rows(&self, pages: &mut Pages) -> Result<Vec<Row>> {
        if pages.ended {
            return Ok(Vec::new());
        }
        let (from, seen) = match &pages.last {
            None => ("-inf".to_owned(), 0),
            Some((score, seen)) if seen.len() < ROWS => (score.to_string(), seen.len()),
            Some((score, _)) => (format!("({score}"), 0),
        };
        let range = range_by_score(pages.place.name(), from, "+inf", ROWS + seen);
        let range = range.with("WITHSCORES");
        let mut rows: Vec<Row> = self.connection.query(range).await?;
        pages.ended = rows.len() < ROWS + seen;
        if let Some((score, seen)) = &pages.last {
            rows.retain(|(member, at)| at != score || !seen.contains(member));
        }
        if let Some((_, last)) = rows.last() {
            let same = rows.iter().filter(|(_, score)| score == last);
            let mut same: HashSet<String> = same.map(|(member, _)| member.clone()).collect();
            if let Some((score, seen)) = pages.last.take()
                && score == *last
            {
                same.extend(seen);
            }
            pages.last = Some((*last, same));
        }
        Ok(rows)
    }

    /// Returns the score of each member in its ZSET. One round trip.
    pub fn member_scores<Member: Display>(
        &self,
        members: impl IntoIterator<Item = (Key, Member)>,
    ) -> BoxFuture<'_, Result<Vec<Option<f64>>>> {
        let score = |(key, member): (Key, Member)| {
            redis::cmd("ZSCORE").with((key.name(), member.to_string()))
        };
        let scores: Vec<Cmd> = members.into_iter().map(score).collect();
        Box::pin(self.connection.query_each(scores))
    }

    /// Returns whether each member is in its ZSET. One round trip.
    pub fn contain_each<Member: Display>(
        &self,
        members: impl IntoIterator<Item = (Key, Member)>,
    ) -> BoxFuture<'_, Result<Vec<bool>>> {
        let scores = self.member_scores(members);
        Box::pin(async move { Ok(scores.await?.iter().map(Option::is_some).collect()) })
    }

    pub async fn cardinality(&self, place: &Key) -> Result<u64> {
        let card = redis::cmd("ZCARD").with(place.name());
        self.connection.query(card).await
    }
}
