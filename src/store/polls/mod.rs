//! Single steps on polls: casting a vote, and the viewer's votes in the polls of a page.

pub(super) mod migration;
pub(super) mod votes;

use std::collections::HashMap;

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

/// One person's vote in a poll.
#[derive(Debug, PartialEq)]
pub(super) struct OwnBallot {
    voter: UserId,
    ballot: Option<Ballot>,
}

/// The person and poll of a vote.
#[derive(Debug, Clone, Copy)]
pub(super) struct Voter {
    status: StatusId,
    person: UserId,
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

    /// Returns the viewer's votes in these polls. One round trip, none without polls. A visitor has no
    /// votes.
    pub(super) async fn ballots_in(
        &self,
        viewer: Viewer,
        polls: impl Iterator<Item = StatusId>,
    ) -> Result<HashMap<StatusId, Ballot>> {
        let Some(person) = viewer.id() else {
            return Ok(HashMap::new());
        };
        let voters: Vec<Voter> = polls.map(|status| Voter { status, person }).collect();
        if voters.is_empty() {
            return Ok(HashMap::new());
        }
        let ballots = self.rows_of::<OwnBallot>(&voters).await?;
        let cast = voters.iter().zip(ballots);
        let cast = cast.filter_map(|(voter, own)| Some((voter.status, own?.ballot?)));
        Ok(cast.collect())
    }
}

impl CachedRow for OwnBallot {
    type Question = Voter;

    fn key(voter: &Voter) -> Key {
        Key::Ballots(voter.status)
    }

    fn command(voter: &Voter) -> Cmd {
        redis::cmd("ZSCORE").with((keys::ballots(voter.status), voter.person.get()))
    }

    /// Caches also that a person has not voted.
    fn parse(voter: &Voter, answer: Value) -> Result<Option<Self>> {
        let chosen: Option<f64> = read(answer)?;
        Ok(Some(Self {
            voter: voter.person,
            ballot: chosen.and_then(|chosen| Ballot::stored(chosen as u64)),
        }))
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }

    fn answers(&self, voter: &Voter) -> bool {
        self.voter == voter.person
    }
}
