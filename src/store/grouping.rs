//! What several people repost stands on a timeline once: where the newest of these reposts stands. Of
//! what very many repost, those by whom the timeline is made are asked for.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    Mark, Result, Store, VisibleStatus, connection::read, keys, profiles::status_ids,
    reposts::reposters, scripts::With,
};
use crate::domain::{Origin, Provenance, Sources, StatusId, Timeline, UserId};

/// Of a status with no more reposts all are held against a timeline, with more those by its sources.
const FEW_REPOSTS: u64 = 200;
/// How many people one command asks for.
const PEOPLE_A_COMMAND: usize = 500;

/// What has been shown of a timeline's page so far.
pub struct ShownOnce {
    timeline: Timeline,
    originals: HashSet<StatusId>,
    /// Everything on the timeline, as it was when that mattered first.
    standing: Option<HashSet<StatusId>>,
}

/// What a timeline says of the reposts on a page.
struct Standing<'a> {
    /// Everything on it, where it is complete from its floor upwards.
    ids: &'a HashSet<StatusId>,
    floor: Option<u64>,
    /// What it is made of, where older reposts matter.
    sources: Option<&'a Sources>,
}

/// The reposts of each original that can stand there: by whom, and their ids.
type Reposts = HashMap<StatusId, Vec<(UserId, StatusId)>>;

impl ShownOnce {
    #[must_use]
    pub fn on(timeline: Timeline) -> Self {
        Self {
            timeline,
            originals: HashSet::new(),
            standing: None,
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
            .filter(|status| status.is_repost() || status.reposts() > 0);
        let original = |status: &VisibleStatus| (status.shown().id(), status.shown().reposts());
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
                ids: page.standing.get_or_insert_default(),
                floor,
                sources,
            };
            visible.retain_mut(|status| standing.is_place_of(status, &reposts));
        }
        visible.retain(|status| page.originals.insert(status.shown().id()));
        Ok(visible)
    }

    /// The reposts of these that can stand on a timeline, of each of which it is said how many there are;
    /// and where it is not known yet, all that stands there. One trip.
    async fn reposts_on(
        &self,
        page: &mut ShownOnce,
        originals: &BTreeMap<StatusId, u64>,
        sources: Option<&Sources>,
    ) -> Result<Reposts> {
        let all = |key: String| redis::cmd("ZRANGE").with(key).with(0).with(-1);
        let people = sources.map(Sources::authors).unwrap_or_default();
        let mut reads = Vec::new();
        if page.standing.is_none() {
            let [statuses, _] = keys::timeline(page.timeline);
            reads.push(all(statuses));
        }
        for (id, count) in originals {
            if *count > FEW_REPOSTS {
                reads.extend(
                    people
                        .chunks(PEOPLE_A_COMMAND)
                        .map(|some| reposts_by(*id, some)),
                );
            } else {
                reads.push(all(keys::reposts(*id)).with("WITHSCORES"));
            }
        }
        let mut answers = self.connection.batch(reads).await?.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        if page.standing.is_none() {
            let ids = status_ids(read::<Vec<u64>>(next())?);
            page.standing = Some(ids.into_iter().collect());
        }
        let mut reposts = Reposts::new();
        for (id, count) in originals {
            let found = reposts.entry(*id).or_default();
            if *count > FEW_REPOSTS {
                for some in people.chunks(PEOPLE_A_COMMAND) {
                    let scores = read::<Vec<Option<f64>>>(next())?.into_iter();
                    let by = some.iter().copied().zip(scores);
                    found.extend(by.filter_map(|(by, at)| Some((by, StatusId::of_score(at?)?))));
                }
            } else {
                found.extend(reposters(next())?);
            }
        }
        Ok(reposts)
    }
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
