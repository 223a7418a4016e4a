//! One round of a search: the next ids of the rarest source that all other sources have too. Three round
//! trips: bounds of chunks, ids of the first source, membership in the others.

use crate::{
    domain::Query,
    store::{
        prelude::*,
        search::postings::{NEWEST_CHUNK, bounds_from},
    },
};

/// Number of chunk bounds that one round reads per term.
const BOUNDS: usize = 512;
/// Number of ids that one round reads of an author.
const OF_AUTHOR: usize = 1000;
/// Maximum number of attempts while chunks are being split.
const READS: usize = 8;
/// Above every id.
const NEWEST: u64 = 1 << 53;
/// An id that no status has: ids begin with the year 2026.
pub(super) const NO_STATUS: u64 = 1;

/// A condition that all matching posts must meet.
#[derive(Debug, Clone)]
pub(super) enum Wanted {
    Term(Term),
    Author(UserId),
}

/// Result of one round.
#[derive(Debug, Default)]
pub(super) struct Round {
    /// Newest first.
    pub(super) ids: Vec<StatusId>,
    /// Cursor of the next round. `None` if nothing older exists.
    pub(super) next: Option<Cursor>,
}

/// A source and, for a term, the bounds of its chunks from the cursor downwards.
struct ChunkRange<'a> {
    source: &'a Wanted,
    /// The largest id that it covers.
    newest: u64,
    bounds: Vec<u64>,
}

impl Store {
    /// Estimates the number of ids of each source: every chunk counts as full. One round trip.
    pub(super) async fn sizes(&self, sources: &[Wanted]) -> Result<Vec<u64>> {
        let sizes = sources.iter().flat_map(|source| match source {
            Wanted::Term(term) => vec![
                // The order matters: ids split off the first chunk in between are counted below.
                redis::cmd("SCARD").with(keys::postings(term, 0)),
                redis::cmd("ZCARD").with(keys::chunks(term)),
            ],
            Wanted::Author(author) => vec![redis::cmd("ZCARD").with(keys::profile(*author))],
        });
        let mut answers = self.connection.batch(sizes.collect()).await?.into_iter();
        let mut next = || read::<u64>(answers.next().unwrap_or_default());
        let size = |source: &Wanted| match source {
            Wanted::Term(_) => {
                let (first, chunks) = (next()?, next()?);
                Ok(first.max(chunks * NEWEST_CHUNK as u64))
            }
            Wanted::Author(_) => next(),
        };
        sources.iter().map(size).collect()
    }

    /// Returns the next ids below a cursor that all sources have, from so many chunks of the first
    /// source. If a chunk is split meanwhile, the moved ids are in neither part, so the round is
    /// repeated.
    pub(super) async fn round(
        &self,
        query: &Query,
        sources: &[Wanted],
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
        for _ in 0..READS {
            if let Some(round) = self.read_round(query, sources, below, chunks).await? {
                return Ok(round);
            }
        }
        Err(Error::Unexpected {
            what: "the index",
            answer: format!("chunks below {newest} are split again and again"),
        })
    }

    /// Reads one round. `None` if a chunk was split meanwhile.
    async fn read_round(
        &self,
        query: &Query,
        sources: &[Wanted],
        below: u64,
        chunks: usize,
    ) -> Result<Option<Round>> {
        let chunk_ranges = self.chunk_ranges(sources, below - 1).await?;
        let Some((first, others)) = chunk_ranges.split_first() else {
            return Ok(Some(Round::default()));
        };
        let Some((mut ids, mut end)) = self.ids_of(first, below, chunks).await? else {
            return Ok(None);
        };
        // The other sources were read no further than this either.
        end = others.iter().map(ChunkRange::end).fold(end, u64::max);
        ids.retain(|id| *id < below && *id >= end.max(query.since()));
        ids.sort_unstable_by(|one, other| other.cmp(one));
        ids.dedup();
        let ended = end <= query.since();
        let in_all = self.in_all(others, ids).await?;
        Ok(in_all.map(|ids| Round {
            ids: status_ids(ids),
            next: (!ended).then(|| Cursor::before(end)),
        }))
    }

    async fn chunk_ranges<'a>(
        &self,
        sources: &'a [Wanted],
        newest: u64,
    ) -> Result<Vec<ChunkRange<'a>>> {
        let terms = sources
            .iter()
            .filter_map(|source| source.reads_bounds(newest));
        let mut answers = self.connection.batch(terms.collect()).await?.into_iter();
        let range = |source: &'a Wanted| {
            let bounds = match source {
                Wanted::Term(_) => read(answers.next().unwrap_or_default())?,
                Wanted::Author(_) => Vec::new(),
            };
            Ok(ChunkRange {
                source,
                newest,
                bounds,
            })
        };
        sources.iter().map(range).collect()
    }

    /// Returns ids of a source in any order, and the smallest id that was covered. `None` if its chunks
    /// changed meanwhile.
    async fn ids_of(
        &self,
        of: &ChunkRange<'_>,
        below: u64,
        chunks: usize,
    ) -> Result<Option<(Vec<u64>, u64)>> {
        match of.source {
            Wanted::Author(author) => {
                let below = Some(Cursor::before(below));
                let range = older(keys::profile(*author), below, OF_AUTHOR);
                let ids: Vec<u64> = self.connection.query(range).await?;
                let full = ids.len() >= OF_AUTHOR;
                let end = ids.last().copied().filter(|_| full).unwrap_or_default();
                Ok(Some((ids, end)))
            }
            Wanted::Term(term) => {
                let bounds = &of.bounds()[..chunks.min(of.bounds().len())];
                let chunk = |bound: &u64| redis::cmd("SMEMBERS").with(keys::postings(term, *bound));
                let (reads, mut ids) = (bounds.iter().map(chunk).collect(), Vec::new());
                let Some(answers) = self.read_unsplit(reads, std::slice::from_ref(of)).await?
                else {
                    return Ok(None);
                };
                for answer in answers {
                    ids.extend(read::<Vec<u64>>(answer)?);
                }
                Ok(Some((ids, bounds.last().copied().unwrap_or_default())))
            }
        }
    }

    /// Returns those of these ids that each source has, newest first. `None` if the chunks of a source
    /// changed meanwhile. One round trip, also without ids: a viewer could measure the difference.
    async fn in_all(
        &self,
        sources: &[ChunkRange<'_>],
        mut ids: Vec<u64>,
    ) -> Result<Option<Vec<u64>>> {
        if ids.is_empty() {
            ids.push(NO_STATUS);
        }
        let asks: Vec<Cmd> = sources.iter().flat_map(|range| range.asks(&ids)).collect();
        if asks.is_empty() {
            ids.retain(|id| *id != NO_STATUS);
            return Ok(Some(ids));
        }
        let Some(answers) = self.read_unsplit(asks, sources).await? else {
            return Ok(None);
        };
        let answers = answers.into_iter().map(memberships);
        let answers = answers.collect::<Result<Vec<_>>>()?;
        let mut memberships = answers.into_iter().flatten();
        let mut are_in_all = vec![true; ids.len()];
        for _ in sources {
            for is_in_all in &mut are_in_all {
                *is_in_all &= memberships.next().unwrap_or_default();
            }
        }
        let mut are_in_all = are_in_all.into_iter();
        ids.retain(|_| are_in_all.next().unwrap_or_default());
        Ok(Some(ids))
    }

    /// Reads chunks and then, in the same round trip, the bounds that led to them. `None` if the bounds
    /// changed. A slot executes commands in the order in which they arrive.
    async fn read_unsplit(
        &self,
        mut reads: Vec<Cmd>,
        of: &[ChunkRange<'_>],
    ) -> Result<Option<Vec<Value>>> {
        let count = reads.len();
        let bounds = |range: &ChunkRange<'_>| range.source.reads_bounds(range.newest);
        reads.extend(of.iter().filter_map(bounds));
        let mut answers = self.connection.batch(reads).await?;
        let mut now = answers.split_off(count).into_iter();
        for range in of {
            if matches!(range.source, Wanted::Term(_))
                && read::<Vec<u64>>(now.next().unwrap_or_default())? != range.bounds
            {
                return Ok(None);
            }
        }
        Ok(Some(answers))
    }
}

impl Wanted {
    /// Builds the read of a term's chunk bounds from an id downwards. An author has none.
    fn reads_bounds(&self, newest: u64) -> Option<Cmd> {
        match self {
            Self::Term(term) => Some(bounds_from(term, newest, BOUNDS)),
            Self::Author(_) => None,
        }
    }
}

impl ChunkRange<'_> {
    /// Returns the bounds of its chunks. A term without bounds has one chunk.
    fn bounds(&self) -> &[u64] {
        if self.bounds.is_empty() {
            &[0]
        } else {
            &self.bounds
        }
    }

    /// Returns the smallest id that the known bounds cover.
    fn end(&self) -> u64 {
        self.bounds.last().copied().unwrap_or_default()
    }

    /// Builds the membership tests for these ids, newest first, one command per chunk.
    fn asks(&self, ids: &[u64]) -> Vec<Cmd> {
        let (mut asks, mut rest) = (Vec::new(), ids);
        match self.source {
            Wanted::Author(_) if ids.is_empty() => {}
            Wanted::Author(author) => {
                asks.push(redis::cmd("ZMSCORE").with((keys::profile(*author), ids)));
            }
            Wanted::Term(term) => {
                for bound in self.bounds() {
                    let (inside, below) = rest.split_at(rest.partition_point(|id| id >= bound));
                    if !inside.is_empty() {
                        let chunk = keys::postings(term, *bound);
                        asks.push(redis::cmd("SMISMEMBER").with((chunk, inside)));
                    }
                    rest = below;
                }
            }
        }
        asks
    }
}

/// Decodes SMISMEMBER (1 or 0) and ZMSCORE (a score or nothing).
fn memberships(answer: Value) -> Result<Vec<bool>> {
    let scores: Vec<Option<f64>> = read(answer)?;
    let is_member = |score: Option<f64>| score.is_some_and(|score| score != 0.0);
    Ok(scores.into_iter().map(is_member).collect())
}
