//! What several people repost stands on a timeline once: where the newest of these reposts stands. Of
//! what very many repost, those by whom the timeline is made are asked for.

use std::collections::{BTreeMap, HashMap};

use super::reposters;
use crate::{
    domain::{Cursor, IdSet, Sources, StatusHeader, StatusId, StatusRef, Timeline, UserId},
    store::{
        Mark, Result, Store, VisibleStatus, keys,
        redis::{connection::read, scripts::With},
        timelines::profiles::{down_to, older, status_ids},
    },
};

/// Of a status with no more reposts all are held against a timeline, with more those by its sources as
/// far as [`LOOKUPS`] go.
const FEW_REPOSTS: u64 = 200;
/// How many are looked up for one look at most. For originals beyond that the newest [`FEW_REPOSTS`] of
/// their reposts are held against the timeline: by an older one it may stand there twice.
const LOOKUPS: usize = 10_000;
/// How many people one command asks for.
const PEOPLE_PER_COMMAND: usize = 500;

/// What has been shown of a timeline's page so far.
pub struct ShownOnce {
    timeline: Timeline,
    originals: IdSet<StatusId>,
    standing: Upper,
}

/// What stands on a timeline from its head down to where that mattered so far, each part as it was when
/// it mattered first.
#[derive(Default)]
struct Upper {
    down_to: Option<StatusId>,
    ids: IdSet<StatusId>,
}

impl Upper {
    /// Whether all is known of a status and of what is newer.
    fn reaches(&self, oldest: StatusId) -> bool {
        self.down_to.is_some_and(|down_to| down_to <= oldest)
    }
}

/// What a timeline says of the reposts on a page.
struct Standing<'a> {
    /// What stands on it, where it is complete from its floor upwards.
    ids: &'a IdSet<StatusId>,
    floor: Option<u64>,
    /// What it is made of, where older reposts matter.
    sources: Option<&'a Sources>,
}

/// Which reposts of an original are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Newest,
    BySources,
}

/// The reposts of each original that can stand there: by whom, and their ids.
type Reposts = HashMap<StatusId, Vec<(UserId, StatusId)>>;

impl ShownOnce {
    #[must_use]
    pub fn on(timeline: Timeline) -> Self {
        Self {
            timeline,
            originals: IdSet::default(),
            standing: Upper::default(),
        }
    }

    /// Another page of the same timeline, as that stood when it was read for this one.
    pub fn forget_page(&mut self) {
        self.originals.clear();
    }
}

impl Store {
    /// Of a part of a timeline that was read with its mark, what is shown of it: an original stands at
    /// its newest repost on this timeline, or by itself where there is none. One trip where anything is
    /// reposted, and another for `sources` where reposts below the floor count, or more than
    /// [`FEW_REPOSTS`].
    pub async fn shown_once(
        &self,
        page: &mut ShownOnce,
        mark: Mark,
        sources: &mut Option<Sources>,
        mut visible: Vec<VisibleStatus>,
    ) -> Result<Vec<VisibleStatus>> {
        let reposted = visible
            .iter()
            .filter(|status| status.is_repost() || status.repost_count() > 0);
        let original =
            |status: &VisibleStatus| (status.shown().id(), status.shown().repost_count());
        let originals: BTreeMap<StatusId, u64> = reposted.map(original).collect();
        if !originals.is_empty() {
            if sources.is_none() && originals.values().any(|count| *count > FEW_REPOSTS) {
                *sources = Some(self.sources(page.timeline).await?);
            }
            let reposts = self.reposts_on(page, &originals, sources.as_ref()).await?;
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
                ids: &page.standing.ids,
                floor,
                sources,
            };
            visible.retain_mut(|status| standing.is_place_of(status, &reposts));
        }
        page.originals.reserve(visible.len());
        visible.retain(|status| page.originals.insert(status.shown().id()));
        Ok(visible)
    }

    /// The reposts of these that can stand on a timeline, of each of which it is said how many there are;
    /// and where it is not known yet, what stands there: reposts are newer than their originals. One trip.
    async fn reposts_on(
        &self,
        page: &mut ShownOnce,
        originals: &BTreeMap<StatusId, u64>,
        sources: Option<&Sources>,
    ) -> Result<Reposts> {
        let oldest = originals.keys().next().copied();
        let unknown = oldest.filter(|oldest| !page.standing.reaches(*oldest));
        let people = sources.map(Sources::authors).unwrap_or_default();
        let asked = asked_of(originals, people.len());
        let mut reads = Vec::new();
        if let Some(oldest) = unknown {
            let [statuses, _] = keys::timeline(page.timeline);
            let known = page.standing.down_to;
            let before = known.map(|id| Cursor::before(id.get()));
            reads.push(down_to(statuses, before, oldest));
        }
        for (id, asked) in &asked {
            match asked {
                Asked::Newest => {
                    let newest = older(keys::reposts(*id), None, FEW_REPOSTS as usize);
                    reads.push(newest.with("WITHSCORES"));
                }
                Asked::BySources => {
                    let parts = people.chunks(PEOPLE_PER_COMMAND);
                    reads.extend(parts.map(|some| reposts_by(*id, some)));
                }
            }
        }
        let mut answers = self.connection.batch(reads).await?.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        if unknown.is_some() {
            let ids = status_ids(read::<Vec<u64>>(next())?);
            page.standing.ids.extend(ids);
            page.standing.down_to = unknown;
        }
        let mut reposts = Reposts::new();
        for (id, asked) in asked {
            let found = reposts.entry(id).or_default();
            match asked {
                Asked::Newest => found.extend(reposters(next())?),
                Asked::BySources => {
                    for some in people.chunks(PEOPLE_PER_COMMAND) {
                        let scores = read::<Vec<Option<f64>>>(next())?.into_iter();
                        let by = some.iter().copied().zip(scores);
                        let at =
                            |(by, at): (UserId, Option<f64>)| Some((by, StatusId::of_score(at?)?));
                        found.extend(by.filter_map(at));
                    }
                }
            }
        }
        Ok(reposts)
    }
}

/// Which reposts of each of these are asked for, of each of which it is said how many there are, where a
/// timeline is made by so many people: [`LOOKUPS`] go to the newest originals.
fn asked_of(originals: &BTreeMap<StatusId, u64>, people: usize) -> Vec<(StatusId, Asked)> {
    let mut left = LOOKUPS;
    let asked = originals.iter().rev().map(|(id, count)| {
        if *count <= FEW_REPOSTS {
            return (*id, Asked::Newest);
        }
        match left.checked_sub(people) {
            Some(rest) => {
                left = rest;
                (*id, Asked::BySources)
            }
            None => (*id, Asked::Newest),
        }
    });
    asked.collect()
}

/// ZMSCORE: which of these people repost a status.
fn reposts_by(original: StatusId, people: &[UserId]) -> redis::Cmd {
    let people: Vec<u64> = people.iter().map(|id| id.get()).collect();
    redis::cmd("ZMSCORE")
        .with(keys::reposts(original))
        .with(people)
}

impl Standing<'_> {
    /// Whether its original is shown in the place of this one. Then it is said how many others repost
    /// it here.
    fn is_place_of(&self, status: &mut VisibleStatus, reposts: &Reposts) -> bool {
        let original = status.shown().as_status_ref();
        let all = reposts.get(&original.status).map_or(&[][..], Vec::as_slice);
        let here = all.iter().filter(|repost| self.holds(repost, original));
        let others: Vec<StatusId> = here
            .map(|(_, id)| *id)
            .filter(|id| *id != status.id())
            .collect();
        status.others = others.len();
        others.iter().all(|other| *other < status.id())
    }

    fn holds(&self, (by, id): &(UserId, StatusId), original: StatusRef) -> bool {
        if self.floor.is_some_and(|floor| id.get() >= floor) {
            return self.ids.contains(id);
        }
        let header = StatusHeader {
            repost_of: Some(original),
            ..StatusHeader::of(*by)
        };
        self.sources.is_some_and(|sources| sources.belongs(&header))
    }
}

#[cfg(test)]
mod tests {
    use super::super::grouping::*;

    /// How many of these originals, each reposted so often, are asked for by that many people.
    fn by_sources(originals: u64, reposts: u64, people: usize) -> Vec<u64> {
        let id = |nth| StatusId::new(nth).expect("in range");
        let originals = (1..=originals).map(|nth| (id(nth), reposts)).collect();
        let asked = asked_of(&originals, people).into_iter();
        let asked = asked.filter(|(_, asked)| *asked == Asked::BySources);
        asked.map(|(id, _)| id.get()).collect()
    }

    #[test]
    fn no_look_asks_for_more_people_than_it_may_however_many_are_followed() {
        assert_eq!(by_sources(31, FEW_REPOSTS + 1, 300).len(), 31);
        assert_eq!(by_sources(31, FEW_REPOSTS + 1, 5_000), [31, 30]);
        assert!(by_sources(31, FEW_REPOSTS + 1, 10_001).is_empty());
        assert!(by_sources(31, FEW_REPOSTS, 1).is_empty());
    }
}
