//! Single steps on polls: casting a vote, removing one, and counting.

mod ballots;
pub(super) mod migration;
pub(super) mod votes;

use super::prelude::*;
use crate::domain::Ballot;

script_calls! {
    CastBallot = "cast_ballot"(status, ballots; deadline_ms: u64, voter_id: u64, choice: u8);
    NoteVote = "note_vote"(user, votes; status_id: u64, author_id: u64);
    RemoveBallot = "remove_ballot"(status, ballots; voter_id: u64);
    ReadPollCounts = "read_poll_counts"(status, ballots;);
}

outcomes! {
    pub enum Cast {
        /// It counts, by this call or an earlier one.
        Counted = "voted",
        /// The person voted differently before. The first vote stays.
        VotedBefore = "voted_before",
        Ended = "poll_ended",
        /// The status does not exist, was deleted, or the person may not see it.
        Unknown = "not_found",
        NoPoll = "no_poll",
        /// Authors cannot vote in their own poll.
        Own = "own_poll",
        /// The poll has no such option, or allows only one choice.
        NoSuchChoice = "invalid_choice",
    }
}

/// The stored counts of a poll, and the counts of its ballots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PollCounts {
    pub option_count: usize,
    pub stored: String,
    pub actual: String,
}

impl Store {
    /// Casts a vote. All data lies in the slot of the status, without copies.
    pub async fn cast_ballot(
        &self,
        call: &Call,
        by: UserId,
        id: StatusId,
        ballot: Ballot,
    ) -> Result<Cast> {
        let cast = CastBallot {
            status: keys::status(id),
            ballots: keys::ballots(id),
            deadline_ms: call.deadline(),
            voter_id: by.get(),
            choice: ballot.bits(),
        };
        self.connection.run_durably(&cast).await
    }

    /// Removes the votes of a person in the polls among these statuses, and counts those polls again. One round trip.
    pub async fn drop_ballots(&self, ids: &[StatusId], voter: UserId) -> Result<()> {
        let remove = |id: &StatusId| {
            let remove = RemoveBallot {
                status: keys::status(*id),
                ballots: keys::ballots(*id),
                voter_id: voter.get(),
            };
            remove.command()
        };
        let removals = ids.iter().map(remove).collect();
        self.connection.batch(removals).await.map(drop)
    }

    /// Returns the counts of each of these polls, read in one step each. `None` if there is no such poll.
    /// One round trip.
    pub async fn poll_counts(&self, ids: &[StatusId]) -> Result<Vec<Option<PollCounts>>> {
        let read_counts = |id: &StatusId| {
            let read = ReadPollCounts {
                status: keys::status(*id),
                ballots: keys::ballots(*id),
            };
            read.command()
        };
        let texts: Vec<Vec<String>> = self
            .connection
            .query_each(ids.iter().map(read_counts))
            .await?;
        let counts = |texts: Vec<String>| {
            let Ok([option_count, stored, actual]) = <[String; 3]>::try_from(texts) else {
                return Ok(None);
            };
            let undocumented = |_| ReadPollCounts::SCRIPT.undocumented(&option_count);
            Ok(Some(PollCounts {
                option_count: option_count.parse().map_err(undocumented)?,
                stored,
                actual,
            }))
        };
        texts.into_iter().map(counts).collect()
    }
}
