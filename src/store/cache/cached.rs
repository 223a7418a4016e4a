//! Reads through the cache: cached values are used, and missing ones are read in one round trip and
//! cached.

use std::{sync::Arc, time::Instant};

use redis::{Cmd, Value};

use super::{Held, Look, Name, Row};
use crate::store::{Result, Store};

impl Store {
    /// Returns the rows of these questions, at least as new as this connection's last round trip, so
    /// each caller makes one first. One round trip for missing rows, none if all are cached.
    pub(in crate::store) async fn rows_of<R: Row>(
        &self,
        questions: &[R::Question],
    ) -> Result<Vec<Option<Arc<R>>>> {
        let Some(cache) = self.connection.cache() else {
            return self.read_rows(questions).await;
        };
        let Look { mut rows, lease } = cache.look::<R>(&self.shared, questions);
        let missing: Vec<usize> = (0..rows.len()).filter(|at| rows[*at].is_none()).collect();
        if missing.is_empty() {
            return Ok(rows);
        }
        let reads = missing.iter().map(|at| R::command(&questions[*at]));
        let answers = self.connection.tracked(reads.collect()).await?;
        for (at, (answer, watched)) in missing.into_iter().zip(answers) {
            let name = R::name(&questions[at]);
            let row = R::parse(&questions[at], answer)?;
            rows[at] = if watched {
                cache.keep(&self.shared, (name, lease), row)
            } else {
                row.map(Arc::new)
            };
        }
        Ok(rows)
    }

    /// Runs a script that reads several keys. `held` returns the value to cache with its bytes, if any,
    /// given the time at which the read started.
    pub(in crate::store) async fn read_kept<T>(
        &self,
        name: Name,
        read: Cmd,
        parse: impl FnOnce(Value) -> Result<T>,
        held: impl FnOnce(&T, Instant) -> Option<(Held, usize)>,
    ) -> Result<T> {
        let Some(cache) = self.connection.cache() else {
            return parse(self.connection.query(read).await?);
        };
        let begun = Instant::now();
        let lease = cache.lease(name);
        let answer = self.connection.tracked(vec![read]).await?.pop();
        let (answer, watched) = answer.unwrap_or_default();
        let found = parse(answer)?;
        if let Some((held, bytes)) = held(&found, begun).filter(|_| watched) {
            cache.keep_held(name, lease, held, bytes);
        }
        Ok(found)
    }

    async fn read_rows<R: Row>(&self, questions: &[R::Question]) -> Result<Vec<Option<Arc<R>>>> {
        let reads = questions.iter().map(R::command);
        let answers = self.connection.batch(reads.collect()).await?;
        let rows = questions.iter().zip(answers);
        rows.map(|(question, answer)| Ok(R::parse(question, answer)?.map(Arc::new)))
            .collect()
    }
}
