//! One round of a search: the next ids of the rarest source that all others have too. Three trips:
//! bounds of chunks, ids of the first source, whether the others have them.

use redis::Value;

use crate::{
    domain::{Cursor, Query, StatusId, Term, UserId},
    store::{
        Result, Store,
        connection::read,
        keys,
        postings::{NEWEST_CHUNK, bounds_from},
        profiles::{older, status_ids},
        scripts::With,
    },
};

/// Bounds of chunks that one round reads of each term.
const BOUNDS: usize = 512;
/// Ids that one round reads of an author's.
const OF_AUTHOR: usize = 1000;
/// Above every id.
const NEWEST: u64 = 1 << 53;

/// Something that all posts must have that are looked for.
#[derive(Debug, Clone)]
pub(super) enum Source {
    Term(Term),
    Author(UserId),
}

/// What a round has found.
#[derive(Debug, Default)]
pub(super) struct Round {
    /// Newest first.
    pub(super) ids: Vec<StatusId>,
    /// Where the next one goes on; `None` where there is nothing older.
    pub(super) next: Option<Cursor>,
}

/// A source, and of a term the bounds of its chunks from the cursor down.
struct Reach<'a> {
    source: &'a Source,
    bounds: Vec<u64>,
}

impl Store {
    /// About how many ids each of these has: every chunk counts as if it were full. One trip.
    pub(super) async fn sizes(&self, sources: &[Source]) -> Result<Vec<u64>> {
        let sizes = sources.iter().flat_map(|source| match source {
            Source::Term(term) => vec![
                redis::cmd("ZCARD").with(keys::chunks(term)),
                redis::cmd("SCARD").with(keys::postings(term, 0)),
            ],
            Source::Author(author) => vec![redis::cmd("ZCARD").with(keys::profile(*author))],
        });
        let mut answers = self.connection.batch(sizes.collect()).await?.into_iter();
        let mut next = || read::<u64>(answers.next().unwrap_or_default());
        let size = |source: &Source| match source {
            Source::Term(_) => {
                let (chunks, first) = (next()?, next()?);
                Ok(first.max(chunks * NEWEST_CHUNK as u64))
            }
            Source::Author(_) => next(),
        };
        sources.iter().map(size).collect()
    }

    /// The next ids below a cursor that all sources have, of so many chunks of the first one.
    pub(super) async fn round(
        &self,
        query: &Query,
        sources: &[Source],
        below: Option<Cursor>,
        chunks: usize,
    ) -> Result<Round> {
        let below = below.map_or(NEWEST, Cursor::get).min(NEWEST);
        let Some(newest) = below
            .checked_sub(1)
            .filter(|newest| *newest >= query.since())
        else {
            return Ok(Round::default());
        };
        let reaches = self.reaches(sources, newest).await?;
        let Some((first, others)) = reaches.split_first() else {
            return Ok(Round::default());
        };
        let (mut ids, mut end) = self.ids_of(first, below, chunks).await?;
        // Of the others too, no more was read than that.
        end = others.iter().map(Reach::end).fold(end, u64::max);
        ids.retain(|id| *id < below && *id >= end.max(query.since()));
        ids.sort_unstable_by(|one, other| other.cmp(one));
        ids.dedup();
        let ended = end <= query.since();
        Ok(Round {
            ids: status_ids(self.held_by_all(others, ids).await?),
            next: (!ended).then(|| Cursor::before(end)),
        })
    }

    async fn reaches<'a>(&self, sources: &'a [Source], newest: u64) -> Result<Vec<Reach<'a>>> {
        let terms = sources.iter().filter_map(|source| match source {
            Source::Term(term) => Some(bounds_from(term, newest, BOUNDS)),
            Source::Author(_) => None,
        });
        let mut answers = self.connection.batch(terms.collect()).await?.into_iter();
        let reach = |source: &'a Source| {
            let bounds = match source {
                Source::Term(_) => read(answers.next().unwrap_or_default())?,
                Source::Author(_) => Vec::new(),
            };
            Ok(Reach { source, bounds })
        };
        sources.iter().map(reach).collect()
    }

    /// Ids of a source, in any order, and the smallest that could have been among them.
    async fn ids_of(&self, of: &Reach<'_>, below: u64, chunks: usize) -> Result<(Vec<u64>, u64)> {
        match of.source {
            Source::Author(author) => {
                let below = Some(Cursor::before(below));
                let range = older(keys::profile(*author), below, OF_AUTHOR);
                let ids: Vec<u64> = self.connection.query(range).await?;
                let full = ids.len() >= OF_AUTHOR;
                let end = ids.last().copied().filter(|_| full).unwrap_or_default();
                Ok((ids, end))
            }
            Source::Term(term) => {
                let bounds = &of.bounds()[..chunks.min(of.bounds().len())];
                let chunk = |bound: &u64| redis::cmd("SMEMBERS").with(keys::postings(term, *bound));
                let answers = self.connection.batch(bounds.iter().map(chunk).collect());
                let mut ids = Vec::new();
                for answer in answers.await? {
                    ids.extend(read::<Vec<u64>>(answer)?);
                }
                Ok((ids, bounds.last().copied().unwrap_or_default()))
            }
        }
    }

    /// Those of these ids, newest first, that each source has. One trip.
    async fn held_by_all(&self, sources: &[Reach<'_>], mut ids: Vec<u64>) -> Result<Vec<u64>> {
        let asks: Vec<redis::Cmd> = sources.iter().flat_map(|reach| reach.asks(&ids)).collect();
        if ids.is_empty() || asks.is_empty() {
            return Ok(ids);
        }
        let answers = self.connection.batch(asks).await?.into_iter();
        let mut held = answers
            .map(held)
            .collect::<Result<Vec<_>>>()?
            .into_iter()
            .flatten();
        let mut by_all = vec![true; ids.len()];
        for _ in sources {
            for stands in &mut by_all {
                *stands &= held.next().unwrap_or_default();
            }
        }
        let mut stands = by_all.into_iter();
        ids.retain(|_| stands.next().unwrap_or_default());
        Ok(ids)
    }
}

impl Reach<'_> {
    /// The bounds of its chunks: where none are named, all lies in one.
    fn bounds(&self) -> &[u64] {
        if self.bounds.is_empty() {
            &[0]
        } else {
            &self.bounds
        }
    }

    /// The smallest id of which it is known where it would stand.
    fn end(&self) -> u64 {
        self.bounds.last().copied().unwrap_or_default()
    }

    /// Whether it has these ids, newest first, in their order: a chunk at a time.
    fn asks(&self, ids: &[u64]) -> Vec<redis::Cmd> {
        let (mut asks, mut rest) = (Vec::new(), ids);
        match self.source {
            Source::Author(_) if ids.is_empty() => {}
            Source::Author(author) => {
                asks.push(redis::cmd("ZMSCORE").with(keys::profile(*author)).with(ids));
            }
            Source::Term(term) => {
                for bound in self.bounds() {
                    let (inside, below) = rest.split_at(rest.partition_point(|id| id >= bound));
                    if !inside.is_empty() {
                        let chunk = keys::postings(term, *bound);
                        asks.push(redis::cmd("SMISMEMBER").with(chunk).with(inside));
                    }
                    rest = below;
                }
            }
        }
        asks
    }
}

/// What SMISMEMBER says with 1 and 0, and ZMSCORE with a score or nothing.
fn held(answer: Value) -> Result<Vec<bool>> {
    let held: Vec<Option<f64>> = read(answer)?;
    let stands = |score: Option<f64>| score.is_some_and(|score| score != 0.0);
    Ok(held.into_iter().map(stands).collect())
}
