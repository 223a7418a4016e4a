//! Membership of several ids in a ZSET of a person: which people on a page they follow, which statuses
//! they saved.

use std::{slice, sync::Arc};

use crate::store::prelude::*;

/// Size up to which a ZSET is read completely. It then answers every question, also about statuses that a home
/// gets later.
const MAX_COMPLETE: usize = 200;
/// A member that no ZSET holds, because ids begin at 1. A question about it reads a small ZSET completely.
const ANY_MEMBER: u64 = 0;
/// Number of asked members remembered per larger ZSET. A page that asks in parts then finds all of them at
/// its next visit.
const REMEMBERED: usize = 200;

script_calls! {
    ReadMembers = "read_members"(set; max_ids: usize, [ids: Vec<u64>]);
}

#[derive(Debug, PartialEq)]
pub struct Present {
    /// Those it was asked for, ascending. `None` if all members are known.
    asked: Option<Vec<u64>>,
    /// The members found, ascending.
    there: Vec<u64>,
}

/// A question: which of these ascending members does the ZSET hold?
#[derive(Debug, Clone)]
pub struct Among {
    key: Key,
    /// `None` asks for all members of a small ZSET, and learns nothing about a larger one.
    members: Option<Vec<u64>>,
}

impl Among {
    /// Asks for all members of a small ZSET.
    pub(in crate::store) fn all(key: Key) -> Self {
        Self { key, members: None }
    }
}

impl Default for Present {
    /// Returns the answer to no question.
    fn default() -> Self {
        Self {
            asked: Some(Vec::new()),
            there: Vec::new(),
        }
    }
}

impl Present {
    /// Returns whether the ZSET holds this member, which must have been asked for.
    pub fn has(&self, member: u64) -> bool {
        self.there.binary_search(&member).is_ok()
    }

    /// Returns whether the ZSET holds this member. `None` if it was not asked for.
    pub fn answer(&self, member: u64) -> Option<bool> {
        let asked = self.asked.as_ref();
        let is_known = asked.is_none_or(|asked| asked.binary_search(&member).is_ok());
        is_known.then(|| self.has(member))
    }

    /// Returns whether it answers about all of these ascending members.
    fn knows(&self, members: &[u64]) -> bool {
        let Some(asked) = &self.asked else {
            return true;
        };
        let mut asked = asked.iter();
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

    /// Returns whether a ZSET holds anything. One round trip, none if it is cached completely.
    pub(in crate::store) async fn has_members(&self, key: Key) -> Result<bool> {
        let present = self.present(key, vec![ANY_MEMBER]).await?;
        Ok(present.asked.is_some() || !present.there.is_empty())
    }

    /// Returns which of these members a ZSET holds if that is cached, or else the question to read. On a cluster it
    /// always returns the question: a cached row needs a round trip.
    pub(in crate::store) fn known_or_question(
        &self,
        key: Key,
        members: Vec<u64>,
    ) -> std::result::Result<Arc<Present>, Among> {
        let members = ascending(members);
        let members = match self.cached_value::<Present>(&key) {
            Some(cached) if cached.knows(&members) && !self.is_cluster() => return Ok(cached),
            Some(cached) if cached.knows(&members) => cached.asked.clone().unwrap_or(members),
            Some(cached) => match &cached.asked {
                Some(asked) if asked.len() + members.len() <= REMEMBERED => {
                    ascending([&asked[..], &members].concat())
                }
                _ => members,
            },
            None => members,
        };
        let members = Some(members);
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

    fn command(among: &Among) -> Cmd {
        match &among.members {
            None => redis::cmd("ZRANGE").with((among.key.name(), 0, MAX_COMPLETE)),
            Some(members) => {
                let read = ReadMembers {
                    set: among.key.name(),
                    max_ids: MAX_COMPLETE,
                    ids: members.clone(),
                };
                read.command()
            }
        }
    }

    fn parse(among: &Among, answer: Value) -> Result<Option<Self>> {
        let Some(members) = &among.members else {
            let held: Vec<u64> = read(answer)?;
            let is_complete = held.len() <= MAX_COMPLETE;
            let complete = || Self {
                asked: None,
                there: ascending(held),
            };
            return Ok(Some(is_complete.then(complete).unwrap_or_default()));
        };
        let (extent, held): (String, String) = read(answer)?;
        let held = held.split(' ').filter_map(|member| member.parse().ok());
        let asked = (extent != "all").then(|| members.clone());
        let mut there = ascending(held.collect());
        there.shrink_to_fit();
        Ok(Some(Self { asked, there }))
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.there[..]) + self.asked.as_deref().map_or(0, size_of_val)
    }

    fn answers(&self, among: &Among) -> bool {
        self.asked
            .as_ref()
            .is_none_or(|asked| among.members.as_ref() == Some(asked))
    }
}

#[cfg(test)]
mod tests {
    use super::super::presence::*;

    #[test]
    fn it_knows_the_members_it_was_asked_for_and_no_others() {
        let present = Present {
            asked: Some(vec![2, 3, 5, 8]),
            there: vec![3],
        };
        for known in [&[][..], &[2], &[8], &[2, 5], &[2, 3, 5, 8]] {
            assert!(present.knows(known), "{known:?}");
        }
        for unknown in [&[1][..], &[4], &[9], &[2, 4], &[2, 3, 5, 8, 9]] {
            assert!(!present.knows(unknown), "{unknown:?}");
        }
        assert!(present.has(3));
        assert!(!present.has(2) && !present.has(4));
        assert_eq!(present.answer(2), Some(false));
        assert_eq!(present.answer(4), None);
    }

    #[test]
    fn without_a_question_it_knows_nobody() {
        assert!(!Present::default().knows(&[1]));
        assert_eq!(Present::default().answer(1), None);
    }

    #[test]
    fn a_complete_zset_answers_about_every_member() {
        let present = Present {
            asked: None,
            there: vec![3],
        };
        assert!(present.knows(&[1, 3, 9]));
        assert_eq!(present.answer(3), Some(true));
        assert_eq!(present.answer(9), Some(false));
    }
}
