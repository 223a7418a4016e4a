//! The migration step to version 3: the votes in polls are found from their voters.

use futures_util::future::LocalBoxFuture;

use crate::store::{Life, prelude::*};

/// Number of keys per round trip, and number of votes of one poll.
const KEYS: usize = 500;
const VOTES: u64 = 500;

/// Notes each vote with its voter. It deletes nothing.
pub(in crate::store) fn note_votes_of_voters(store: &Store) -> LocalBoxFuture<'_, Result<()>> {
    Box::pin(async move {
        let mut walk = store.begin_walk().await?;
        while let Some(found) = store.walk(&mut walk, KEYS).await? {
            let polls = found.into_iter().filter_map(|found| match found.key {
                Some(Key::Ballots(id)) => Some(id),
                _ => None,
            });
            let polls: Vec<StatusId> = polls.collect();
            for (id, life) in polls.iter().zip(store.lives(&polls).await?) {
                if let Life::Living(header) = life {
                    let (status, author) = (*id, header.author);
                    store.note_votes_in(StatusRef { status, author }).await?;
                }
            }
        }
        Ok(())
    })
}

impl Store {
    async fn note_votes_in(&self, poll: StatusRef) -> Result<()> {
        let mut from = 0;
        loop {
            let key = keys::ballots(poll.status);
            let some = redis::cmd("ZRANGE").with((key, from, from + VOTES - 1));
            let voters: Vec<u64> = self.connection.query(some).await?;
            if voters.is_empty() {
                return Ok(());
            }
            from += voters.len() as u64;
            let note = |voter: &UserId| {
                let votes = keys::votes(voter);
                redis::cmd("ZADD").with((votes, poll.author.get(), poll.status.get()))
            };
            let notes = user_ids(voters).iter().map(note).collect();
            self.connection.batch(notes).await?;
        }
    }
}
