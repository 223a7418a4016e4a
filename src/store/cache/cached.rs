//! Reads through the cache: cached values are used, and missing ones are read in one round trip and
//! cached.

use std::{any::Any, sync::Arc, time::Instant};

use super::{
    Lookup, recording,
    view::{CacheView, NodeRead, TrackedReply, ViewRead},
};
use crate::store::prelude::*;

/// Number of tries with the caches of a cluster. An entry can change during each of them.
const MOST_TRIES: u32 = 2;

/// Rows of three types. A row that does not exist is `None`.
type RowsOfThree<R, S, T> = (
    Vec<Option<Arc<R>>>,
    Vec<Option<Arc<S>>>,
    Vec<Option<Arc<T>>>,
);

impl Store {
    /// Returns the rows of these questions, at least as new as this connection's last round trip, so
    /// each caller makes one first. One round trip for missing rows, none if all are cached. On a cluster it makes at least
    /// one, also if all rows are cached.
    pub(in crate::store) async fn rows_of<R: CachedRow>(
        &self,
        questions: &[R::Question],
    ) -> Result<Vec<Option<Arc<R>>>> {
        let rows = self.rows_of_three::<R, R, R>(questions, &[], &[]);
        let (rows, _, _) = rows.await?;
        Ok(rows)
    }

    /// Returns those of these rows that are cached, and reads none. They are as new as those of [`Store::rows_of`].
    /// On a cluster it returns no rows: a cached row needs a round trip.
    pub(in crate::store) fn cached_rows<R: CachedRow>(
        &self,
        questions: &[R::Question],
    ) -> Vec<Option<Arc<R>>> {
        if self.is_cluster() {
            return vec![None; questions.len()];
        }
        let row = |question| {
            let cache = self.connection.cache_of(&R::key(question))?;
            cache.shared_row(&self.shared_rows, question)
        };
        questions.iter().map(row).collect()
    }

    /// Returns rows of two types like [`Store::rows_of`], in the same round trip.
    pub(in crate::store) async fn rows_of_both<R: CachedRow, S: CachedRow>(
        &self,
        questions: &[R::Question],
        other_questions: &[S::Question],
    ) -> Result<(Vec<Option<Arc<R>>>, Vec<Option<Arc<S>>>)> {
        let rows = self.rows_of_three::<R, S, S>(questions, other_questions, &[]);
        let (rows, others, _) = rows.await?;
        Ok((rows, others))
    }

    /// Returns rows of three types like [`Store::rows_of`], in the same round trip.
    pub(in crate::store) async fn rows_of_three<R: CachedRow, S: CachedRow, T: CachedRow>(
        &self,
        first_questions: &[R::Question],
        second_questions: &[S::Question],
        third_questions: &[T::Question],
    ) -> Result<RowsOfThree<R, S, T>> {
        let mut tries = 0;
        loop {
            let mut view = match tries {
                0..MOST_TRIES => CacheView::of(&self.connection),
                _ => CacheView::without_cache(),
            };
            let first = self.pending_rows::<R>(&mut view, first_questions);
            let second = self.pending_rows::<S>(&mut view, second_questions);
            let third = self.pending_rows::<T>(&mut view, third_questions);
            let reads = first.reads().chain(second.reads()).chain(third.reads());
            let reads = reads.collect();
            let answers = match self.connection.read_with_view(&view, reads).await? {
                ViewRead::Complete(answers) => answers,
                ViewRead::Changed => {
                    tries += 1;
                    continue;
                }
                ViewRead::Refused => {
                    tries = MOST_TRIES;
                    continue;
                }
            };
            let mut answers = answers.into_iter();
            return Ok((
                first.complete(self, &view, &mut answers)?,
                second.complete(self, &view, &mut answers)?,
                third.complete(self, &view, &mut answers)?,
            ));
        }
    }

    /// Looks rows up in the caches of a view. Without a cache all are missing.
    fn pending_rows<'a, R: CachedRow>(
        &self,
        view: &mut CacheView,
        questions: &'a [R::Question],
    ) -> PendingRows<'a, R> {
        let mut pending = PendingRows {
            questions,
            rows: vec![None; questions.len()],
            missing: Vec::new(),
        };
        if questions.is_empty() {
            return pending;
        }
        let row_indices_by_node = view.row_indices_by_node(questions.iter().map(R::key));
        for (node, indices) in row_indices_by_node.into_iter().enumerate() {
            pending.look_up(self, view, node, &indices);
        }
        pending
    }

    /// Returns the value of a script that [`Store::read_through_cache`] cached, at least as new as this connection's last
    /// round trip. On a cluster, this makes a round trip.
    pub(in crate::store) async fn current_value<V: Any + Send + Sync>(
        &self,
        key: &Key,
    ) -> Result<Option<Arc<V>>> {
        let mut view = CacheView::of(&self.connection);
        let node = view.node_index_of(key);
        let Some((value, stamp)) = view.cache(node).and_then(|cache| cache.value(key)) else {
            return Ok(None);
        };
        if view.notes_entries() {
            view.note_entry(node, key.clone(), stamp);
        }
        let read = self.connection.read_with_view(&view, Vec::new()).await?;
        Ok(matches!(read, ViewRead::Complete(_)).then_some(value))
    }

    /// Returns a value or row of this connection if it is cached. On a cluster, it may be out of date.
    pub(in crate::store) fn cached_value<V: Any + Send + Sync>(&self, key: &Key) -> Option<Arc<V>> {
        let (value, _) = self.connection.cache_of(key)?.value(key)?;
        Some(value)
    }

    /// Runs a script that reads several keys, all of them [cached under](Key::cached_under) this one.
    /// `value` returns the value to cache with its bytes, if any, given the time at which the read
    /// started.
    pub(in crate::store) async fn read_through_cache<T, V: Any + Send + Sync>(
        &self,
        key: Key,
        read: Cmd,
        parse: impl FnOnce(Value) -> Result<T>,
        value: impl FnOnce(&T, Instant) -> Option<(V, usize)>,
    ) -> Result<T> {
        let mut view = CacheView::of(&self.connection);
        let start = Instant::now();
        let node = view.node_index_of(&key);
        let cache = view.cache(node).cloned();
        let Some(cache) = cache else {
            return parse(self.connection.query(read).await?);
        };
        let lease = cache.lease(key.clone());
        let reads = vec![(node, read.clone())];
        let tracked = match self.connection.read_with_view(&view, reads).await? {
            ViewRead::Complete(mut answers) => answers.pop(),
            ViewRead::Changed | ViewRead::Refused => None,
        };
        let Some((answer, tracked)) = tracked else {
            return parse(self.connection.query(read).await?);
        };
        let parsed = parse(answer)?;
        match value(&parsed, start).filter(|_| tracked) {
            Some((value, bytes)) => cache.insert_value(key, lease, Arc::new(value), bytes),
            None => recording::note_uncached_read(),
        }
        Ok(parsed)
    }
}

/// Rows, some of which are still to be read.
struct PendingRows<'a, R: CachedRow> {
    questions: &'a [R::Question],
    rows: Vec<Option<Arc<R>>>,
    missing: Vec<MissingRow>,
}

/// A missing row: its index, the index of its node, and its lease in the cache of that node.
struct MissingRow {
    index: usize,
    node: usize,
    lease: u64,
}

impl<R: CachedRow> PendingRows<'_, R> {
    /// Looks up the rows with these indices in the cache of this node.
    fn look_up(&mut self, store: &Store, view: &mut CacheView, node: usize, indices: &[usize]) {
        let questions = indices.iter().map(|index| &self.questions[*index]);
        let missing = |index: usize, lease| MissingRow { index, node, lease };
        let Some(cache) = view.cache(node).cloned() else {
            self.missing
                .extend(indices.iter().map(|index| missing(*index, 0)));
            return;
        };
        let found = |key, stamp| {
            if view.notes_entries() {
                view.note_entry(node, key, stamp);
            }
        };
        let Lookup {
            rows,
            missing: gaps,
            lease,
        } = cache.look_up::<R>(&store.shared_rows, questions, found);
        for (index, row) in indices.iter().zip(rows) {
            self.rows[*index] = row;
        }
        let gaps = gaps.into_iter().map(|gap| missing(indices[gap], lease));
        self.missing.extend(gaps);
    }

    /// Returns the reads of the missing rows.
    fn reads(&self) -> impl Iterator<Item = NodeRead> {
        let read = |row: &MissingRow| (row.node, R::command(&self.questions[row.index]));
        self.missing.iter().map(read)
    }

    /// Takes the answers of the missing rows, and caches those that Redis tracks.
    fn complete(
        mut self,
        store: &Store,
        view: &CacheView,
        answers: &mut impl Iterator<Item = TrackedReply>,
    ) -> Result<Vec<Option<Arc<R>>>> {
        for (MissingRow { index, node, lease }, (answer, tracked)) in
            self.missing.into_iter().zip(answers)
        {
            let question = &self.questions[index];
            let row = R::parse(question, answer)?;
            self.rows[index] = match view.cache(node).filter(|_| tracked) {
                Some(cache) => cache.insert_row(&store.shared_rows, (R::key(question), lease), row),
                None => {
                    recording::note_uncached_read();
                    row.map(Arc::new)
                }
            };
        }
        Ok(self.rows)
    }
}
