//! The merge of profiles and followed tags into the newest statuses that belong on a timeline. Rebuilds,
//! pages below the floor and homes under construction use it.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::profiles::{older, status_ids};
use crate::{
    domain::{Cursor, PAGE_SIZE, Sources, StatusHeader, StatusId},
    store::{Result, Store, keys, redis::connection::read},
};

/// Number of sources per round trip.
const SOURCES_PER_ROUND_TRIP: usize = 1000;
/// Maximum number of statuses examined per round trip.
const STATUSES_PER_ROUND_TRIP: usize = 1000;
/// Limit of statuses read per source, for each wanted status. Hardly any status of an author who only
/// replies to strangers belongs on a timeline.
const READ_FOR_EACH: usize = 20;

/// The newest statuses that belong on a timeline.
#[derive(Debug, Clone)]
pub struct Merged {
    /// Newest first.
    pub statuses: Vec<(StatusId, StatusHeader)>,
    /// Position down to which nothing that belongs there is missing. Older statuses were not examined.
    /// `None` if nothing older exists.
    pub down_to: Option<Cursor>,
}

/// A profile or tag, and the position up to which it was read.
struct Reading {
    key: String,
    cursor: Option<Cursor>,
    ended: bool,
}

impl Reading {
    /// Returns the oldest id that was read.
    fn reached(&self) -> u64 {
        self.cursor.map_or(u64::MAX, Cursor::get)
    }
}

/// The statuses found so far.
struct Found<'a> {
    sources: &'a Sources,
    count: usize,
    /// Statuses that are not examined yet.
    candidates: BTreeSet<StatusId>,
    examined: HashSet<StatusId>,
    /// The newest statuses that belong there, at most `count`.
    belong: BTreeMap<StatusId, StatusHeader>,
}

impl Store {
    /// Returns the newest `count` living statuses older than the cursor that belong on a timeline.
    ///
    /// It first reads ceil(2 count / sources) statuses, at least 4, of each profile and tag. It then
    /// continues only with sources that can still hold one of the newest `count`. Portions double, which
    /// keeps the number of round trips small. The last page of a source needs no further round trip. A
    /// source is given up after 20 statuses read for each wanted one. The result is then shorter and
    /// says how far down it is complete.
    pub async fn merge_sources(
        &self,
        sources: &Sources,
        before: Option<Cursor>,
        count: usize,
    ) -> Result<Merged> {
        let profiles = sources.authors().into_iter().map(keys::profile);
        let tags = sources.tags.iter().map(keys::tag_index);
        let unread = |key: String| Reading {
            key,
            cursor: before,
            ended: false,
        };
        let mut open: Vec<Reading> = profiles.chain(tags).map(unread).collect();
        let mut portion = (2 * count).div_ceil(open.len().max(1)).max(4);
        let mut found = Found {
            sources,
            count,
            candidates: BTreeSet::new(),
            examined: HashSet::new(),
            belong: BTreeMap::new(),
        };
        let mut left = READ_FOR_EACH * count.max(PAGE_SIZE);
        while !open.is_empty() && left > 0 {
            portion = portion.min(left);
            for some in open.chunks_mut(SOURCES_PER_ROUND_TRIP) {
                self.read_on(some, portion, &mut found).await?;
            }
            self.look_at_candidates(&mut found).await?;
            let full_down_to = found.full_down_to().map(StatusId::get);
            open.retain(|reading| {
                !reading.ended && full_down_to.is_none_or(|id| reading.reached() > id)
            });
            left -= portion;
            portion *= 2;
        }
        Ok(found.merged(open.iter().map(Reading::reached).max()))
    }

    async fn read_on(
        &self,
        readings: &mut [Reading],
        portion: usize,
        found: &mut Found<'_>,
    ) -> Result<()> {
        let reads = readings
            .iter()
            .map(|reading| older(reading.key.clone(), reading.cursor, portion));
        let answers = self.connection.batch(reads.collect()).await?;
        for (reading, answer) in readings.iter_mut().zip(answers) {
            let ids = status_ids(read::<Vec<u64>>(answer)?);
            reading.ended = ids.len() < portion;
            reading.cursor = ids
                .last()
                .map(|id| Cursor::before(id.get()))
                .or(reading.cursor);
            found.add(ids);
        }
        Ok(())
    }

    /// Examines the newest candidates until none can still be among the newest.
    async fn look_at_candidates(&self, found: &mut Found<'_>) -> Result<()> {
        let mut some = found.count;
        loop {
            let ids = found.next(some.clamp(1, STATUSES_PER_ROUND_TRIP));
            if ids.is_empty() {
                return Ok(());
            }
            let lives = self.lives_for_timelines(&ids).await?;
            for (id, life) in ids.into_iter().zip(lives) {
                found.look_at(id, life.living());
            }
            some *= 2;
        }
    }
}

impl Found<'_> {
    /// Returns the result. `given_up` is the id down to which all sources were read.
    fn merged(mut self, given_up: Option<u64>) -> Merged {
        let full_down_to = self.full_down_to().map(StatusId::get);
        let down_to = full_down_to.max(given_up);
        self.belong
            .retain(|id, _| down_to.is_none_or(|oldest| id.get() >= oldest));
        Merged {
            statuses: self.belong.into_iter().rev().collect(),
            down_to: down_to.map(Cursor::before),
        }
    }

    fn add(&mut self, ids: Vec<StatusId>) {
        let new = ids.into_iter().filter(|id| !self.examined.contains(id));
        self.candidates.extend(new);
    }

    /// Returns the oldest wanted status if there are enough.
    fn full_down_to(&self) -> Option<StatusId> {
        let (oldest, _) = self.belong.first_key_value()?;
        (self.belong.len() >= self.count).then_some(*oldest)
    }

    /// Returns the newest candidates that could be among the newest.
    fn next(&mut self, count: usize) -> Vec<StatusId> {
        if let Some(oldest) = self.full_down_to() {
            self.candidates = self.candidates.split_off(&oldest);
        }
        self.candidates.iter().rev().take(count).copied().collect()
    }

    fn look_at(&mut self, id: StatusId, living: Option<StatusHeader>) {
        self.candidates.remove(&id);
        self.examined.insert(id);
        if let Some(status) = living.filter(|status| self.sources.belongs(status)) {
            self.belong.insert(id, status);
        }
        while self.belong.len() > self.count {
            self.belong.pop_first();
        }
    }
}
