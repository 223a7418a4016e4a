//! The words of the index: one ZSET for the first three characters lists the longer words that a post has. A search
//! for a beginning reads the postings of a limited number of them.

use std::collections::BTreeMap;

use super::{calls, names::entries_that_begin};
use crate::store::prelude::*;

/// Number of words per read of `redwing check`.
const ROWS: usize = 1000;

impl Store {
    /// Returns up to `limit` words of the index that begin like this, in order. One round trip.
    pub(super) async fn words_that_begin(
        &self,
        beginning: &str,
        limit: usize,
    ) -> Result<Vec<Term>> {
        // A word that is not longer than the beginnings is listed under none.
        let place = Term::of_word(&format!("{beginning}-")).beginning();
        let Some(place) = place else {
            return Ok(Vec::new());
        };
        let range = entries_that_begin(keys::words(&place), beginning, limit);
        let words: Vec<String> = self.connection.query(range).await?;
        Ok(words.iter().filter_map(|word| Term::stored(word)).collect())
    }

    /// Lists these words. Terms that no list has are left out. One round trip.
    pub async fn list_words(&self, call: &Call, terms: &[Term]) -> Result<()> {
        let enter = by_beginning(terms).into_iter().map(|(beginning, entries)| {
            let enter = calls::EnterName {
                names: keys::words(&beginning),
                deadline_ms: call.deadline(),
                entries,
            };
            enter.command()
        });
        self.connection.batch(enter.collect()).await.map(drop)
    }

    /// Removes those of these words that no post has any more. A word that gets a post meanwhile stays listed.
    pub async fn unlist_words(&self, call: &Call, terms: &[Term]) -> Result<()> {
        let listed = terms.iter().filter(|term| term.beginning().is_some());
        let unused = self.unused(listed.cloned().collect()).await?;
        if unused.is_empty() {
            return Ok(());
        }
        let leave = by_beginning(&unused)
            .into_iter()
            .map(|(beginning, entries)| {
                let leave = calls::LeaveName {
                    names: keys::words(&beginning),
                    deadline_ms: call.deadline(),
                    entries,
                };
                leave.command()
            });
        self.connection.batch(leave.collect()).await?;
        let still_unused = self.unused(unused.clone()).await?;
        let used = unused
            .into_iter()
            .filter(|term| !still_unused.contains(term));
        self.list_words(call, &used.collect::<Vec<_>>()).await
    }

    /// Returns those of these terms that no post has. One round trip.
    async fn unused(&self, terms: Vec<Term>) -> Result<Vec<Term>> {
        let exist = terms
            .iter()
            .map(|term| redis::cmd("EXISTS").with((keys::chunks(term), keys::postings(term, 0))));
        let counts: Vec<u64> = self.connection.query_each(exist).await?;
        let unused = terms
            .into_iter()
            .zip(counts)
            .filter(|(_, count)| *count == 0);
        Ok(unused.map(|(term, _)| term).collect())
    }

    /// Returns whether each word is listed, if it can be. One round trip.
    pub async fn are_words_listed(&self, terms: &[Term]) -> Result<Vec<bool>> {
        let scores = terms.iter().map(|term| {
            let beginning = term.beginning().unwrap_or_else(Term::absent);
            redis::cmd("ZSCORE").with((keys::words(&beginning), term.as_str()))
        });
        let scores: Vec<Option<f64>> = self.connection.query_each(scores).await?;
        let scored = terms.iter().zip(scores);
        Ok(scored
            .map(|(term, score)| term.beginning().is_none() || score.is_some())
            .collect())
    }

    /// Returns the listed words with this beginning after the given one, in order.
    pub async fn words_after(&self, beginning: &Term, after: Option<&str>) -> Result<Vec<String>> {
        let after = after.map_or_else(|| "-".to_owned(), |after| format!("({after}"));
        let range = redis::cmd("ZRANGE").with((keys::words(beginning), after, "+"));
        let range = range.with(("BYLEX", "LIMIT", "0", ROWS));
        self.connection.query(range).await
    }

    /// Returns those of these entries under a beginning that are not words of a post. One round trip.
    pub async fn wrong_words(&self, beginning: &Term, entries: Vec<String>) -> Result<Vec<String>> {
        let is_place = |term: &Term| term.beginning().as_ref() == Some(beginning);
        let term = |entry: &String| Term::stored(entry).filter(is_place);
        let unused = self
            .unused(entries.iter().filter_map(term).collect())
            .await?;
        let is_wrong = |entry: &String| term(entry).is_none_or(|term| unused.contains(&term));
        Ok(entries.into_iter().filter(is_wrong).collect())
    }

    /// Removes an entry that is no word from the words with this beginning.
    pub async fn drop_word(&self, beginning: &Term, entry: &str) -> Result<()> {
        let remove = redis::cmd("ZREM").with((keys::words(beginning), entry));
        self.connection.query::<i64>(remove).await.map(drop)
    }
}

fn by_beginning(terms: &[Term]) -> BTreeMap<Term, Vec<String>> {
    let mut entries: BTreeMap<Term, Vec<String>> = BTreeMap::new();
    for term in terms {
        if let Some(beginning) = term.beginning() {
            entries
                .entry(beginning)
                .or_default()
                .push(term.as_str().to_owned());
        }
    }
    entries
}
