//! Search for posts. It takes ids from the index of the rarest term, keeps those that all other terms
//! have, and verifies them against the texts. Results are newest first. The number of rounds is limited,
//! so the number of round trips is bounded.

pub(super) mod calls;
pub(super) mod migration;
pub(super) mod names;
pub(super) mod postings;
mod round;
mod words;

use std::collections::BTreeSet;

use futures_util::try_join;

use self::round::{NO_STATUS, Wanted};
use super::{FoldingBudget, prelude::*};
use crate::domain::Query;

/// Maximum number of rounds per search.
const ROUNDS: usize = 6;
/// Number of chunks of the rarest term in the first round. It doubles each round. Below: its maximum.
const FIRST_CHUNKS: usize = 2;
const MOST_CHUNKS: usize = 4;
/// Number of words of which a search for a beginning reads the sizes, with the beginning itself as a word.
const CANDIDATES: usize = 48;
/// Number of them that it searches for: the beginning itself, and the words that most posts have.
const SEARCHED_WORDS: usize = 8;
/// Maximum number of texts that one search reads.
const TEXTS: usize = 1000;

/// A search in progress.
struct Search<'a> {
    store: &'a Store,
    viewer: Viewer,
    query: &'a Query,
    /// The sources to read, the rarest first.
    sources: Vec<Wanted>,
    found: Vec<VisibleStatus>,
    /// Number of texts read so far.
    texts: usize,
    /// The bytes of texts that can still be folded.
    budget: FoldingBudget,
}

impl Store {
    /// Returns the posts that match a query, newest first, as the viewer sees them. A page that is not
    /// full and still has a cursor means that the search reached its limits and older matches may exist.
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
            budget: FoldingBudget::of_page(),
        };
        let next = search.go_on_from(before).await?;
        Ok(Page {
            items: search.found,
            next,
        })
    }

    /// Returns the sources to read, the rarest first. Empty if an author does not exist, or with two different authors. A
    /// term without entries is read like others. Otherwise the duration would reveal that hidden posts have the term.
    /// Two round trips.
    async fn sources_of(&self, query: &Query) -> Result<Vec<Wanted>> {
        let terms = query.terms().into_iter().map(Wanted::Term);
        let mut sources: Vec<Wanted> = terms.collect();
        let (holders, words) = try_join!(
            self.holders(query.authors()),
            self.words_to_search(query.word_beginning())
        )?;
        let authors: Option<BTreeSet<UserId>> = holders
            .into_iter()
            .map(|holder| holder?.parse().ok())
            .collect();
        // A post has one author.
        let Some(authors) = authors.filter(|authors| authors.len() <= 1) else {
            return Ok(Vec::new());
        };
        sources.extend(authors.into_iter().map(Wanted::Author));
        let source_count = sources.len();
        sources.extend(words.into_iter().map(Wanted::Term));
        let sizes = self.sizes(&sources).await?;
        let mut sized: Vec<(u64, Wanted)> = sizes.into_iter().zip(sources).collect();
        let words = sized.split_off(source_count);
        sized.extend(most_used(words));
        sized.sort_by_key(|(size, _)| *size);
        Ok(sized.into_iter().map(|(_, source)| source).collect())
    }

    /// Returns a beginning as a word and the first words with it. Absent terms fill the rest: the number of commands
    /// must not reveal how many words there are, because hidden posts have words too. Empty without a beginning.
    async fn words_to_search(&self, beginning: Option<&str>) -> Result<Vec<Term>> {
        let Some(beginning) = beginning else {
            return Ok(Vec::new());
        };
        let mut words = vec![Term::of_word(beginning)];
        let known = self.words_that_begin(beginning, CANDIDATES - 1).await?;
        words.extend(known.into_iter().filter(|word| word.as_str() != beginning));
        words.resize(CANDIDATES, Term::absent());
        Ok(words)
    }
}

/// Joins the first of these terms and the most frequent others to one source. `None` without terms.
fn most_used(mut words: Vec<(u64, Wanted)>) -> Option<(u64, Wanted)> {
    if words.is_empty() {
        return None;
    }
    words[1..].sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    words.truncate(SEARCHED_WORDS);
    let size = words.iter().map(|(size, _)| size).sum();
    let terms = words
        .into_iter()
        .flat_map(|(_, word)| word.terms().to_vec());
    Some((size, Wanted::AnyOf(terms.collect())))
}

impl Search<'_> {
    /// Fills the page and returns the cursor of the next one.
    async fn go_on_from(&mut self, before: Option<Cursor>) -> Result<Option<Cursor>> {
        if self.sources.is_empty() {
            return Ok(None);
        }
        let mut below = before.into_iter().chain(self.query.until()).min();
        for round in 0..ROUNDS {
            let chunks = (FIRST_CHUNKS << round).min(MOST_CHUNKS);
            let round = self.store.round(self.query, &self.sources, below, chunks);
            let mut round = round.await?;
            if round.ids.is_empty() && self.texts == 0 {
                round.ids.push(no_status());
            }
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

    /// Keeps the ids that really match. Returns the cursor to continue from if the page is full or the
    /// limit is reached.
    async fn verify(&mut self, ids: &[StatusId]) -> Result<Option<Cursor>> {
        let (mut rest, mut some) = (ids, PAGE_SIZE + 1);
        while let Some(first) = rest.first() {
            let allowed = some.min(TEXTS - self.texts).min(rest.len());
            if allowed == 0 {
                return Ok(Some(cursor_at(*first)));
            }
            let (slice, behind) = rest.split_at(allowed);
            let visible = self.store.visible(self.viewer, slice).await?;
            let mut stopped = None;
            for status in visible.into_iter().filter(|status| !status.is_repost()) {
                if self.budget.is_used_up() && !status.row.is_folded() {
                    stopped = Some(cursor_at(status.id()));
                    break;
                }
                let (id, row) = (status.id(), &status.row);
                self.store.fold_texts(id, row, &mut self.budget).await;
                if self.query.matches_folded(&row.folded_texts().message) {
                    self.found.push(status);
                }
            }
            if self.found.len() > PAGE_SIZE {
                self.found.truncate(PAGE_SIZE);
                let last = self.found.last().map(VisibleStatus::id);
                return Ok(last.map(|last| Cursor::before(last.get())));
            }
            if stopped.is_some() {
                return Ok(stopped);
            }
            self.texts += allowed;
            (rest, some) = (behind, 2 * some);
        }
        Ok(None)
    }
}

/// Returns an id that no status has: ids begin with the year 2026. A search without any id reads it, so that it takes as
/// long as one that finds only a hidden post.
fn no_status() -> StatusId {
    StatusId::new(NO_STATUS).expect("1 is in range")
}

/// Returns the cursor of the page that begins with this status.
fn cursor_at(id: StatusId) -> Cursor {
    Cursor::before(id.get() + 1)
}
