//! What several people repost stands on a timeline once: where the newest of these reposts stands.

use std::collections::{HashMap, HashSet};

use super::{
    Mark, Result, Store, VisibleStatus, connection::read, keys, profiles::status_ids,
    reposts::reposters, scripts::With,
};
use crate::domain::{Origin, Provenance, Sources, StatusId, Timeline, UserId};

/// How many reposts of a status are held against a timeline: the newest. What older ones bring is
/// shown once on each page, and not counted.
const REPOSTS_LOOKED_AT: usize = 200;

/// What has been shown of a timeline's page so far.
pub struct ShownOnce {
    timeline: Timeline,
    originals: HashSet<StatusId>,
}

/// What a timeline says of the reposts on a page.
struct Standing<'a> {
    /// Everything on it, where it is complete from its floor upwards.
    ids: HashSet<StatusId>,
    floor: Option<u64>,
    /// What it is made of, where older reposts matter.
    sources: Option<&'a Sources>,
}

/// The newest reposts of each original: by whom, and their ids.
type Reposts = HashMap<StatusId, Vec<(UserId, StatusId)>>;

impl ShownOnce {
    #[must_use]
    pub fn on(timeline: Timeline) -> Self {
        Self {
            timeline,
            originals: HashSet::new(),
        }
    }
}

impl Store {
    /// Of a part of a timeline that was read with its mark, what is shown of it: an original stands at
    /// its newest repost on this timeline, or by itself where there is none. One trip where anything is
    /// reposted, and another for `sources` where reposts below the floor count.
    pub async fn shown_once(
        &self,
        page: &mut ShownOnce,
        mark: Mark,
        sources: &mut Option<Sources>,
        mut visible: Vec<VisibleStatus>,
    ) -> Result<Vec<VisibleStatus>> {
        let reposted = visible
            .iter()
            .filter(|status| status.is_repost() || status.reposts() > 0);
        let mut originals: Vec<StatusId> = reposted.map(|status| status.shown().id()).collect();
        originals.sort_unstable();
        originals.dedup();
        if !originals.is_empty() {
            let (reposts, ids) = self.newest_reposts(page.timeline, &originals).await?;
            let floor = match mark {
                Mark::Floor(floor) => Some(floor),
                Mark::Building | Mark::Dormant => None,
            };
            let below = |(_, id): &(UserId, StatusId)| floor.is_none_or(|floor| id.get() < floor);
            if sources.is_none() && reposts.values().flatten().any(below) {
                *sources = Some(self.sources(page.timeline).await?);
            }
            let sources = sources.as_ref();
            let standing = Standing {
                ids,
                floor,
                sources,
            };
            visible.retain_mut(|status| standing.is_place_of(status, &reposts));
        }
        visible.retain(|status| page.originals.insert(status.shown().id()));
        Ok(visible)
    }

    /// The newest reposts of these, and all that stands on a timeline. One trip.
    async fn newest_reposts(
        &self,
        timeline: Timeline,
        originals: &[StatusId],
    ) -> Result<(Reposts, HashSet<StatusId>)> {
        let newest = |key: String, count: i64| redis::cmd("ZRANGE").with(key).with(0).with(count);
        let [statuses, _] = keys::timeline(timeline);
        let last = REPOSTS_LOOKED_AT as i64 - 1;
        let reposts = originals
            .iter()
            .map(|id| newest(keys::reposts(*id), last).with("WITHSCORES"));
        let reads = [newest(statuses, -1)].into_iter().chain(reposts);
        let mut answers = self.connection.batch(reads.collect()).await?.into_iter();
        let ids = read::<Vec<u64>>(answers.next().unwrap_or_default())?;
        let mut reposts = Reposts::new();
        for (id, answer) in originals.iter().zip(answers) {
            reposts.insert(*id, reposters(answer)?);
        }
        Ok((reposts, status_ids(ids).into_iter().collect()))
    }
}

impl Standing<'_> {
    /// Whether its original is shown in the place of this one. Then it is said how many others repost
    /// it here.
    fn is_place_of(&self, status: &mut VisibleStatus, reposts: &Reposts) -> bool {
        let original = status.shown().as_origin();
        let all = reposts.get(&original.status).map_or(&[][..], Vec::as_slice);
        let here = all.iter().filter(|repost| self.holds(repost, original));
        let others: Vec<StatusId> = here
            .map(|(_, id)| *id)
            .filter(|id| *id != status.id())
            .collect();
        status.others = others.len();
        others.iter().all(|other| *other < status.id())
    }

    fn holds(&self, (by, id): &(UserId, StatusId), original: Origin) -> bool {
        if self.floor.is_some_and(|floor| id.get() >= floor) {
            return self.ids.contains(id);
        }
        let provenance = Provenance {
            reposts: Some(original),
            ..Provenance::of(*by)
        };
        self.sources
            .is_some_and(|sources| sources.belongs(&provenance))
    }
}
