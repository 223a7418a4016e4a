//! Single steps of decisions, of their ends, and of appeals.

use super::{CLAIM_MS, FIELDS_WITHOUT_NOTES, MAX_DECISION_FIELDS, calls};
use crate::{
    domain::{ActingPerson, AppealAnswer, Decision, Ending, Measure},
    store::prelude::*,
};

outcomes! {
    pub enum DecideOutcome {
        /// By this call or an earlier one.
        Decided = "decided",
        /// Another person has decided meanwhile.
        Outdated = "outdated",
        /// Another moderator has claimed the case.
        Claimed = "claimed",
        /// The account is being deleted, or is in that state already.
        Refused = "refused",
        Full = "full",
        Unknown = "unknown_user",
    }
}

outcomes! {
    pub enum EndOutcome {
        /// By this call or an earlier one.
        Ended = "ended",
        Upheld = "upheld",
        TooLate = "too_late",
        /// The appeal has an answer already.
        Answered = "answered",
        NotFound = "not_found",
    }
}

outcomes! {
    pub enum AppealOutcome {
        /// By this call or an earlier one.
        Appealed = "appealed",
        /// There is another appeal.
        Unchanged = "unchanged",
        NotFound = "not_found",
    }
}

outcomes! {
    pub enum ClaimCaseOutcome {
        Done = "done",
        /// Another moderator has it.
        Taken = "taken",
        Nothing = "nothing",
    }
}

/// Whether a case is claimed or given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claiming {
    Claim,
    Release,
}

/// A decision with the view of the case that it was made with.
#[derive(Debug, Clone)]
pub struct NewDecision {
    pub decision: Decision,
    /// The revision of the case. `None`: any.
    pub revision: Option<u64>,
    /// The newest report that the moderator saw. 0 closes no report.
    pub seen_us: u64,
    /// Differs between decisions, and is equal in a repeated call.
    pub token: String,
}

impl NewDecision {
    /// Creates a decision that closes no reports, and that no other decision prevents.
    pub fn without_case(decision: Decision) -> Self {
        Self {
            decision,
            revision: None,
            seen_us: 0,
            token: format!("{:016x}", rand::random::<u64>()),
        }
    }
}

/// The end of a decision, or the answer to an appeal that upholds it.
#[derive(Debug, Clone)]
pub struct EndOf<'a> {
    pub number: u64,
    pub measure: &'a Measure,
    /// `None` upholds the decision.
    pub ending: Option<Ending>,
    pub answer: Option<AppealAnswer>,
}

/// Returns the number of fields up to which a decision is written. Notes leave room for other decisions. No number of
/// decisions prevents one that changes the state of the account, or a decision of the host.
fn max_fields(decision: &Decision) -> u64 {
    match (decision.by, &decision.measure) {
        (ActingPerson::Host, _)
        | (_, Measure::Limit | Measure::Freeze { .. } | Measure::Suspend) => u64::MAX,
        (_, Measure::Note) => MAX_DECISION_FIELDS - FIELDS_WITHOUT_NOTES,
        _ => MAX_DECISION_FIELDS,
    }
}

impl Store {
    /// Writes a decision about a person. A new epoch ends all sessions of the person.
    pub async fn decide(
        &self,
        call: &Call,
        subject: UserId,
        new: &NewDecision,
        new_epoch: Option<&str>,
    ) -> Result<DecideOutcome> {
        let decision = &new.decision;
        let decide = calls::Decide {
            user: keys::user(subject),
            auth: keys::auth(subject),
            channel: keys::live(subject),
            case: keys::case(subject),
            decisions: keys::decisions(subject),
            open_reports: keys::open_reports(subject),
            closed_reports: keys::closed_reports(subject),
            deadline_ms: call.deadline(),
            token: new.token.clone(),
            by: decision.by.to_string(),
            lease_ms: CLAIM_MS,
            revision: new
                .revision
                .map_or_else(String::new, |revision| revision.to_string()),
            seen_us: match decision.measure {
                Measure::Note => 0,
                _ => new.seen_us,
            },
            decision: decision.to_json(),
            measure: decision.measure.name(),
            post: decision
                .measure
                .post()
                .map_or_else(String::new, |post| post.to_string()),
            value: match decision.measure {
                Measure::Suspend => decision.grounds(),
                _ => decision.measure.value(),
            },
            new_epoch: new_epoch.unwrap_or_default().to_owned(),
            max_decisions: max_fields(decision),
        };
        self.connection.run_durably(&decide).await
    }

    /// Takes a decision back, answers its appeal, or both.
    pub async fn end_decision(
        &self,
        call: &Call,
        subject: UserId,
        end: EndOf<'_>,
    ) -> Result<EndOutcome> {
        let now = self.now().await?.0;
        let oldest_ms = match end.measure.is_state() {
            true => 0,
            false => now.saturating_sub(Decision::UNDO_MS),
        };
        let end = calls::EndDecision {
            user: keys::user(subject),
            auth: keys::auth(subject),
            channel: keys::live(subject),
            case: keys::case(subject),
            decisions: keys::decisions(subject),
            deadline_ms: call.deadline(),
            number: end.number,
            measure: end.measure.name(),
            not_before_us: oldest_ms * 1000,
            ending: end.ending.map_or_else(String::new, |one| one.to_json()),
            answer: end.answer.map_or_else(String::new, |one| one.to_json()),
        };
        self.connection.run_durably(&end).await
    }

    /// Adds the appeal of a person against a decision.
    pub async fn appeal(
        &self,
        call: &Call,
        actor: &Actor,
        number: u64,
        text: &str,
    ) -> Result<AppealOutcome> {
        let appeal = calls::Appeal {
            auth: keys::auth(actor.id()),
            case: keys::case(actor.id()),
            decisions: keys::decisions(actor.id()),
            deadline_ms: call.deadline(),
            session_epoch: actor.epoch().to_owned(),
            number,
            text: text.to_owned(),
        };
        self.connection.run_durably(&appeal).await
    }

    /// Gives a moderator the case of a person, or takes it from them.
    pub async fn claim_case(
        &self,
        call: &Call,
        subject: UserId,
        by: UserId,
        claiming: Claiming,
    ) -> Result<ClaimCaseOutcome> {
        let claim = calls::ClaimCase {
            case: keys::case(subject),
            deadline_ms: call.deadline(),
            by: by.get(),
            lease_ms: CLAIM_MS,
            claim: match claiming {
                Claiming::Claim => "claim",
                Claiming::Release => "release",
            },
        };
        self.connection.run_durably(&claim).await
    }
}
