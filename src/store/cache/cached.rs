//! Reads through the cache: cached values are used, and missing ones are read in one round trip and
//! cached.

use std::{any::Any, sync::Arc, time::Instant};

use super::{Cache, Lookup, recording};
use crate::store::prelude::*;

/// Rows of three types. A row that does not exist is `None`.
type RowsOfThree<R, S, T> = (
    Vec<Option<Arc<R>>>,
    Vec<Option<Arc<S>>>,
    Vec<Option<Arc<T>>>,
);

impl Store {
    /// Returns the rows of these questions, at least as new as this connection's last round trip, so
    /// each caller makes one first. One round trip for missing rows, none if all are cached.
    pub(in crate::store) async fn rows_of<R: CachedRow>(
        &self,
        questions: &[R::Question],
    ) -> Result<Vec<Option<Arc<R>>>> {
        let cache = self.connection.cache();
        let pending = self.pending_rows::<R>(cache.as_deref(), questions);
        let commands = pending.commands().collect();
        let mut answers = self.read_missing(cache.as_deref(), commands).await?;
        pending.complete(self, &mut answers)
    }

    /// Returns those of these rows that are cached, and reads none. They are as new as those of [`Store::rows_of`].
    pub(in crate::store) fn cached_rows<R: CachedRow>(
        &self,
        questions: &[R::Question],
    ) -> Vec<Option<Arc<R>>> {
        let cache = self.connection.cache();
        let row = |question| cache.as_ref()?.shared_row(&self.shared_rows, question);
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
        let cache = self.connection.cache();
        let first = self.pending_rows::<R>(cache.as_deref(), first_questions);
        let second = self.pending_rows::<S>(cache.as_deref(), second_questions);
        let third = self.pending_rows::<T>(cache.as_deref(), third_questions);
        let commands = first.commands().chain(second.commands());
        let commands = commands.chain(third.commands()).collect();
        let mut answers = self.read_missing(cache.as_deref(), commands).await?;
        Ok((
            first.complete(self, &mut answers)?,
            second.complete(self, &mut answers)?,
            third.complete(self, &mut answers)?,
        ))
    }

    /// Looks rows up in the cache. Without a cache all are missing.
    fn pending_rows<'a, R: CachedRow>(
        &self,
        cache: Option<&'a Cache>,
        questions: &'a [R::Question],
    ) -> PendingRows<'a, R> {
        let Lookup {
            rows,
            missing,
            lease,
        } = match cache {
            Some(cache) => cache.look_up::<R>(&self.shared_rows, questions),
            None => Lookup {
                rows: vec![None; questions.len()],
                missing: (0..questions.len()).collect(),
                lease: 0,
            },
        };
        PendingRows {
            cache,
            questions,
            rows,
            lease,
            missing,
        }
    }

    /// Returns each answer with whether Redis reports changes of its key. No round trip without commands.
    async fn read_missing(
        &self,
        cache: Option<&Cache>,
        commands: Vec<Cmd>,
    ) -> Result<impl Iterator<Item = (Value, bool)> + use<>> {
        let answers = match cache {
            _ if commands.is_empty() => Vec::new(),
            Some(_) => self.connection.tracked(commands).await?,
            None => {
                let answers = self.connection.batch(commands).await?;
                answers.into_iter().map(|answer| (answer, false)).collect()
            }
        };
        Ok(answers.into_iter())
    }

    /// Returns the value of a script that [`Store::read_through_cache`] cached.
    pub(in crate::store) fn cached_value<V: Any + Send + Sync>(&self, key: &Key) -> Option<Arc<V>> {
        self.connection.cache()?.value(key)
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
        let Some(cache) = self.connection.cache() else {
            return parse(self.connection.query(read).await?);
        };
        let start = Instant::now();
        let lease = cache.lease(key.clone());
        let answer = self.connection.tracked(vec![read]).await?.pop();
        let (answer, tracked) = answer.unwrap_or_default();
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
    /// The cache that holds the leases. The connection may have another one by the time of the answers.
    cache: Option<&'a Cache>,
    questions: &'a [R::Question],
    rows: Vec<Option<Arc<R>>>,
    lease: u64,
    /// The places of the missing rows.
    missing: Vec<usize>,
}

impl<R: CachedRow> PendingRows<'_, R> {
    /// Returns the reads of the missing rows.
    fn commands(&self) -> impl Iterator<Item = Cmd> {
        self.missing
            .iter()
            .map(|at| R::command(&self.questions[*at]))
    }

    /// Takes the answers of the missing rows, and caches those that Redis tracks.
    fn complete(
        mut self,
        store: &Store,
        answers: &mut impl Iterator<Item = (Value, bool)>,
    ) -> Result<Vec<Option<Arc<R>>>> {
        for (at, (answer, tracked)) in self.missing.into_iter().zip(answers) {
            let question = &self.questions[at];
            let row = R::parse(question, answer)?;
            self.rows[at] = match self.cache.filter(|_| tracked) {
                Some(cache) => {
                    cache.insert_row(&store.shared_rows, (R::key(question), self.lease), row)
                }
                None => {
                    recording::note_uncached_read();
                    row.map(Arc::new)
                }
            };
        }
        Ok(self.rows)
    }
}
