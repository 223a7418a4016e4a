//! The queue: the people with open reports, with appeals, and with closed reports whose time ends.

use super::{
    CLOSED_REPORTS_KEPT_MS,
    case::{Case, NamedReport, ReportState},
};
use crate::store::{AccountRecord, prelude::*};

/// Each further report moves a person up in the queue by this time.
const LIFT_US: u64 = 6 * 3_600_000_000;
/// Scores differ by the last digits of the user id if the times are equal.
const TIE_DIGITS: u64 = 1000;

/// A person in the queue.
#[derive(Debug, Clone)]
pub struct QueueEntry {
    pub person: AccountRecord,
    pub report_count: u64,
    /// The moderator who has claimed it, and when. The claim may have expired.
    pub claim: Option<(UserId, UnixMs)>,
    /// The time of the newest report, or of the oldest appeal.
    pub at: UnixMs,
}

/// The two parts of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueOf {
    Reports,
    Appeals,
}

impl QueueOf {
    fn key(self) -> &'static str {
        match self {
            Self::Reports => keys::ADMIN_REPORTS,
            Self::Appeals => keys::ADMIN_APPEALS,
        }
    }
}

/// The places of a case in the three sorted sets. `None`: it is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueuePlaces {
    pub reports: Option<u64>,
    pub appeals: Option<u64>,
    pub closed: Option<u64>,
}

impl QueuePlaces {
    pub fn of(case: &Case) -> Self {
        let person = case.subject.get();
        let tie = |us: u64| us - us % TIE_DIGITS + person % TIE_DIGITS;
        let there = case.has_subject;
        // No one sees the posts of a suspended person, so those that wait are not urgent.
        let is_queued = |one: &NamedReport| !case.is_suspended || one.name.held_post().is_none();
        let queued = || case.open().filter(|(_, one)| is_queued(one));
        let newest = queued().map(|(at_us, _)| at_us).max();
        let count = queued().count() as u64;
        let lift = LIFT_US * count.saturating_sub(1);
        let waiting = case.decisions.iter().filter(|one| one.awaits_answer());
        let appeals = waiting.filter_map(|one| Some(one.appeal.as_ref()?.0));
        let closed = case.reports.iter().filter_map(|one| match one.state {
            ReportState::Closed { decision } => Some(decision),
            ReportState::Open { .. } => None,
        });
        Self {
            reports: newest.map(|us| tie(us + lift)).filter(|_| there),
            appeals: appeals.min().map(tie).filter(|_| there),
            closed: closed.min().map(tie).filter(|_| there),
        }
    }
}

impl Store {
    /// Writes the places of a person in the queue.
    pub async fn mirror_case(&self, subject: UserId, places: QueuePlaces) -> Result<()> {
        let all = [
            (keys::ADMIN_REPORTS, places.reports),
            (keys::ADMIN_APPEALS, places.appeals),
            (keys::ADMIN_CLOSED_REPORTS, places.closed),
        ];
        let writes = all.map(|(key, place)| match place {
            Some(score) => set_score(key, score, subject),
            None => redis::cmd("ZREM").with((key, subject.get())),
        });
        self.connection.batch(writes.into()).await.map(drop)
    }

    /// Returns the places of a person in the queue, as they are stored.
    pub async fn queue_places(&self, subject: UserId) -> Result<QueuePlaces> {
        let all = [
            keys::ADMIN_REPORTS,
            keys::ADMIN_APPEALS,
            keys::ADMIN_CLOSED_REPORTS,
        ];
        let reads = all.map(|key| redis::cmd("ZSCORE").with((key, subject.get())));
        let [reports, appeals, closed]: [Option<f64>; 3] =
            self.connection.query_tuple(reads).await?;
        let place = |score: Option<f64>| score.map(|score| score as u64);
        Ok(QueuePlaces {
            reports: place(reports),
            appeals: place(appeals),
            closed: place(closed),
        })
    }

    /// Returns one page of the queue: reports with the newest and most reported people first, appeals with the newest
    /// first. Three round trips.
    pub async fn queue_page(
        &self,
        of: QueueOf,
        before: Option<Cursor>,
    ) -> Result<Page<QueueEntry>> {
        let mut rows = self.edges_before(of.key(), before, PAGE_SIZE + 1).await?;
        let has_more = rows.len() > PAGE_SIZE;
        rows.truncate(PAGE_SIZE);
        let last = rows.last().map(|(_, score)| Cursor::before(*score as u64));
        let ids = user_ids(rows.iter().map(|(id, _)| *id));
        let people = self.account_records(&ids).await?;
        let reads = people.iter().flat_map(|person| {
            [
                redis::cmd("ZCARD").with(keys::open_reports(person.id)),
                redis::cmd("HMGET").with((keys::case(person.id), "claimed_by", "claimed")),
            ]
        });
        let answers = self.connection.batch(reads.collect()).await?;
        let mut items = Vec::with_capacity(people.len());
        for (person, answers) in people.into_iter().zip(answers.chunks_exact(2)) {
            let [count, claim] = answers else { continue };
            let report_count: u64 = read(count.clone())?;
            let (by, at): (Option<u64>, Option<u64>) = read(claim.clone())?;
            let score = rows.iter().find(|(id, _)| *id == person.id.get());
            let score = score.map_or(0, |(_, score)| *score as u64);
            let lift = match of {
                QueueOf::Reports => LIFT_US * report_count.saturating_sub(1),
                QueueOf::Appeals => 0,
            };
            items.push(QueueEntry {
                report_count,
                claim: by.and_then(|id| UserId::new(id).ok()).zip(at.map(UnixMs)),
                at: UnixMs(score.saturating_sub(lift) / 1000),
                person,
            });
        }
        Ok(Page {
            items,
            next: last.filter(|_| has_more),
        })
    }

    /// Returns up to `count` people with closed reports whose retention time has ended at this time, and the time (µs)
    /// before which closed reports are removed.
    pub async fn due_closed_reports(
        &self,
        now: UnixMs,
        count: usize,
    ) -> Result<(Vec<UserId>, u64)> {
        let before_us = now.0.saturating_sub(CLOSED_REPORTS_KEPT_MS) * 1000;
        let due = range_by_score(keys::ADMIN_CLOSED_REPORTS, "-inf", before_us, count);
        let due = user_ids(self.connection.query::<Vec<u64>>(due).await?);
        Ok((due, before_us))
    }

    /// Returns the number of members of these sorted sets. One round trip.
    pub async fn member_counts(&self, keys: &[Key]) -> Result<Vec<usize>> {
        let reads = keys.iter().map(|key| redis::cmd("ZCARD").with(key.name()));
        self.connection.query_each(reads).await
    }
}
