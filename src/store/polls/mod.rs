//! Single steps on polls: casting a ballot, and how a viewer voted in those on a page.

use std::{collections::HashMap, sync::Arc};

use redis::{Cmd, Value};

use super::{
    Call, Result, Store, Viewer,
    cache::{Held, Name, Row, Shared},
    keys,
    redis::{
        connection::read,
        scripts::{self, With},
    },
};
use crate::domain::{Ballot, StatusId, UserId};

/// What became of a ballot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cast {
    /// It counts, by this call or by an earlier one.
    Counted,
    /// They voted otherwise before, and that stands.
    VotedBefore,
    Ended,
    /// No living status, or one without a poll.
    NoPoll,
    /// One does not vote in one's own poll.
    Own,
    /// The poll has no such option, or only one can be chosen.
    NoSuchChoice,
}

/// What a poll says, and what its ballots come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    pub options: usize,
    pub says: String,
    pub is: String,
}

/// How one person voted in a poll.
#[derive(Debug)]
pub(super) struct OwnBallot {
    voter: UserId,
    ballot: Option<Ballot>,
}

/// Whose vote in which poll.
#[derive(Debug, Clone, Copy)]
pub(super) struct Voter {
    status: StatusId,
    person: UserId,
}

impl Store {
    /// Casts a ballot. All of it lies in the slot of the status, and there is no copy.
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
        match self.connection.keep::<i64>(cast).await? {
            1 => Ok(Cast::Counted),
            2 => Ok(Cast::VotedBefore),
            -1 => Ok(Cast::Ended),
            -2 => Ok(Cast::NoPoll),
            -3 => Ok(Cast::Own),
            -4 => Ok(Cast::NoSuchChoice),
            code => Err(scripts::CAST_BALLOT.undocumented(code)),
        }
    }

    /// What each of these polls says and what its ballots come to, in one step each; `None` where there
    /// is no such poll. One trip.
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

    /// How the viewer voted in these polls; a visitor has no vote. One trip, and none where there is
    /// no poll.
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

impl Row for OwnBallot {
    type Question = Voter;

    fn name(voter: &Voter) -> Name {
        Name::Ballots(voter.status)
    }

    fn command(voter: &Voter) -> Cmd {
        redis::cmd("ZSCORE")
            .with(keys::ballots(voter.status))
            .with(voter.person.get())
    }

    /// That somebody has not voted is kept too.
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

    fn hold(self, _: &Shared, _: Name) -> (Arc<Self>, Held) {
        let row = Arc::new(self);
        (Arc::clone(&row), Held::Ballot(row))
    }

    fn find(held: &Held, _: &Shared, voter: &Voter) -> Option<Arc<Self>> {
        match held {
            Held::Ballot(own) if own.voter == voter.person => Some(Arc::clone(own)),
            _ => None,
        }
    }
}
