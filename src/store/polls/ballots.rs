//! The votes of a viewer in the polls of a page. The ballots of a poll with few voters are one cached row, which answers
//! for every viewer. Without it, the answer for one reader would replace that for another, and the cached pages of both
//! would become invalid in turns.

use std::collections::HashMap;

use crate::{domain::Ballot, store::prelude::*};

/// Number of voters up to which all ballots of a poll are read and cached.
const MAX_CACHED: usize = 300;

/// The ballots of a poll, ordered by voter. `None` if there are too many.
#[derive(Debug, PartialEq)]
struct Ballots(Option<Box<[(u64, Ballot)]>>);

impl Store {
    /// Returns the viewer's votes in these polls. One round trip, none without polls or if their ballots are cached.
    /// Another one for polls with many voters. A visitor has no votes.
    pub(in crate::store) async fn ballots_in(
        &self,
        viewer: Viewer,
        polls: impl Iterator<Item = StatusId>,
    ) -> Result<HashMap<StatusId, Ballot>> {
        let Some(voter) = viewer.id() else {
            return Ok(HashMap::new());
        };
        let mut polls: Vec<StatusId> = polls.collect();
        let mut own = HashMap::new();
        if self.connection.has_cache() {
            let rows = self.rows_of::<Ballots>(&polls).await?;
            let rows: HashMap<_, _> = polls.iter().copied().zip(rows).collect();
            polls.retain(|poll| match rows[poll].as_deref() {
                Some(Ballots(None)) => true,
                Some(ballots) => {
                    own.extend(ballots.of(voter).map(|ballot| (*poll, ballot)));
                    false
                }
                None => false,
            });
        }
        own.extend(self.read_ballots(&polls, voter).await?);
        Ok(own)
    }

    /// Reads the votes of a person in these polls. One round trip, none without polls.
    async fn read_ballots(
        &self,
        polls: &[StatusId],
        voter: UserId,
    ) -> Result<Vec<(StatusId, Ballot)>> {
        if polls.is_empty() {
            return Ok(Vec::new());
        }
        let read = |poll: &StatusId| redis::cmd("ZSCORE").with((keys::ballots(*poll), voter.get()));
        let chosen: Vec<Option<f64>> = self.connection.query_each(polls.iter().map(read)).await?;
        let own = polls.iter().zip(chosen);
        Ok(own
            .filter_map(|(poll, chosen)| Some((*poll, ballot(chosen?)?)))
            .collect())
    }
}

impl Ballots {
    fn of(&self, voter: UserId) -> Option<Ballot> {
        let ballots = self.0.as_deref()?;
        let at = ballots.binary_search_by_key(&voter.get(), |(voter, _)| *voter);
        Some(ballots[at.ok()?].1)
    }
}

impl CachedRow for Ballots {
    type Question = StatusId;

    const SHARED: bool = true;

    fn key(poll: &StatusId) -> Key {
        Key::Ballots(*poll)
    }

    fn command(poll: &StatusId) -> Cmd {
        redis::cmd("ZRANGE").with((keys::ballots(*poll), 0, MAX_CACHED, "WITHSCORES"))
    }

    fn parse(_: &StatusId, answer: Value) -> Result<Option<Self>> {
        let votes: Vec<(u64, f64)> = read(answer)?;
        if votes.is_empty() {
            return Ok(None);
        }
        if votes.len() > MAX_CACHED {
            return Ok(Some(Self(None)));
        }
        let votes = votes.into_iter();
        let mut ballots: Box<[_]> = votes
            .filter_map(|(voter, chosen)| Some((voter, ballot(chosen)?)))
            .collect();
        ballots.sort_unstable_by_key(|(voter, _)| *voter);
        Ok(Some(Self(Some(ballots))))
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.0.as_deref().map_or(0, size_of_val)
    }
}

/// Decodes a stored vote.
fn ballot(chosen: f64) -> Option<Ballot> {
    Ballot::stored(chosen as u64)
}
