//! The polls in which a person voted: `votes:{uid}`, with the author of each poll as the score. It is written before the
//! vote, so it misses none. A block reads the votes of one person in polls of another from it, however many posts both
//! have.

use super::NoteVote;
use crate::store::prelude::*;

/// Number of notes after which a vote cleans up, and number of notes that it examines then.
const VOTES_PER_CLEANING: u64 = 100;
const NOTES_EXAMINED: usize = 1000;

impl Store {
    /// Notes that a person votes in a poll. Now and then it removes notes about deleted polls. Returns `false` if the
    /// person does not exist. One round trip, mostly.
    pub async fn note_vote(&self, voter: UserId, poll: StatusRef) -> Result<bool> {
        let note = NoteVote {
            user: keys::user(voter),
            votes: keys::votes(voter),
            status_id: poll.status.get(),
            author_id: poll.author.get(),
        };
        let count: u64 = self.connection.query(note.command()).await?;
        if count > 0 && count.is_multiple_of(VOTES_PER_CLEANING) {
            self.forget_deleted_polls(voter).await?;
        }
        Ok(count > 0)
    }

    /// Removes the notes about deleted polls among a random sample.
    async fn forget_deleted_polls(&self, voter: UserId) -> Result<()> {
        let some = redis::cmd("ZRANDMEMBER").with((keys::votes(voter), NOTES_EXAMINED));
        let ids = status_ids(self.connection.query::<Vec<u64>>(some).await?);
        let lives = self.lives(&ids).await?;
        let dead = ids.iter().zip(lives).filter(|(_, life)| !life.is_living());
        let dead: Vec<StatusId> = dead.map(|(id, _)| *id).collect();
        self.forget_votes(voter, &dead).await
    }

    /// Returns up to `count` polls of an author in which a person may have voted. One round trip.
    pub async fn votes_in_polls_of(
        &self,
        voter: UserId,
        author: UserId,
        count: usize,
    ) -> Result<Vec<StatusId>> {
        let range = redis::cmd("ZRANGE").with((keys::votes(voter), author.get(), author.get()));
        let range = range.with(("BYSCORE", "LIMIT", 0, count));
        Ok(status_ids(self.connection.query::<Vec<u64>>(range).await?))
    }

    /// Removes the notes of a person about these polls. One round trip.
    pub async fn forget_votes(&self, voter: UserId, ids: &[StatusId]) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let ids: Vec<u64> = ids.iter().map(|id| id.get()).collect();
        let remove = redis::cmd("ZREM").with((keys::votes(voter), ids));
        self.connection.execute(remove).await
    }

    /// Returns those of these voters who have no note about a poll, or one with another author. One round trip.
    pub async fn voters_without_note(
        &self,
        poll: StatusRef,
        voters: &[UserId],
    ) -> Result<Vec<UserId>> {
        let note = |voter: &UserId| Place::new(Key::Votes(*voter), poll.status);
        let scores = self.scores(voters.iter().map(note).collect()).await?;
        let author = poll.author.get() as f64;
        let wrong = voters.iter().zip(scores);
        let wrong = wrong.filter(|(_, score)| *score != Some(author));
        Ok(wrong.map(|(voter, _)| *voter).collect())
    }
}
