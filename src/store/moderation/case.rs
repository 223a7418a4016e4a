//! The case of a person: its reports by name, and its decisions.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{CLAIM_MS, calls::HandleCase, posts::PostMarks};
use crate::{
    domain::{ActingPerson, AppealAnswer, Decision, Ending, Measure, Report, ReportName},
    store::prelude::*,
};

const HALF_DAY_MS: u64 = 43_200_000;

/// All reports and decisions about a person, without the texts of the reports and without posts.
#[derive(Debug, Clone)]
pub struct Case {
    pub subject: UserId,
    /// The person exists.
    pub has_subject: bool,
    pub is_suspended: bool,
    pub revision: u64,
    /// The time of the last event, in µs, and of the last one whose after-effects are done.
    pub last_us: u64,
    pub handled_us: u64,
    /// The moderator who claimed it, and when. The claim may have expired.
    claim: Option<(UserId, UnixMs)>,
    /// Reports, the newest first.
    pub reports: Vec<NamedReport>,
    /// Decisions, the newest first.
    pub decisions: Vec<RecordedDecision>,
}

#[derive(Debug, Clone, Copy)]
pub struct NamedReport {
    pub name: ReportName,
    pub state: ReportState,
}

impl NamedReport {
    pub fn is_open(&self) -> bool {
        matches!(self.state, ReportState::Open { .. })
    }
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

impl ReportState {
    /// Returns the time of the report, or of the decision that closed it, in µs.
    pub fn at_us(self) -> u64 {
        match self {
            Self::Open { at_us } => at_us,
            Self::Closed { decision } => decision,
        }
    }
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

    /// Returns whether an appeal is accepted. The same appeal can arrive again.
    pub fn may_be_appealed(&self, now: UnixMs) -> bool {
        self.decision.measure.is_appealable() && self.is_in_force(now)
    }

    /// Returns whether it is the same decision as a new one that is made now. The end of a freeze follows from its days.
    fn is_same(&self, new: &Decision, now: UnixMs) -> bool {
        let is_same_measure = match (&self.decision.measure, &new.measure) {
            (Measure::Freeze { until_ms }, Measure::Freeze { until_ms: new_ms }) => {
                let days_ms = until_ms.saturating_sub(self.at().0);
                days_ms.abs_diff(new_ms.saturating_sub(now.0)) < HALF_DAY_MS
            }
            (measure, other) => measure == other,
        };
        is_same_measure
            && self.decision.by == new.by
            && self.decision.reason == new.reason
            && self.decision.explanation == new.explanation
    }

    /// Returns whether its appeal waits for an answer.
    pub fn awaits_answer(&self) -> bool {
        self.appeal.is_some() && self.answer.is_none() && self.ended.is_none()
    }
}

impl Case {
    /// Returns the open reports, the newest first.
    pub fn open(&self) -> impl Iterator<Item = (u64, &NamedReport)> {
        self.reports.iter().filter_map(|report| match report.state {
            ReportState::Open { at_us } => Some((at_us, report)),
            ReportState::Closed { .. } => None,
        })
    }

    /// Returns the reports that a decision closed.
    pub fn closed_by(&self, number: u64) -> impl Iterator<Item = &NamedReport> {
        let state = ReportState::Closed { decision: number };
        self.reports
            .iter()
            .filter(move |report| report.state == state)
    }

    /// Returns the posts that waited until a decision closed their reports, and that are shown now.
    pub fn posts_shown_by(&self, number: u64) -> BTreeSet<StatusId> {
        let posts = self.post_marks();
        let is_shown = |post| {
            let marks: Option<&PostMarks> = posts.get(&post);
            marks.is_some_and(|marks| !marks.is_waiting && !marks.is_hidden)
        };
        let held = self
            .closed_by(number)
            .filter_map(|one| one.name.held_post());
        held.filter(|post| is_shown(*post)).collect()
    }

    /// Returns the posts about which there were decisions or that had to wait, each with the marks that follow. Of
    /// several warnings the newest one counts. A hidden post goes on waiting, so it is published if it is ever shown.
    pub fn post_marks(&self) -> BTreeMap<StatusId, PostMarks> {
        let mut posts: BTreeMap<StatusId, PostMarks> = BTreeMap::new();
        let mut decisions: Vec<&RecordedDecision> = self.decisions.iter().collect();
        decisions.sort_unstable_by_key(|one| one.number);
        for one in decisions {
            let Some(post) = one.decision.measure.post() else {
                continue;
            };
            let marks = posts.entry(post).or_default();
            match &one.decision.measure {
                _ if one.ended.is_some() => {}
                Measure::AddWarning { warning, .. } => marks.warning = Some(warning.clone()),
                Measure::HidePost { .. } => marks.is_hidden = true,
                _ => {}
            }
        }
        for report in &self.reports {
            if let Some(post) = report.name.held_post() {
                let marks = posts.entry(post).or_default();
                marks.is_waiting = report.is_open() || marks.is_hidden;
            }
        }
        posts
    }

    /// Returns the time of the newest decision, end of a decision or answer to an appeal, in µs; 0 without one.
    pub fn last_act_us(&self) -> u64 {
        self.acts_us().max().unwrap_or_default()
    }

    /// Returns the times of decisions, their ends and answers to appeals, in µs. An answer that ends a decision has one
    /// time twice.
    fn acts_us(&self) -> impl Iterator<Item = u64> {
        self.decisions.iter().flat_map(|one| {
            let ended = one.ended.map(|(at_us, _)| at_us);
            let answered = one.answer.as_ref().map(|(at_us, _)| *at_us);
            [Some(one.number), ended, answered].into_iter().flatten()
        })
    }

    /// Returns whether a decision was written after this revision of the case. It would have the same fields if it were
    /// made now.
    pub fn has_since(&self, revision: u64, decision: &Decision, now: UnixMs) -> bool {
        // Each act has one revision.
        let count = usize::try_from(self.revision.saturating_sub(revision)).unwrap_or(usize::MAX);
        let acts: BTreeSet<u64> = self.acts_us().collect();
        let newest: BTreeSet<u64> = acts.into_iter().rev().take(count).collect();
        let mut decisions = self.decisions.iter();
        decisions.any(|one| newest.contains(&one.number) && one.is_same(decision, now))
    }

    /// Returns the moderator who works on it, and since when. A claim can lie ahead after the clock was set back.
    pub fn claim(&self, now: UnixMs) -> Option<(UserId, UnixMs)> {
        let claim = self.claim?;
        (now.0.abs_diff(claim.1.0) < CLAIM_MS).then_some(claim)
    }

    /// Returns the moderators who decided, and the claimant.
    pub fn moderators(&self) -> impl Iterator<Item = UserId> {
        let moderators = self.decisions.iter().flat_map(|one| {
            let ended = one.ended.map(|(_, ending)| ending.by);
            let answered = one.answer.as_ref().map(|(_, answer)| answer.by);
            let by = [Some(one.decision.by), ended, answered];
            by.into_iter().flatten().filter_map(|by| match by {
                ActingPerson::Person(id) => Some(id),
                ActingPerson::Host => None,
            })
        });
        let claimant = self.claim.map(|(by, _)| by);
        moderators.chain(claimant)
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
                redis::cmd("HMGET").with((keys::user(subject), "login", "suspended")),
                state,
                scores(keys::open_reports(subject)),
                scores(keys::closed_reports(subject)),
                redis::cmd("HGETALL").with(keys::decisions(subject)),
            ])
            .await?;
        let mut answers = answers.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let (login, suspended): (Option<String>, Option<String>) = read(next())?;
        let state: Vec<Option<u64>> = read(next())?;
        let number = |at: usize| state.get(at).copied().flatten();
        let open: Vec<(String, f64)> = read(next())?;
        let closed: Vec<(String, f64)> = read(next())?;
        let decisions: HashMap<String, String> = read(next())?;
        let open = open.into_iter().map(|(name, score)| {
            let at_us = score as u64;
            (name, ReportState::Open { at_us })
        });
        let closed = closed.into_iter().map(|(name, score)| {
            let decision = score as u64;
            (name, ReportState::Closed { decision })
        });
        let reports = closed.chain(open).filter_map(|(name, state)| {
            let name = name.parse().ok()?;
            Some(NamedReport { name, state })
        });
        let mut reports: Vec<NamedReport> = reports.collect();
        reports.reverse();
        let claimed_by = number(3).and_then(|id| UserId::new(id).ok());
        Ok(Case {
            subject,
            has_subject: login.is_some(),
            is_suspended: suspended.is_some(),
            revision: number(0).unwrap_or_default(),
            last_us: number(1).unwrap_or_default(),
            handled_us: number(2).unwrap_or_default(),
            claim: claimed_by.zip(number(4).map(UnixMs)),
            reports,
            decisions: recorded(&decisions),
        })
    }

    /// Reads the texts of these reports about a person. Those that cannot be read are left out. One round trip.
    pub async fn filed_reports(
        &self,
        subject: UserId,
        reports: &[NamedReport],
    ) -> Result<Vec<FiledReport>> {
        if reports.is_empty() {
            return Ok(Vec::new());
        }
        let names: Vec<String> = reports.iter().map(|one| one.name.to_string()).collect();
        let read = redis::cmd("HMGET").with((keys::reports(subject), names));
        let texts: Vec<Option<String>> = self.connection.query(read).await?;
        let filed = reports.iter().zip(texts).filter_map(|(one, text)| {
            Some(FiledReport {
                name: one.name,
                report: Report::from_json(&text?)?,
                state: one.state,
            })
        });
        Ok(filed.collect())
    }

    /// Reads the decisions about a person, the newest first.
    pub async fn decisions(&self, subject: UserId) -> Result<Vec<RecordedDecision>> {
        let read = redis::cmd("HGETALL").with(keys::decisions(subject));
        let fields: HashMap<String, String> = self.connection.query(read).await?;
        Ok(recorded(&fields))
    }

    /// Reads one decision about a person.
    pub async fn decision(&self, subject: UserId, number: u64) -> Result<Option<RecordedDecision>> {
        let of = |what: &str| format!("{number}:{what}");
        let fields = [number.to_string(), of("ended"), of("appeal"), of("answer")];
        let read = redis::cmd("HMGET").with((keys::decisions(subject), &fields));
        let texts: Vec<Option<String>> = self.connection.query(read).await?;
        let fields = fields.into_iter().zip(texts);
        let fields = fields.filter_map(|(field, text)| Some((field, text?)));
        Ok(recorded(&fields.collect()).pop())
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
