//! The case of a person, as one read finds it.

use std::collections::{BTreeMap, HashMap};

use super::{CLAIM_MS, calls::HandleCase};
use crate::{
    domain::{
        ActingPerson, AppealAnswer, Decision, Ending, Measure, PostName, Report, ReportName,
        ReportedPost,
    },
    store::prelude::*,
};

/// All reports and decisions about a person.
#[derive(Debug, Clone)]
pub struct Case {
    pub subject: UserId,
    /// The person exists.
    pub has_subject: bool,
    pub revision: u64,
    /// The time of the last event, in µs, and of the last one whose after-effects are done.
    pub last_us: u64,
    pub handled_us: u64,
    /// The moderator who claimed it, and when. The claim may be over.
    claim: Option<(UserId, UnixMs)>,
    /// Reports, the newest first.
    pub reports: Vec<FiledReport>,
    pub posts: BTreeMap<PostName, ReportedPost>,
    /// Decisions, the newest first.
    pub decisions: Vec<RecordedDecision>,
}

#[derive(Debug, Clone)]
pub struct FiledReport {
    pub name: ReportName,
    pub report: Report,
    pub state: ReportState,
}

/// The time of an open report, or the number of the decision that closed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportState {
    Open { at_us: u64 },
    Closed { decision: u64 },
}

#[derive(Debug, Clone)]
pub struct RecordedDecision {
    /// Its time in µs.
    pub number: u64,
    pub decision: Decision,
    pub ended: Option<(u64, Ending)>,
    pub appeal: Option<(u64, String)>,
    pub answer: Option<(u64, AppealAnswer)>,
}

impl RecordedDecision {
    pub fn at(&self) -> UnixMs {
        UnixMs(self.number / 1000)
    }

    /// Returns whether it is in force at this time.
    pub fn is_in_force(&self, now: UnixMs) -> bool {
        let is_over = match self.decision.measure {
            Measure::Freeze { until_ms } => until_ms <= now.0,
            _ => false,
        };
        self.ended.is_none() && !is_over
    }

    /// Returns whether a moderator can take it back at this time.
    pub fn is_undoable(&self, now: UnixMs) -> bool {
        let measure = &self.decision.measure;
        let is_young = now.0.saturating_sub(self.at().0) < Decision::UNDO_MS;
        measure.is_undoable() && self.is_in_force(now) && (measure.is_state() || is_young)
    }

    /// Returns whether its person can appeal at this time.
    pub fn is_appealable(&self, now: UnixMs) -> bool {
        self.decision.measure.is_appealable() && self.appeal.is_none() && self.is_in_force(now)
    }

    /// Returns whether its appeal waits for an answer.
    pub fn awaits_answer(&self) -> bool {
        self.appeal.is_some() && self.answer.is_none() && self.ended.is_none()
    }
}

impl Case {
    /// Returns the open reports, the newest first.
    pub fn open(&self) -> impl Iterator<Item = (u64, &FiledReport)> {
        self.reports.iter().filter_map(|report| match report.state {
            ReportState::Open { at_us } => Some((at_us, report)),
            ReportState::Closed { .. } => None,
        })
    }

    /// Returns the reports that a decision closed.
    pub fn closed_by(&self, number: u64) -> impl Iterator<Item = &FiledReport> {
        let state = ReportState::Closed { decision: number };
        self.reports
            .iter()
            .filter(move |report| report.state == state)
    }

    /// Returns the moderator who works on it, and since when.
    pub fn claim(&self, now: UnixMs) -> Option<(UserId, UnixMs)> {
        let claim = self.claim?;
        (now.0.saturating_sub(claim.1.0) < CLAIM_MS).then_some(claim)
    }

    /// Returns the people whom it names: reporters, moderators, the claimant.
    pub fn people(&self) -> impl Iterator<Item = UserId> {
        let reporters = self.reports.iter().map(|report| report.name.reporter);
        let moderators = self.decisions.iter().flat_map(|one| {
            let ended = one.ended.map(|(_, ending)| ending.by);
            let by = ended.into_iter().chain([one.decision.by]);
            let by = by.filter_map(|by| match by {
                ActingPerson::Person(id) => Some(id),
                ActingPerson::Host => None,
            });
            by.chain(one.answer.as_ref().map(|(_, answer)| answer.by))
        });
        let claimant = self.claim.map(|(by, _)| by);
        reporters.chain(moderators).chain(claimant)
    }

    pub fn decision(&self, number: u64) -> Option<&RecordedDecision> {
        self.decisions.iter().find(|one| one.number == number)
    }
}

impl Store {
    /// Reads the case of a person. One round trip.
    pub async fn case(&self, subject: UserId) -> Result<Case> {
        let state = redis::cmd("HMGET").with((keys::case(subject), "revision", "last"));
        let state = state.with(("handled", "claimed_by", "claimed"));
        let scores = |key: String| redis::cmd("ZRANGE").with((key, 0, -1, "WITHSCORES"));
        let answers = self
            .connection
            .batch(vec![
                redis::cmd("HEXISTS").with((keys::user(subject), "login")),
                state,
                redis::cmd("HGETALL").with(keys::reports(subject)),
                scores(keys::open_reports(subject)),
                scores(keys::closed_reports(subject)),
                redis::cmd("HGETALL").with(keys::reported_posts(subject)),
                redis::cmd("HGETALL").with(keys::decisions(subject)),
            ])
            .await?;
        let mut answers = answers.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let has_subject: bool = read(next())?;
        let state: Vec<Option<u64>> = read(next())?;
        let number = |at: usize| state.get(at).copied().flatten();
        let reports: HashMap<String, String> = read(next())?;
        let open: Vec<(String, f64)> = read(next())?;
        let closed: Vec<(String, f64)> = read(next())?;
        let posts: HashMap<String, String> = read(next())?;
        let decisions: HashMap<String, String> = read(next())?;
        let open = open.into_iter().map(|(name, score)| {
            let at_us = score as u64;
            (name, ReportState::Open { at_us })
        });
        let closed = closed.into_iter().map(|(name, score)| {
            let decision = score as u64;
            (name, ReportState::Closed { decision })
        });
        let filed = closed.chain(open).filter_map(|(name, state)| {
            Some(FiledReport {
                report: Report::from_json(reports.get(&name)?)?,
                name: name.parse().ok()?,
                state,
            })
        });
        let mut filed: Vec<FiledReport> = filed.collect();
        filed.reverse();
        let claimed_by = number(3).and_then(|id| UserId::new(id).ok());
        Ok(Case {
            subject,
            has_subject,
            revision: number(0).unwrap_or_default(),
            last_us: number(1).unwrap_or_default(),
            handled_us: number(2).unwrap_or_default(),
            claim: claimed_by.zip(number(4).map(UnixMs)),
            reports: filed,
            posts: posts.iter().filter_map(post).collect(),
            decisions: recorded(&decisions),
        })
    }

    /// Returns the time of the last event of a case.
    pub async fn last_event(&self, subject: UserId) -> Result<u64> {
        let read = redis::cmd("HGET").with((keys::case(subject), "last"));
        let last: Option<u64> = self.connection.query(read).await?;
        Ok(last.unwrap_or_default())
    }

    /// Notes that the after-effects of all events up to this one are done.
    pub async fn handle_case(&self, call: &Call, subject: UserId, handled_us: u64) -> Result<()> {
        let handle = HandleCase {
            case: keys::case(subject),
            deadline_ms: call.deadline(),
            handled_us,
        };
        self.connection.run(&handle).await
    }
}

fn post((name, post): (&String, &String)) -> Option<(PostName, ReportedPost)> {
    Some((name.parse().ok()?, ReportedPost::from_json(post)?))
}

/// Builds the decisions from the fields of the HASH, the newest first.
fn recorded(fields: &HashMap<String, String>) -> Vec<RecordedDecision> {
    let decisions = fields.iter().filter_map(|(number, text)| {
        let stored = |what: &str| {
            let (at_us, text) = fields.get(&format!("{number}:{what}"))?.split_once(' ')?;
            Some((at_us.parse::<u64>().ok()?, text))
        };
        Some(RecordedDecision {
            decision: Decision::from_json(text)?,
            ended: stored("ended").and_then(|(at, text)| Some((at, Ending::from_json(text)?))),
            appeal: stored("appeal").map(|(at, text)| (at, text.to_owned())),
            answer: stored("answer")
                .and_then(|(at, text)| Some((at, AppealAnswer::from_json(text)?))),
            number: number.parse().ok()?,
        })
    });
    let mut decisions: Vec<RecordedDecision> = decisions.collect();
    decisions.sort_unstable_by_key(|one| std::cmp::Reverse(one.number));
    decisions
}
