//! Reads through the cache: cached values are used, and missing ones are read in one round trip and
//! cached.

use std::{any::Any, sync::Arc, time::Instant};

use redis::{Cmd, Value};

use super::{CachedRow, Lookup};
use crate::store::{Key, Result, Store};

impl Store {
    /// Returns the rows of these questions, at least as new as this connection's last round trip, so
    /// each caller makes one first. One round trip for missing rows, none if all are cached.
    pub(in crate::store) async fn rows_of<R: CachedRow>(
        &self,
        questions: &[R::Question],
    ) -> Result<Vec<Option<Arc<R>>>> {
        let Some(cache) = self.connection.cache() else {
            return self.read_rows(questions).await;
        };
        let Lookup { mut rows, lease } = cache.look_up::<R>(&self.shared_rows, questions);
        let missing: Vec<usize> = (0..rows.len()).filter(|at| rows[*at].is_none()).collect();
        if missing.is_empty() {
            return Ok(rows);
        }
        let reads = missing.iter().map(|at| R::command(&questions[*at]));
        let answers = self.connection.tracked(reads.collect()).await?;
        for (at, (answer, tracked)) in missing.into_iter().zip(answers) {
            let row = R::parse(&questions[at], answer)?;
            rows[at] = if tracked {
                cache.insert_row(&self.shared_rows, (R::key(&questions[at]), lease), row)
            } else {
                row.map(Arc::new)
            };
        }
        Ok(rows)
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
        if let Some((value, bytes)) = value(&parsed, start).filter(|_| tracked) {
            cache.insert_value(key, lease, Arc::new(value), bytes);
        }
        Ok(parsed)
    }

    async fn read_rows<R: CachedRow>(
        &self,
        questions: &[R::Question],
    ) -> Result<Vec<Option<Arc<R>>>> {
        let reads = questions.iter().map(R::command);
        let answers = self.connection.batch(reads.collect()).await?;
        let rows = questions.iter().zip(answers);
        rows.map(|(question, answer)| Ok(R::parse(question, answer)?.map(Arc::new)))
            .collect()
    }
}
