//! Finding posts: the ids that the index has for the rarest of what is looked for, asked of the others,
//! and verified against the texts. Newest first, in rounds, so many at most: a search costs a bounded
//! number of trips, whatever there is to be found.

pub(super) mod names;
pub(super) mod postings;
mod round;

use self::round::Wanted;
use super::{Result, Store, Viewer, VisibleStatus};
use crate::domain::{Cursor, PAGE_SIZE, Page, Query, StatusId};

/// How often one search reads on in the index.
const ROUNDS: usize = 6;
/// Chunks of the rarest that the first round reads, twice as many each time, and at most.
const FIRST_CHUNKS: usize = 2;
const MOST_CHUNKS: usize = 4;
/// Texts that one search reads.
const TEXTS: usize = 1000;

/// One search under way.
struct Search<'a> {
    store: &'a Store,
    viewer: Viewer,
    query: &'a Query,
    /// Where to look, the rarest first.
    sources: Vec<Wanted>,
    found: Vec<VisibleStatus>,
    /// How many texts were read.
    texts: usize,
}

impl Store {
    /// The posts that a query looks for, newest first, as the viewer sees them. Where a page is not full
    /// and yet goes on, this search has read as much as one may: there may be more further back.
    pub async fn search(
        &self,
        viewer: Viewer,
        query: &Query,
        before: Option<Cursor>,
    ) -> Result<Page<VisibleStatus>> {
        let mut search = Search {
            store: self,
            viewer,
            query,
            sources: self.sources_of(query).await?,
            found: Vec::with_capacity(PAGE_SIZE + 1),
            texts: 0,
        };
        let next = search.go_on_from(before).await?;
        Ok(Page {
            items: search.found,
            next,
        })
    }

    /// Where to look, the rarest first; nowhere if something of it is nowhere. Two trips.
    async fn sources_of(&self, query: &Query) -> Result<Vec<Wanted>> {
        let mut sources: Vec<Wanted> = query.terms().into_iter().map(Wanted::Term).collect();
        for holder in self.holders(query.authors()).await? {
            let Some(author) = holder.and_then(|id| id.parse().ok()) else {
                return Ok(Vec::new());
            };
            sources.push(Wanted::Author(author));
        }
        let sizes = self.sizes(&sources).await?;
        if sizes.contains(&0) {
            return Ok(Vec::new());
        }
        let mut sized: Vec<(u64, Wanted)> = sizes.into_iter().zip(sources).collect();
        sized.sort_by_key(|(size, _)| *size);
        Ok(sized.into_iter().map(|(_, source)| source).collect())
    }
}

impl Search<'_> {
    /// Fills the page, and says where the next one begins.
    async fn go_on_from(&mut self, before: Option<Cursor>) -> Result<Option<Cursor>> {
        if self.sources.is_empty() {
            return Ok(None);
        }
        let mut below = before.into_iter().chain(self.query.until()).min();
        for round in 0..ROUNDS {
            let chunks = (FIRST_CHUNKS << round).min(MOST_CHUNKS);
            let round = self.store.round(self.query, &self.sources, below, chunks);
            let round = round.await?;
            if let Some(stopped) = self.verify(&round.ids).await? {
                return Ok(Some(stopped));
            }
            if round.next.is_none() {
                return Ok(None);
            }
            below = round.next;
        }
        Ok(below)
    }

    /// Keeps those of these that are what is looked for. Where the page is full, or enough was read, it
    /// says where to go on.
    async fn verify(&mut self, ids: &[StatusId]) -> Result<Option<Cursor>> {
        let (mut rest, mut some) = (ids, PAGE_SIZE + 1);
        while let Some(first) = rest.first() {
            let allowed = some.min(TEXTS - self.texts).min(rest.len());
            if allowed == 0 {
                return Ok(Some(Cursor::before(first.get() + 1)));
            }
            let (slice, behind) = rest.split_at(allowed);
            let visible = self.store.visible(self.viewer, slice).await?;
            let query = self.query;
            let meant = visible
                .into_iter()
                .filter(|status| !status.is_repost() && query.matches(status.message()));
            self.found.extend(meant);
            if self.found.len() > PAGE_SIZE {
                self.found.truncate(PAGE_SIZE);
                let last = self.found.last().map(VisibleStatus::id);
                return Ok(last.map(|last| Cursor::before(last.get())));
            }
            self.texts += allowed;
            (rest, some) = (behind, 2 * some);
        }
        Ok(None)
    }
}
