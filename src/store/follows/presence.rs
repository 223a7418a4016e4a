//! Membership of several ids in a ZSET of a person: which people on a page they follow, which statuses
//! they saved.

use std::{slice, sync::Arc};

use crate::store::prelude::*;

/// Number of members remembered per ZSET. A page that asks in parts then finds all of them at its next
/// visit.
const REMEMBERED: usize = 200;

#[derive(Debug, Default, PartialEq)]
pub struct Present {
    /// Those it was asked for, ascending.
    asked: Vec<u64>,
    /// The members found, ascending.
    there: Vec<u64>,
}

/// A question: which of these ascending members does the ZSET hold?
#[derive(Debug, Clone)]
pub struct Among {
    key: Key,
    members: Vec<u64>,
}

impl Present {
    /// Returns whether the ZSET holds this member, which must have been asked for.
    pub fn has(&self, member: u64) -> bool {
        self.there.binary_search(&member).is_ok()
    }

    /// Returns whether the ZSET holds this member. `None` if it was not asked for.
    pub fn answer(&self, member: u64) -> Option<bool> {
        let is_known = self.asked.binary_search(&member).is_ok();
        is_known.then(|| self.has(member))
    }

    /// Returns whether all of these ascending members were asked about.
    fn knows(&self, members: &[u64]) -> bool {
        let mut asked = self.asked.iter();
        members
            .iter()
            .all(|member| asked.find(|known| *known >= member) == Some(member))
    }
}

impl Store {
    /// Returns which of these members a ZSET holds, at least as new as this connection's last round trip.
    /// It may know of more members.
    pub(in crate::store) async fn present(
        &self,
        key: Key,
        members: Vec<u64>,
    ) -> Result<Arc<Present>> {
        let among = match self.known_or_question(key, members) {
            Ok(known) => return Ok(known),
            Err(among) => among,
        };
        let present = self.rows_of::<Present>(slice::from_ref(&among)).await?;
        let present = present.into_iter().next().flatten();
        Ok(present.unwrap_or_default())
    }

    /// Returns which of these members a ZSET holds if that is cached, or else the question to read.
    pub(in crate::store) fn known_or_question(
        &self,
        key: Key,
        members: Vec<u64>,
    ) -> std::result::Result<Arc<Present>, Among> {
        let members = ascending(members);
        let members = match self.cached_value::<Present>(&key) {
            Some(cached) if cached.knows(&members) => return Ok(cached),
            Some(cached) if cached.asked.len() + members.len() <= REMEMBERED => {
                ascending([&cached.asked[..], &members].concat())
            }
            _ => members,
        };
        Err(Among { key, members })
    }
}

fn ascending(mut members: Vec<u64>) -> Vec<u64> {
    members.sort_unstable();
    members.dedup();
    members
}

impl CachedRow for Present {
    type Question = Among;

    fn key(among: &Among) -> Key {
        among.key.clone()
    }

    /// Without members it asks whether the ZSET exists, because ZMSCORE needs a member.
    fn command(among: &Among) -> Cmd {
        if among.members.is_empty() {
            return redis::cmd("ZCARD").with(among.key.name());
        }
        redis::cmd("ZMSCORE").with((among.key.name(), &among.members))
    }

    fn parse(among: &Among, answer: Value) -> Result<Option<Self>> {
        let scores: Vec<Option<f64>> = match &among.members[..] {
            [] => Vec::new(),
            _ => read(answer)?,
        };
        let scored = among.members.iter().zip(scores);
        let there = scored.filter_map(|(member, score)| score.map(|_| *member));
        let mut there: Vec<u64> = there.collect();
        there.shrink_to_fit();
        Ok(Some(Self {
            there,
            asked: among.members.clone(),
        }))
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.asked[..]) + size_of_val(&self.there[..])
    }

    fn answers(&self, among: &Among) -> bool {
        self.asked == among.members
    }
}

#[cfg(test)]
mod tests {
    use super::super::presence::*;

    #[test]
    fn it_knows_the_members_it_was_asked_for_and_no_others() {
        let present = Present {
            asked: vec![2, 3, 5, 8],
            there: vec![3],
        };
        for known in [&[][..], &[2], &[8], &[2, 5], &[2, 3, 5, 8]] {
            assert!(present.knows(known), "{known:?}");
        }
        for unknown in [&[1][..], &[4], &[9], &[2, 4], &[2, 3, 5, 8, 9]] {
            assert!(!present.knows(unknown), "{unknown:?}");
        }
        assert!(!Present::default().knows(&[1]));
        assert!(present.has(3));
        assert!(!present.has(2) && !present.has(4));
    }
}
