//! The people on one side of a relation of the viewer, as pages need them: blocked, blocking, muted.

use crate::store::prelude::*;

/// The members of a ZSET of users with their scores, by id.
#[derive(Debug, Default, PartialEq)]
pub struct RelatedPeople(Vec<(UserId, u64)>);

impl RelatedPeople {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn has(&self, person: UserId) -> bool {
        self.score(person).is_some()
    }

    pub(super) fn score(&self, person: UserId) -> Option<u64> {
        let at = self.0.binary_search_by_key(&person, |(id, _)| *id).ok()?;
        self.0.get(at).map(|(_, score)| *score)
    }
}

impl CachedRow for RelatedPeople {
    type Question = Key;

    fn key(side: &Key) -> Key {
        side.clone()
    }

    fn command(side: &Key) -> Cmd {
        redis::cmd("ZRANGE").with((side.name(), 0, -1, "WITHSCORES"))
    }

    /// Caches also that there is nobody.
    fn parse(_: &Key, answer: Value) -> Result<Option<Self>> {
        let rows: Vec<(String, f64)> = read(answer)?;
        let valid = rows
            .into_iter()
            .filter_map(|(id, score)| Some((id.parse().ok()?, score as u64)));
        let mut people: Vec<(UserId, u64)> = valid.collect();
        people.sort_unstable();
        Ok(Some(Self(people)))
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.0[..])
    }
}
