//! One round of a search: the next ids of the rarest source that all other sources have too. Three round
//! trips: bounds of chunks, ids of the first source, membership in the others.

use crate::{
    domain::Query,
    store::{
        prelude::*,
        search::postings::{NEWEST_CHUNK, bounds_from, dump::ids_in_dump},
    },
};

/// Number of chunk bounds that one round reads per term, except of the first source.
const BOUNDS: usize = 512;
/// Number of ids that one round reads of an author.
const OF_AUTHOR: usize = 1000;
/// Maximum number of ids in one membership test. Above it, reading the whole chunk is faster.
const MOST_ASKED: usize = 64;
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
    /// One of these terms is enough.
    AnyOf(Vec<Term>),
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

/// The answers of sources about ids.
enum Answers {
    /// Whether a term has an id: all ids for the first term, then all for the next.
    Of(Vec<bool>),
    /// A chunk was split meanwhile.
    Split,
    /// The host has Redis store a chunk in an unusual form, so it cannot be read completely.
    Unreadable,
}

/// A source and, for each of its terms, the bounds of its chunks from the cursor downwards.
struct ChunkRange<'a> {
    source: &'a Wanted,
    /// The largest id that it covers.
    newest: u64,
    /// Maximum number of bounds of a term.
    most_bounds: usize,
    bounds: Vec<Vec<u64>>,
}

impl Store {
    /// Estimates the number of ids of each source: every chunk counts as full. One round trip.
    pub(super) async fn sizes(&self, sources: &[Wanted]) -> Result<Vec<u64>> {
        let sizes = sources.iter().flat_map(|source| match source {
            Wanted::Author(author) => vec![redis::cmd("ZCARD").with(keys::profile(*author))],
            Wanted::Term(_) | Wanted::AnyOf(_) => {
                let terms = source.terms().iter();
                let sizes = terms.flat_map(|term| {
                    [
                        // The order matters: ids split off the first chunk in between are counted below.
                        redis::cmd("SCARD").with(keys::postings(term, 0)),
                        redis::cmd("ZCARD").with(keys::chunks(term)),
                    ]
                });
                sizes.collect()
            }
        });
        let mut answers = self.connection.batch(sizes.collect()).await?.into_iter();
        let mut next = || read::<u64>(answers.next().unwrap_or_default());
        let size = |source: &Wanted| match source {
            Wanted::Author(_) => next(),
            Wanted::Term(_) | Wanted::AnyOf(_) => {
                let mut size = 0;
                for _ in source.terms() {
                    let (first, chunks) = (next()?, next()?);
                    size += first.max(chunks * NEWEST_CHUNK as u64);
                }
                Ok(size)
            }
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
        let chunk_ranges = self.chunk_ranges(sources, below - 1, chunks).await?;
        let Some((first, others)) = chunk_ranges.split_first() else {
            return Ok(Some(Round::default()));
        };
        let Some((mut ids, mut end)) = self.ids_of(first, below).await? else {
            return Ok(None);
        };
        // The other sources were read no further than this either.
        end = others.iter().map(ChunkRange::end).fold(end, u64::max);
        ids.retain(|id| *id < below && *id >= end.max(query.since()));
        // The ids of each chunk are in order already, which this sort makes use of.
        ids.sort_by(|one, other| other.cmp(one));
        ids.dedup();
        let ended = end <= query.since();
        let in_all = self.in_all(others, ids).await?;
        Ok(in_all.map(|ids| Round {
            ids: status_ids(ids),
            next: (!ended).then(|| Cursor::before(end)),
        }))
    }

    /// Returns each source with the bounds of its chunks. Of the first one only so many chunks are read, so it needs no
    /// more bounds.
    async fn chunk_ranges<'a>(
        &self,
        sources: &'a [Wanted],
        newest: u64,
        chunks: usize,
    ) -> Result<Vec<ChunkRange<'a>>> {
        let range = |(at, source): (usize, &'a Wanted)| ChunkRange {
            source,
            newest,
            most_bounds: match at {
                0 => chunks.div_ceil(source.terms().len().max(1)),
                _ => BOUNDS,
            },
            bounds: Vec::new(),
        };
        let mut ranges: Vec<ChunkRange<'a>> = sources.iter().enumerate().map(range).collect();
        let reads = ranges.iter().flat_map(ChunkRange::reads_bounds).collect();
        let mut answers = self.connection.batch(reads).await?.into_iter();
        for range in &mut ranges {
            let answers = answers.by_ref().take(range.source.terms().len());
            range.bounds = answers.map(read).collect::<Result<_>>()?;
        }
        Ok(ranges)
    }

    /// Returns ids of a source, those of each chunk in ascending order, and the smallest id that was covered. `None` if
    /// its chunks changed meanwhile.
    async fn ids_of(&self, of: &ChunkRange<'_>, below: u64) -> Result<Option<(Vec<u64>, u64)>> {
        match of.source {
            Wanted::Author(author) => {
                let below = Some(Cursor::before(below));
                let range = older(keys::profile(*author), below, OF_AUTHOR);
                let ids: Vec<u64> = self.connection.query(range).await?;
                let full = ids.len() >= OF_AUTHOR;
                let end = ids.last().copied().filter(|_| full).unwrap_or_default();
                Ok(Some((ids, end)))
            }
            Wanted::Term(_) | Wanted::AnyOf(_) => {
                let oldest = of.bounds.iter().filter_map(|bounds| bounds.last());
                let end = oldest.copied().max().unwrap_or_default();
                let ids = self.ids_in_chunks(of).await?;
                Ok(ids.map(|ids| (ids, end)))
            }
        }
    }

    /// Returns the ids in all chunks of a range, those of each chunk in ascending order. `None` if the chunks changed
    /// meanwhile. One round trip, and another one if the host has Redis store chunks in an unusual form.
    async fn ids_in_chunks(&self, of: &ChunkRange<'_>) -> Result<Option<Vec<u64>>> {
        let read_chunks = async |command: &str| {
            let chunks = of.bounds_of_terms().flat_map(|(term, bounds)| {
                let chunk = |bound| redis::cmd(command).with(keys::postings(term, bound));
                bounds.iter().copied().map(chunk)
            });
            self.read_unsplit(chunks.collect(), std::slice::from_ref(of))
                .await
        };
        let Some(dumps) = read_chunks("DUMP").await? else {
            return Ok(None);
        };
        let ids = dumps.iter().map(|dump| match dump {
            Value::BulkString(dump) => ids_in_dump(dump),
            Value::Nil => Some(Vec::new()),
            _ => None,
        });
        if let Some(ids) = ids.collect::<Option<Vec<_>>>() {
            return Ok(Some(ids.concat()));
        }
        let Some(members) = read_chunks("SMEMBERS").await? else {
            return Ok(None);
        };
        let ids = members.into_iter().map(read::<Vec<u64>>);
        Ok(Some(ids.collect::<Result<Vec<_>>>()?.concat()))
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
        if sources.is_empty() {
            ids.retain(|id| *id != NO_STATUS);
            return Ok(Some(ids));
        }
        let mut answers = self.memberships(sources, &ids, MOST_ASKED).await?;
        if let Answers::Unreadable = answers {
            answers = self.memberships(sources, &ids, usize::MAX).await?;
        }
        let Answers::Of(memberships) = answers else {
            return Ok(None);
        };
        let mut memberships = memberships.into_iter();
        let mut are_in_all = vec![true; ids.len()];
        for range in sources {
            let mut are_members = vec![false; ids.len()];
            for _ in 0..range.source.parts() {
                for is_member in &mut are_members {
                    *is_member |= memberships.next().unwrap_or_default();
                }
            }
            for (is_in_all, is_member) in are_in_all.iter_mut().zip(are_members) {
                *is_in_all &= is_member;
            }
        }
        let mut are_in_all = are_in_all.into_iter();
        ids.retain(|_| are_in_all.next().unwrap_or_default());
        Ok(Some(ids))
    }

    /// Asks each term of each source for these ids, newest first. One round trip.
    async fn memberships(
        &self,
        sources: &[ChunkRange<'_>],
        ids: &[u64],
        most_asked: usize,
    ) -> Result<Answers> {
        let questions = sources.iter().flat_map(|range| range.asks(ids, most_asked));
        let (commands, asked): (Vec<Cmd>, Vec<&[u64]>) = questions.unzip();
        let Some(answers) = self.read_unsplit(commands, sources).await? else {
            return Ok(Answers::Split);
        };
        let mut all = Vec::new();
        for (answer, ids) in answers.into_iter().zip(asked) {
            match memberships(answer, ids)? {
                Some(memberships) => all.extend(memberships),
                None => return Ok(Answers::Unreadable),
            }
        }
        Ok(Answers::Of(all))
    }

    /// Reads chunks and then, in the same round trip, the bounds that led to them. `None` if the bounds
    /// changed. A slot executes commands in the order in which they arrive.
    async fn read_unsplit(
        &self,
        mut reads: Vec<Cmd>,
        of: &[ChunkRange<'_>],
    ) -> Result<Option<Vec<Value>>> {
        let count = reads.len();
        reads.extend(of.iter().flat_map(ChunkRange::reads_bounds));
        let mut answers = self.connection.batch(reads).await?;
        let mut now = answers.split_off(count).into_iter();
        for bounds in of.iter().flat_map(|range| &range.bounds) {
            if read::<Vec<u64>>(now.next().unwrap_or_default())? != *bounds {
                return Ok(None);
            }
        }
        Ok(Some(answers))
    }
}

impl Wanted {
    /// Returns its terms. An author has none.
    pub(super) fn terms(&self) -> &[Term] {
        match self {
            Self::Term(term) => std::slice::from_ref(term),
            Self::AnyOf(terms) => terms,
            Self::Author(_) => &[],
        }
    }

    /// Returns the number of membership tests of an id.
    fn parts(&self) -> usize {
        match self {
            Self::Author(_) => 1,
            Self::Term(_) | Self::AnyOf(_) => self.terms().len(),
        }
    }
}

impl ChunkRange<'_> {
    /// Builds the reads of the bounds of its chunks, for each term from the newest one downwards.
    fn reads_bounds(&self) -> Vec<Cmd> {
        let terms = self.source.terms().iter();
        terms
            .map(|term| bounds_from(term, self.newest, self.most_bounds))
            .collect()
    }

    /// Returns each term with the bounds of its chunks. A term without bounds has one chunk.
    fn bounds_of_terms(&self) -> impl Iterator<Item = (&Term, &[u64])> {
        let bounds = self.bounds.iter().map(|bounds| match &bounds[..] {
            [] => &[0][..],
            bounds => bounds,
        });
        self.source.terms().iter().zip(bounds)
    }

    /// Returns the smallest id that the known bounds cover.
    fn end(&self) -> u64 {
        let ends = self.bounds.iter().filter_map(|bounds| bounds.last());
        ends.copied().max().unwrap_or_default()
    }

    /// Builds the membership tests for these ids, newest first, one command per chunk. A chunk that may have more of
    /// them than `most_asked` is read completely.
    fn asks<'a>(&self, ids: &'a [u64], most_asked: usize) -> Vec<(Cmd, &'a [u64])> {
        let mut asks = Vec::new();
        if let Wanted::Author(author) = self.source {
            asks.push((scores(keys::profile(*author), ids.iter().copied()), ids));
        }
        for (term, bounds) in self.bounds_of_terms() {
            let mut rest = ids;
            for bound in bounds {
                let (inside, below) = rest.split_at(rest.partition_point(|id| id >= bound));
                let chunk = keys::postings(term, *bound);
                match inside.len() {
                    0 => {}
                    count if count > most_asked => {
                        asks.push((redis::cmd("DUMP").with(chunk), inside));
                    }
                    _ => asks.push((redis::cmd("SMISMEMBER").with((chunk, inside)), inside)),
                }
                rest = below;
            }
        }
        asks
    }
}

/// Returns whether each of these ids is a member, from the reply of SMISMEMBER (1 or 0), of scores (a score or nothing) or
/// DUMP. `None` if the dump is in another form.
fn memberships(answer: Value, ids: &[u64]) -> Result<Option<Vec<bool>>> {
    let answer = match answer {
        Value::BulkString(dump) => {
            let is_in = |held: Vec<u64>| {
                ids.iter()
                    .map(|id| held.binary_search(id).is_ok())
                    .collect()
            };
            return Ok(ids_in_dump(&dump).map(is_in));
        }
        Value::Nil => return Ok(Some(vec![false; ids.len()])),
        answer => answer,
    };
    let scores: Vec<Option<f64>> = read(answer)?;
    let is_member = |score: Option<f64>| score.is_some_and(|score| score != 0.0);
    Ok(Some(scores.into_iter().map(is_member).collect()))
}
