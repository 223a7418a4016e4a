//! The migration steps of the search index: to version 2, pairs of characters share terms; to version 5, words are
//! listed by their beginnings.

use futures_util::future::LocalBoxFuture;

use crate::{
    domain::{Task, terms_of},
    store::{Chunk, prelude::*},
};

/// Number of keys per round trip.
const KEYS: usize = 500;

/// Indexes each post with pairs of characters again, by tasks, and then deletes the postings of the pairs.
/// Until the tasks are done, a search for these pairs misses older posts.
pub(in crate::store) fn share_terms_of_pairs(store: &Store) -> LocalBoxFuture<'_, Result<()>> {
    Box::pin(async move {
        let mut walk = store.begin_walk().await?;
        while let Some(found) = store.walk(&mut walk, KEYS).await? {
            let ids = found.into_iter().filter_map(|found| match found.key {
                Some(Key::Status(id)) => Some(id),
                _ => None,
            });
            store.index_pairs(&ids.collect::<Vec<_>>()).await?;
        }
        let mut walk = store.begin_walk().await?;
        while let Some(found) = store.walk(&mut walk, KEYS).await? {
            for found in found {
                let term = match &found.key {
                    Some(Key::Chunks(term)) => term,
                    Some(Key::Postings(chunk)) => &chunk.term,
                    _ => continue,
                };
                if term.was_unshared() {
                    store.unlink(&found.name).await?;
                }
            }
        }
        Ok(())
    })
}

/// Lists each word that a post has. It deletes nothing.
pub(in crate::store) fn list_words_by_beginning(store: &Store) -> LocalBoxFuture<'_, Result<()>> {
    Box::pin(async move {
        let mut walk = store.begin_walk().await?;
        while let Some(found) = store.walk(&mut walk, KEYS).await? {
            let words = found.into_iter().filter_map(|found| match found.key {
                Some(Key::Postings(Chunk { term, .. })) => Some((term.beginning()?, term)),
                _ => None,
            });
            let list = words.map(|(beginning, term)| {
                redis::cmd("ZADD").with((keys::words(&beginning), 0, term.as_str()))
            });
            store.connection.batch(list.collect()).await?;
        }
        Ok(())
    })
}

impl Store {
    /// Adds a task for each of these posts that has a pair in its text.
    async fn index_pairs(&self, ids: &[StatusId]) -> Result<()> {
        let texts = self.texts(ids).await?;
        let with_pairs = ids.iter().zip(texts).filter(|(_, text)| {
            let terms = terms_of(text.living.as_deref().unwrap_or_default());
            terms.iter().any(Term::is_shared)
        });
        let tasks: Vec<Task> = with_pairs.map(|(id, _)| Task::Index(*id)).collect();
        self.enqueue_all(&tasks).await
    }
}
