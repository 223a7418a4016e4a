//! The merge of profiles and followed tags: the newest statuses that belong on a timeline. It serves
//! rebuilding, pages below the floor and homes that are being built.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::profiles::{older, status_ids};
use crate::{
    domain::{Cursor, PAGE_SIZE, Sources, StatusHeader, StatusId},
    store::{Result, Store, keys, redis::connection::read},
};

/// How many sources one trip reads.
const SOURCES_PER_ROUND_TRIP: usize = 1000;
/// How many statuses one trip looks at, at most.
const STATUSES_PER_ROUND_TRIP: usize = 1000;
/// How many of a source are read for each that is wanted, and for each of a page at least: of somebody
/// who only answers strangers next to nothing belongs anywhere.
const READ_FOR_EACH: usize = 20;

/// The newest statuses that belong on a timeline.
#[derive(Debug, Clone)]
pub struct Merged {
    /// Newest first.
    pub statuses: Vec<(StatusId, StatusHeader)>,
    /// None that belongs there is missing among these from here on; what is older was not looked at.
    /// `None` where there is nothing older.
    pub down_to: Option<Cursor>,
}

/// A profile or a tag, and how far it has been read.
struct Reading {
    key: String,
    cursor: Option<Cursor>,
    ended: bool,
}

impl Reading {
    /// The oldest id that was read.
    fn reached(&self) -> u64 {
        self.cursor.map_or(u64::MAX, Cursor::get)
    }
}

/// What has been found so far.
struct Found<'a> {
    sources: &'a Sources,
    count: usize,
    /// Not looked at yet.
    candidates: BTreeSet<StatusId>,
    examined: HashSet<StatusId>,
    /// The newest that belong there, `count` at most.
    belong: BTreeMap<StatusId, StatusHeader>,
}

impl Store {
    /// The newest `count` living statuses older than the cursor that belong on a timeline. Reads ceil(2 count / sources), at least 4, of each profile and each tag, then goes on
    /// only with those whose last one is newer than the `count`-th best; portions double, so that
    /// where few belong the trips stay few. A source's last page takes no further trip. Where next to
    /// nothing of a source belongs, it is given up after 20 for each that is wanted: then fewer come, and
    /// it is said down to where.
    pub async fn merge_sources(
        &self,
        sources: &Sources,
        before: Option<Cursor>,
        count: usize,
    ) -> Result<Merged> {
        let profiles = sources.authors().into_iter().map(keys::profile);
        let tags = sources.tags.iter().map(keys::tagged);
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

    /// Looks at the newest candidates, until none is left that could be among the newest.
    async fn look_at_candidates(&self, found: &mut Found<'_>) -> Result<()> {
        let mut some = found.count;
        loop {
            let ids = found.next(some.clamp(1, STATUSES_PER_ROUND_TRIP));
            if ids.is_empty() {
                return Ok(());
            }
            let lives = self.lives(&ids).await?;
            for (id, life) in ids.into_iter().zip(lives) {
                found.look_at(id, life.living());
            }
            some *= 2;
        }
    }
}

impl Found<'_> {
    /// What was found, where sources were read no further than down to that id.
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

    /// The oldest of those that are wanted, where there are enough.
    fn full_down_to(&self) -> Option<StatusId> {
        let (oldest, _) = self.belong.first_key_value()?;
        (self.belong.len() >= self.count).then_some(*oldest)
    }

    /// The newest candidates that could be among the newest.
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
