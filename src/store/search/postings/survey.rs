//! Reads of the index of posts for `redwing check`, and removal of wrong entries.

use super::Chunk;
use crate::{
    domain::Term,
    store::{
        Result, Row, Store, keys,
        redis::{
            connection::read,
            scripts::{self, With},
        },
    },
};

/// Number of bounds per read.
const ROWS: usize = 1000;

impl Store {
    /// Returns the name of a chunk's key.
    #[must_use]
    pub fn name_of_chunk(&self, chunk: &Chunk) -> String {
        chunk.key()
    }

    /// Returns the members of each of these chunks, in any order. One round trip.
    pub async fn postings(&self, chunks: &[Chunk]) -> Result<Vec<Vec<String>>> {
        let members = |chunk: &Chunk| redis::cmd("SMEMBERS").with(chunk.key());
        let answers = self.connection.batch(chunks.iter().map(members).collect());
        answers.await?.into_iter().map(read).collect()
    }

    /// Returns whether each chunk is registered with its term. One round trip.
    pub async fn are_bounds(&self, chunks: &[Chunk]) -> Result<Vec<bool>> {
        let score = |chunk: &Chunk| {
            redis::cmd("ZSCORE")
                .with(keys::chunks(&chunk.term))
                .with(chunk.bound)
        };
        let answers = self.connection.batch(chunks.iter().map(score).collect());
        let scored = chunks.iter().zip(answers.await?);
        let is_bound = |(chunk, score): (&Chunk, redis::Value)| {
            Ok(chunk.bound == 0 || read::<Option<f64>>(score)?.is_some())
        };
        scored.map(is_bound).collect()
    }

    /// Returns the bounds of a term's chunks with their scores, newest first.
    pub async fn bounds(&self, term: &Term) -> Result<Vec<Row>> {
        let mut bounds: Vec<Row> = Vec::new();
        loop {
            let after = bounds
                .last()
                .map_or("-inf".to_owned(), |(_, score)| format!("({score}"));
            let range = redis::cmd("ZRANGE")
                .with(keys::chunks(term))
                .with(after)
                .with("+inf")
                .with(&["BYSCORE", "LIMIT", "0"])
                .with(ROWS)
                .with("WITHSCORES");
            let rows: Vec<Row> = self.connection.query(range).await?;
            let ended = rows.len() < ROWS;
            bounds.extend(rows);
            if ended {
                return Ok(bounds);
            }
        }
    }

    /// Returns whether each of these chunks exists. One round trip.
    pub async fn are_held(&self, chunks: &[Chunk]) -> Result<Vec<bool>> {
        let exists = |chunk: &Chunk| redis::cmd("EXISTS").with(chunk.key());
        let answers = self.connection.batch(chunks.iter().map(exists).collect());
        answers.await?.into_iter().map(read).collect()
    }

    /// Removes wrong members from a chunk, and the chunk's bound if the chunk is then empty.
    pub async fn drop_postings(&self, chunk: &Chunk, members: &[String]) -> Result<()> {
        let drop_it = scripts::DROP_POSTING
            .on([
                keys::chunks(&chunk.term),
                keys::postings(&chunk.term, chunk.bound),
            ])
            .with(chunk.bound)
            .with(members);
        self.connection.query::<i64>(drop_it).await.map(drop)
    }

    /// Repairs the bounds of a term's chunks: each is a number and its own score.
    pub async fn order_chunks(&self, term: &Term) -> Result<()> {
        let key = keys::chunks(term);
        let mut steps = vec![redis::cmd("ZADD").with(&key).with(0).with(0)];
        for (member, _) in self.bounds(term).await? {
            steps.push(match member.parse::<u64>() {
                Ok(bound) if bound.to_string() == member => {
                    let score = format!("-{bound}");
                    redis::cmd("ZADD")
                        .with(&key)
                        .with("XX")
                        .with(score)
                        .with(bound)
                }
                _ => redis::cmd("ZREM").with(&key).with(&member),
            });
        }
        self.connection.chain(steps).await.map(drop)
    }
}
