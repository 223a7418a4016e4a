//! The members of one relation of the viewer, as pages need them: blocked people, muted people and muted
//! conversations.

use crate::store::prelude::*;

/// The members of a ZSET of users or statuses with their scores, by id.
#[derive(Debug, Default, PartialEq)]
pub struct RelatedIds(Vec<(u64, u64)>);

impl RelatedIds {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|(id, _)| *id)
    }

    pub(super) fn scores(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|(_, score)| *score)
    }

    pub(super) fn has(&self, id: u64) -> bool {
        self.score(id).is_some()
    }

    pub(super) fn score(&self, id: u64) -> Option<u64> {
        let at = self.0.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        self.0.get(at).map(|(_, score)| *score)
    }
}

impl CachedRow for RelatedIds {
    type Question = Key;

    fn key(relation: &Key) -> Key {
        relation.clone()
    }

    fn command(relation: &Key) -> Cmd {
        redis::cmd("ZRANGE").with((relation.name(), 0, -1, "WITHSCORES"))
    }

    /// Caches also that there are none.
    fn parse(_: &Key, answer: Value) -> Result<Option<Self>> {
        let rows: Vec<(String, f64)> = read(answer)?;
        let valid = rows
            .into_iter()
            .filter_map(|(id, score)| Some((id.parse().ok()?, score as u64)));
        let mut ids: Vec<(u64, u64)> = valid.collect();
        ids.sort_unstable();
        Ok(Some(Self(ids)))
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.0[..])
    }
}
