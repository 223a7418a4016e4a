//! Reads of the index of posts for `redwing check`, and removal of wrong entries.

use super::{Chunk, calls};
use crate::store::{Row, prelude::*};

/// Number of bounds per read.
const ROWS: usize = 1000;

impl Store {
    /// Returns the members of each of these chunks, in any order. One round trip.
    pub async fn postings(&self, chunks: &[Chunk]) -> Result<Vec<Vec<String>>> {
        let members = |chunk: &Chunk| redis::cmd("SMEMBERS").with(chunk.key());
        self.connection.query_each(chunks.iter().map(members)).await
    }

    /// Returns whether each chunk is registered with its term. One round trip.
    pub async fn are_bounds(&self, chunks: &[Chunk]) -> Result<Vec<bool>> {
        let score =
            |chunk: &Chunk| redis::cmd("ZSCORE").with((keys::chunks(&chunk.term), chunk.bound));
        let scores: Vec<Option<f64>> = self.connection.query_each(chunks.iter().map(score)).await?;
        let scored = chunks.iter().zip(scores);
        Ok(scored
            .map(|(chunk, score)| chunk.bound == 0 || score.is_some())
            .collect())
    }

    /// Returns the bounds of a term's chunks with their scores, newest first.
    pub async fn bounds(&self, term: &Term) -> Result<Vec<Row>> {
        let mut bounds: Vec<Row> = Vec::new();
        loop {
            let after = bounds
                .last()
                .map_or("-inf".to_owned(), |(_, score)| format!("({score}"));
            let range = range_by_score(keys::chunks(term), after, "+inf", ROWS).with("WITHSCORES");
            let rows: Vec<Row> = self.connection.query(range).await?;
            let ended = rows.len() < ROWS;
            bounds.extend(rows);
            if ended {
                return Ok(bounds);
            }
        }
    }

    /// Returns whether each of these chunks exists. One round trip.
    pub async fn chunks_exist(&self, chunks: &[Chunk]) -> Result<Vec<bool>> {
        let exists = |chunk: &Chunk| redis::cmd("EXISTS").with(chunk.key());
        self.connection.query_each(chunks.iter().map(exists)).await
    }

    /// Removes wrong members from a chunk, and the chunk's bound if the chunk is then empty.
    pub async fn drop_postings(&self, chunk: &Chunk, members: &[String]) -> Result<()> {
        let drop_posting = calls::DropPosting {
            bounds: keys::chunks(&chunk.term),
            chunk: chunk.key(),
            bound: chunk.bound,
            members: members.to_vec(),
        };
        let dropped = self.connection.query::<i64>(drop_posting.command());
        dropped.await.map(drop)
    }

    /// Repairs the bounds of a term's chunks: each is a number and its own score.
    pub async fn order_chunks(&self, term: &Term) -> Result<()> {
        let key = keys::chunks(term);
        let mut steps = vec![redis::cmd("ZADD").with((&key, 0, 0))];
        for (member, _) in self.bounds(term).await? {
            steps.push(match member.parse::<u64>() {
                Ok(bound) if bound.to_string() == member => {
                    let score = format!("-{bound}");
                    redis::cmd("ZADD").with((&key, "XX", score, bound))
                }
                _ => redis::cmd("ZREM").with((&key, &member)),
            });
        }
        self.connection.chain(steps).await.map(drop)
    }
}
