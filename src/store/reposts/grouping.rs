//! Grouping of reposts: a timeline shows an original once, at its newest repost there. For originals
//! with very many reposts, only those by the timeline's sources are read.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use futures_util::try_join;
use parking_lot::Mutex;

use super::reposters;
use crate::{
    domain::{IdMap, IdSet, Sources},
    store::{FoldingBudget, Mark, prelude::*, timelines::profiles::down_to},
};

/// Up to this number, all reposts of a status are compared with a timeline. Above it, those by the
/// timeline's sources, within [`LOOKUPS`].
const FEW_REPOSTS: u64 = 200;
/// Number of lookups that an original takes at least, because a small set of reposts is read completely.
const LOOKUPS_OF_ORIGINAL: usize = 250;
/// Maximum number of lookups per page. For further originals the newest [`FEW_REPOSTS`] reposts are
/// compared; an older repost may then show the original twice.
const LOOKUPS: usize = 2_500;
/// Maximum number of these reposts per page. Further originals are not compared.
const NEWEST_REPOSTS: usize = 10_000;
/// Maximum number of reposts that are decided for the viewer with each part of a timeline, newest first. Others are
/// neither counted nor compared.
const DECIDED_REPOSTS: usize = 1000;
/// Number of people per command.
const PEOPLE_PER_COMMAND: usize = 500;

/// Maximum number of entries that later pages of an unchanged home share.
const SHARED_ENTRIES: usize = 256;

/// Originals that a page has shown so far.
pub struct ShownOnce {
    timeline: Timeline,
    originals: IdSet<StatusId>,
    standing: Upper,
    shared: SharedEntries,
    left: Lookups,
    /// Whether the viewer's timelines show a repost, for those decided so far.
    decided: IdMap<StatusId, bool>,
}

/// The lookups that a page can still make.
#[derive(Debug, Clone, Copy)]
struct Lookups {
    by_sources: usize,
    newest: usize,
}

/// Entries of a timeline from its head down to where they were needed so far, as of the first need.
#[derive(Default)]
struct Upper {
    down_to: Option<StatusId>,
    ids: IdSet<StatusId>,
}

/// Entries of a home from its head down to one, for all pages of one cached slice. A change of the home ends the slice
/// and these entries with it.
#[derive(Debug, Clone, Default)]
pub struct SharedEntries(Arc<Mutex<Option<EntriesDownTo>>>);

/// The last entry, and all entries from the head down to it.
type EntriesDownTo = (StatusId, Vec<StatusId>);

impl SharedEntries {
    /// Most bytes of the entries.
    pub const MAX_BYTES: usize = SHARED_ENTRIES * size_of::<StatusId>();

    /// Shares the entries, unless there are too many or more are shared.
    fn share(&self, down_to: StatusId, entries: &IdSet<StatusId>) {
        let mut shared = self.0.lock();
        let is_deeper = shared.as_ref().is_none_or(|(known, _)| down_to < *known);
        if is_deeper && entries.len() <= SHARED_ENTRIES {
            *shared = Some((down_to, entries.iter().copied().collect()));
        }
    }
}

/// The newest reposts of a status without a comment, at most [`FEW_REPOSTS`], newest first.
#[derive(Debug, PartialEq)]
struct NewestReposts(Vec<(UserId, StatusId)>);

impl CachedRow for NewestReposts {
    type Question = StatusId;

    fn key(of: &StatusId) -> Key {
        Key::RepostedBy(*of)
    }

    fn command(of: &StatusId) -> Cmd {
        older(keys::reposted_by(*of), None, FEW_REPOSTS as usize).with("WITHSCORES")
    }

    fn parse(_: &StatusId, answer: Value) -> Result<Option<Self>> {
        Ok(Some(Self(reposters(answer)?)))
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.0[..])
    }
}

impl Upper {
    /// Returns whether all entries down to this one are known.
    fn reaches(&self, oldest: StatusId) -> bool {
        self.down_to.is_some_and(|down_to| down_to <= oldest)
    }
}

/// A timeline's view of the reposts on a page.
struct TimelineContext<'a> {
    /// Its entries, complete from the floor upwards.
    ids: &'a IdSet<StatusId>,
    floor: Option<u64>,
    /// Its sources, if older reposts matter.
    sources: Option<&'a Sources>,
}

/// The reposts of an original to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Newest,
    BySources,
}

/// Reposts of each original that may be on the timeline: person and id.
type Reposts = HashMap<StatusId, Vec<(UserId, StatusId)>>;

/// Reposts of each original on the timeline.
type HeldReposts = HashMap<StatusId, Vec<StatusId>>;

impl Lookups {
    const OF_PAGE: Self = Self {
        by_sources: LOOKUPS,
        newest: NEWEST_REPOSTS,
    };

    /// Returns the reposts to read of an original with this repost count, for a timeline with so many
    /// sources. `None` if too few lookups are left.
    fn take(&mut self, repost_count: u64, people: usize) -> Option<Asked> {
        if repost_count > FEW_REPOSTS
            && let Some(left) = self.by_sources.checked_sub(people.max(LOOKUPS_OF_ORIGINAL))
        {
            self.by_sources = left;
            return Some(Asked::BySources);
        }
        let most = repost_count.min(FEW_REPOSTS);
        self.newest = self.newest.checked_sub(usize::try_from(most).ok()?)?;
        Some(Asked::Newest)
    }
}

impl ShownOnce {
    pub fn on(timeline: Timeline) -> Self {
        Self {
            timeline,
            originals: IdSet::default(),
            standing: Upper::default(),
            shared: SharedEntries::default(),
            left: Lookups::OF_PAGE,
            decided: IdMap::default(),
        }
    }

    /// Takes the entries that a page of the same slice has read, or shares those that this page reads.
    pub fn share(&mut self, shared: SharedEntries) {
        if let (None, Some((down_to, ids))) = (self.standing.down_to, &*shared.0.lock()) {
            self.standing.down_to = Some(*down_to);
            self.standing.ids.extend(ids);
        }
        self.shared = shared;
    }

    /// Builds the read of the entries down to this one that are not known yet.
    fn read_down_to(&self, oldest: StatusId) -> Option<Cmd> {
        let known = self.standing.down_to;
        let before = known.map(|id| Cursor::before(id.get()));
        let read = || down_to(keys::timeline(self.timeline), before, oldest);
        (!self.standing.reaches(oldest)).then(read)
    }

    /// Takes the entries of that read.
    fn add_down_to(&mut self, oldest: StatusId, answer: Value) -> Result<()> {
        self.standing
            .ids
            .extend(status_ids(read::<Vec<u64>>(answer)?));
        self.standing.down_to = Some(oldest);
        self.shared.share(oldest, &self.standing.ids);
        Ok(())
    }

    /// Starts another page of the same timeline, with the known entries.
    pub fn forget_page(&mut self) {
        self.originals.clear();
    }
}

impl Store {
    /// Returns the statuses that a page shows of a part of a timeline: each original at its newest
    /// repost there, or by itself. One round trip if there are reposts that are not cached. Another one reads `sources` if
    /// reposts below the floor or more than [`FEW_REPOSTS`] matter.
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
            let standing = TimelineContext {
                ids: &page.standing.ids,
                floor,
                sources: sources.as_ref(),
            };
            let mut held = standing.held(&visible, &reposts);
            page.decided
                .extend(visible.iter().map(|status| (status.id(), true)));
            self.retain_shown(page, &mut held).await?;
            visible.retain_mut(|status| is_place_of(status, &held));
        }
        page.originals.reserve(visible.len());
        visible.retain(|status| page.originals.insert(status.shown().id()));
        Ok(visible)
    }

    /// Returns the entries of a page's timeline down to this one, newest first. One round trip, none if a page of
    /// the same slice has read them.
    pub async fn entries_down_to(
        &self,
        page: &mut ShownOnce,
        oldest: StatusId,
    ) -> Result<Vec<StatusId>> {
        if let Some(read) = page.read_down_to(oldest) {
            page.add_down_to(oldest, self.connection.query(read).await?)?;
        }
        let known = page.standing.ids.iter().copied();
        let mut ids: Vec<StatusId> = known.filter(|id| *id >= oldest).collect();
        ids.sort_unstable_by(|one, other| other.cmp(one));
        Ok(ids)
    }

    /// Removes the reposts that the viewer's timelines do not show. No round trip if all are decided or cached.
    async fn retain_shown(&self, page: &mut ShownOnce, held: &mut HeldReposts) -> Result<()> {
        let is_new = |id: &StatusId| !page.decided.contains_key(id);
        let mut new: Vec<StatusId> = held.values().flatten().copied().filter(is_new).collect();
        if !new.is_empty() {
            new.sort_unstable_by(|one, other| other.cmp(one));
            new.truncate(DECIDED_REPOSTS);
            let viewer = Viewer::Member(page.timeline.owner());
            // The page has folded the originals.
            let mut budget = FoldingBudget::of_page();
            let shown = self.visible_on_timelines(viewer, &new, &mut budget).await?;
            page.decided.extend(new.into_iter().map(|id| (id, false)));
            let shown = shown.visible.iter();
            page.decided.extend(shown.map(|status| (status.id(), true)));
        }
        for reposts in held.values_mut() {
            reposts.retain(|id| page.decided.get(id) == Some(&true));
        }
        Ok(())
    }

    /// Returns the reposts of these originals that may be on the timeline. Reads the timeline's newer
    /// entries if they are unknown, because reposts are newer than originals. One round trip.
    async fn reposts_on(
        &self,
        page: &mut ShownOnce,
        originals: &BTreeMap<StatusId, u64>,
        sources: Option<&Sources>,
    ) -> Result<Reposts> {
        let oldest = originals.keys().next().copied();
        let unknown = oldest.and_then(|oldest| Some((oldest, page.read_down_to(oldest)?)));
        let (unknown, mut reads) = match unknown {
            Some((oldest, read)) => (Some(oldest), vec![read]),
            None => (None, Vec::new()),
        };
        let people = sources.map(Sources::authors).unwrap_or_default();
        let asked = asked_of(originals, people.len(), &mut page.left);
        let ids_of = |wanted: Asked| {
            let those = asked.iter().filter(move |(_, asked)| *asked == wanted);
            those.map(|(id, _)| *id)
        };
        for id in ids_of(Asked::BySources) {
            let parts = people.chunks(PEOPLE_PER_COMMAND);
            reads.extend(parts.map(|some| reposts_by(id, some)));
        }
        let by_newest: Vec<StatusId> = ids_of(Asked::Newest).collect();
        let (newest, answers) = try_join!(
            self.rows_of::<NewestReposts>(&by_newest),
            self.connection.batch(reads)
        )?;
        let mut answers = answers.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        if let Some(oldest) = unknown {
            page.add_down_to(oldest, next())?;
        }
        let newest = newest.into_iter().map(|row| match row {
            Some(row) => row.0.clone(),
            None => Vec::new(),
        });
        let mut reposts: Reposts = by_newest.iter().copied().zip(newest).collect();
        for id in ids_of(Asked::BySources) {
            let found = reposts.entry(id).or_default();
            for some in people.chunks(PEOPLE_PER_COMMAND) {
                let scores = read::<Vec<Option<f64>>>(next())?.into_iter();
                let by = some.iter().copied().zip(scores);
                let at = |(by, at): (UserId, Option<f64>)| Some((by, StatusId::of_score(at?)?));
                found.extend(by.filter_map(at));
            }
        }
        Ok(reposts)
    }
}

/// Returns the reposts to read of each original with its repost count, for a timeline with so many
/// sources. The newest originals use the lookups first.
fn asked_of(
    originals: &BTreeMap<StatusId, u64>,
    people: usize,
    left: &mut Lookups,
) -> Vec<(StatusId, Asked)> {
    let newest_first = originals.iter().rev();
    newest_first
        .filter_map(|(id, count)| Some((*id, left.take(*count, people)?)))
        .collect()
}

/// Builds the read of which of these people repost a status.
fn reposts_by(original: StatusId, people: &[UserId]) -> Cmd {
    scores(
        keys::reposted_by(original),
        people.iter().map(|id| id.get()),
    )
}

/// Returns whether the original is shown at this repost. Then sets the number of other reposters.
fn is_place_of(status: &mut VisibleStatus, held: &HeldReposts) -> bool {
    let id = status.id();
    let here = held.get(&status.shown().id());
    let others = here.into_iter().flatten().filter(|other| **other != id);
    status.others = others.clone().count();
    others.max().is_none_or(|newest| *newest < id)
}

impl TimelineContext<'_> {
    /// Returns the reposts on the timeline of the originals on the page.
    fn held(&self, visible: &[VisibleStatus], reposts: &Reposts) -> HeldReposts {
        let originals = visible.iter().map(|status| status.shown().as_status_ref());
        let held = originals.map(|original| {
            let all = reposts.get(&original.status).into_iter().flatten();
            let held = all.filter(|repost| self.holds(repost, original));
            (original.status, held.map(|(_, id)| *id).collect())
        });
        held.collect()
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

    /// Returns how many of these originals are looked up by so many sources.
    fn by_sources(originals: u64, reposts: u64, people: usize) -> Vec<u64> {
        let id = |nth| StatusId::new(nth).expect("in range");
        let originals = (1..=originals).map(|nth| (id(nth), reposts)).collect();
        let asked = asked_of(&originals, people, &mut { Lookups::OF_PAGE }).into_iter();
        let asked = asked.filter(|(_, asked)| *asked == Asked::BySources);
        asked.map(|(id, _)| id.get()).collect()
    }

    #[test]
    fn no_look_asks_for_more_people_than_it_may_however_many_are_followed() {
        assert_eq!(by_sources(31, FEW_REPOSTS + 1, 80).len(), 10);
        assert_eq!(by_sources(31, FEW_REPOSTS + 1, 1_250), [31, 30]);
        assert!(by_sources(31, FEW_REPOSTS + 1, 2_501).is_empty());
        assert!(by_sources(31, FEW_REPOSTS, 1).is_empty());
    }

    #[test]
    fn all_looks_of_a_page_together_stay_within_the_lookups() {
        let mut left = Lookups::OF_PAGE;
        let kinds = |left: &mut Lookups, count| -> Vec<Option<Asked>> {
            (0..3).map(|_| left.take(count, 1_000)).collect()
        };
        let (by_sources, newest) = (Some(Asked::BySources), Some(Asked::Newest));
        assert_eq!(
            kinds(&mut left, 1_000_000),
            [by_sources, by_sources, newest]
        );
        let more = std::iter::from_fn(|| left.take(FEW_REPOSTS, 1));
        assert_eq!(more.count(), NEWEST_REPOSTS / FEW_REPOSTS as usize - 1);
        assert_eq!(kinds(&mut left, FEW_REPOSTS), [None, None, None]);
    }
}
