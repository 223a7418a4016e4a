//! Single steps on polls: casting a vote, and the viewer's votes in the polls of a page.

use std::collections::HashMap;

use redis::{Cmd, Value};

use super::{
    Call, Key, Result, Store, Viewer,
    cache::CachedRow,
    keys,
    redis::{
        connection::read,
        reply::outcomes,
        scripts::{self, With},
    },
};
use crate::domain::{Ballot, StatusId, UserId};

outcomes! {
    /// Outcome of a vote.
    pub enum Cast {
        /// It counts, by this call or an earlier one.
        Counted = "voted",
        /// The person voted differently before. The first vote stays.
        VotedBefore = "voted_before",
        Ended = "poll_ended",
        /// The status is not alive or has no poll.
        NoPoll = "no_poll",
        /// Authors cannot vote in their own poll.
        Own = "own_poll",
        /// The poll has no such option, or allows only one choice.
        NoSuchChoice = "invalid_choice",
    }
}

/// A poll with the counts of its votes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    pub options: usize,
    pub says: String,
    pub is: String,
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
        let cast = scripts::CAST_BALLOT
            .on([keys::status(id), keys::ballots(id)])
            .with(call.deadline())
            .with(by.get())
            .with(ballot.bits());
        let reply: String = self.connection.keep(cast).await?;
        scripts::CAST_BALLOT.outcome(&reply)
    }

    /// Returns each of these polls with its counts, read in one step each. `None` if there is no such
    /// poll. One round trip.
    pub async fn counts_of_ballots(&self, ids: &[StatusId]) -> Result<Vec<Option<Count>>> {
        let survey =
            |id: &StatusId| scripts::SURVEY_POLL.on([keys::status(*id), keys::ballots(*id)]);
        let surveys = ids.iter().map(survey).collect();
        let answers = self.connection.batch(surveys).await?.into_iter();
        let count = |answer| {
            let texts: Vec<String> = read(answer)?;
            let Ok([options, says, is]) = <[String; 3]>::try_from(texts) else {
                return Ok(None);
            };
            let options = options.parse();
            let options = options.map_err(|_| scripts::SURVEY_POLL.undocumented(&says))?;
            Ok(Some(Count { options, says, is }))
        };
        answers.map(count).collect()
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
        redis::cmd("ZSCORE")
            .with(keys::ballots(voter.status))
            .with(voter.person.get())
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
