//! The merge of profiles, followed tags and groups into the newest statuses that belong on a timeline. Rebuilds,
//! pages below the floor and homes under construction use it.

pub(in crate::store) mod budget;

use std::collections::{BTreeMap, BTreeSet};

use crate::{domain::Sources, store::prelude::*};
use budget::{LEAST_PORTION, MergeBudget};

/// Number of sources per round trip.
const SOURCES_PER_ROUND_TRIP: usize = 1000;
/// Maximum number of statuses examined per round trip.
const STATUSES_PER_ROUND_TRIP: usize = 1000;

/// The newest statuses that belong on a timeline.
#[derive(Debug, Clone)]
pub struct Merged {
    /// Newest first.
    pub statuses: Vec<(StatusId, StatusHeader)>,
    /// Position down to which nothing that belongs there is missing. Older statuses were not examined.
    /// `None` if nothing older exists.
    pub down_to: Option<Cursor>,
}

/// Number of times that the portion of examined statuses doubles.
const MOST_DOUBLED: u32 = 6;

/// A profile, tag or group, and the position up to which it was read.
struct SourceReader {
    key: String,
    cursor: Option<Cursor>,
    ended: bool,
}

impl SourceReader {
    /// Returns the oldest id that was read.
    fn reached(&self) -> u64 {
        self.cursor.map_or(u64::MAX, Cursor::get)
    }
}

/// The statuses found so far.
struct MergedStatuses<'a> {
    sources: &'a Sources,
    count: usize,
    /// Statuses that are not examined yet, older than all that are.
    candidates: BTreeSet<StatusId>,
    /// The newest statuses that belong there, at most `count`.
    belong: BTreeMap<StatusId, StatusHeader>,
}

impl Store {
    /// Returns the newest `count` living statuses older than the cursor that belong on a timeline.
    ///
    /// It first reads ceil(2 count / sources) statuses, at least 4, of each profile and tag. It then
    /// continues only with sources that can still hold one of the newest, and examines statuses from the
    /// newest down. The portions of both double, which keeps the number of round trips small. The last page
    /// of a source needs no further round trip.
    ///
    /// Hardly any status of an author who only replies to strangers belongs on a timeline. So a merge ends
    /// when its budget is used up. The result is then shorter and says how far down it is complete.
    pub async fn merge_sources(
        &self,
        sources: &Sources,
        before: Option<Cursor>,
        count: usize,
        budget: &mut MergeBudget,
    ) -> Result<Merged> {
        let profiles = sources.authors().into_iter().map(keys::profile);
        let tags = sources.tags.iter().map(keys::tag_index);
        let groups = sources.groups.iter().map(keys::group_timeline);
        let unread = |key: String| SourceReader {
            key,
            cursor: before,
            ended: false,
        };
        let mut open: Vec<SourceReader> = profiles.chain(tags).chain(groups).map(unread).collect();
        let mut portion = (2 * count).div_ceil(open.len().max(1)).max(LEAST_PORTION);
        let mut found = MergedStatuses {
            sources,
            count,
            candidates: BTreeSet::new(),
            belong: BTreeMap::new(),
        };
        let mut doubled = 0;
        while found.missing() > 0 {
            let wanted = found.missing() << doubled;
            let oldest_wanted = found.candidates.iter().rev().nth(wanted - 1);
            let oldest_wanted = oldest_wanted.map_or(0, |id| id.get());
            let needed = |reader: &&mut SourceReader| reader.reached() > oldest_wanted;
            let mut needed: Vec<&mut SourceReader> = open.iter_mut().filter(needed).collect();
            if needed.is_empty() {
                let most = budget.header_count().min(STATUSES_PER_ROUND_TRIP);
                if found.candidates.is_empty() || most == 0 {
                    break;
                }
                self.examine_newest(wanted.min(most), budget, &mut found)
                    .await?;
                doubled = (doubled + 1).min(MOST_DOUBLED);
                continue;
            }
            portion = portion.min(budget.largest_portion(needed.len()));
            if portion == 0 {
                break;
            }
            for some in needed.chunks_mut(SOURCES_PER_ROUND_TRIP) {
                self.read_on(some, portion, budget, &mut found).await?;
            }
            open.retain(|reader| !reader.ended);
            portion *= 2;
        }
        Ok(found.merged(open.iter().map(SourceReader::reached).max()))
    }

    async fn read_on(
        &self,
        readers: &mut [&mut SourceReader],
        portion: usize,
        budget: &mut MergeBudget,
        found: &mut MergedStatuses<'_>,
    ) -> Result<()> {
        let reads = readers
            .iter()
            .map(|reader| older(reader.key.clone(), reader.cursor, portion));
        let answers = self.connection.batch(reads.collect()).await?;
        for (reader, answer) in readers.iter_mut().zip(answers) {
            budget.charge(byte_count(&answer));
            let ids = status_ids(read::<Vec<u64>>(answer)?);
            reader.ended = ids.len() < portion;
            reader.cursor = ids
                .last()
                .map(|id| Cursor::before(id.get()))
                .or(reader.cursor);
            found.candidates.extend(ids);
        }
        Ok(())
    }

    /// Examines the newest candidates.
    async fn examine_newest(
        &self,
        count: usize,
        budget: &mut MergeBudget,
        found: &mut MergedStatuses<'_>,
    ) -> Result<()> {
        let ids: Vec<StatusId> = found.candidates.iter().rev().take(count).copied().collect();
        let lives = self.lives_with_bytes(&ids).await?;
        for (id, (life, bytes)) in ids.into_iter().zip(lives) {
            budget.charge(bytes);
            found.examine(id, life.living());
        }
        Ok(())
    }
}

impl MergedStatuses<'_> {
    /// Returns the result. `given_up` is the id down to which all sources were read. If candidates are
    /// left, the result is complete down to the newest of them.
    fn merged(mut self, given_up: Option<u64>) -> Merged {
        let full_down_to = self.full_down_to().map(StatusId::get);
        let unexamined = self.candidates.last().map(|id| id.get() + 1);
        let down_to = full_down_to.max(given_up).max(unexamined);
        self.belong
            .retain(|id, _| down_to.is_none_or(|oldest| id.get() >= oldest));
        Merged {
            statuses: self.belong.into_iter().rev().collect(),
            down_to: down_to.map(Cursor::before),
        }
    }

    /// Returns how many more statuses are wanted.
    fn missing(&self) -> usize {
        self.count - self.belong.len()
    }

    /// Returns the oldest wanted status if there are enough.
    fn full_down_to(&self) -> Option<StatusId> {
        let (oldest, _) = self.belong.first_key_value()?;
        (self.belong.len() >= self.count).then_some(*oldest)
    }

    fn examine(&mut self, id: StatusId, living: Option<StatusHeader>) {
        self.candidates.remove(&id);
        if let Some(status) = living.filter(|status| self.sources.belongs(status))
            && self.missing() > 0
        {
            self.belong.insert(id, status);
        }
    }
}
