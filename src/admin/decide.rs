//! Decisions of the host: the same as those of moderators, and without their claims.

use super::{Failure, arguments::Grounds};
use crate::{
    actions::moderation,
    domain::{AccountState, ActingPerson, Decision, Login, Measure, UserId},
    store::{Case, DecideOutcome, NewDecision, Store},
};

/// The view of the case that a decision is made with.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CaseView {
    /// The revision of the case. `None`: any.
    revision: Option<u64>,
    /// The time up to which reports are closed (µs). 0 closes none.
    seen_us: u64,
}

impl CaseView {
    /// Creates a view that closes the reports up to a time.
    pub(super) fn of_case(case: &Case, seen_us: u64) -> Self {
        let revision = Some(case.revision);
        Self { revision, seen_us }
    }

    /// Returns the view of the host who has read a case up to this number.
    ///
    /// # Errors
    /// If someone has decided since.
    pub(super) fn of_seen(case: &Case, seen_us: u64, login: &Login) -> Result<Self, Failure> {
        match case.last_act_us() > seen_us {
            true => Err(outdated(login)),
            false => Ok(Self::of_case(case, seen_us)),
        }
    }

    /// Reads the case for [`Self::of_seen`]. Without a number no report is closed.
    pub(super) async fn read(
        store: &Store,
        (person, login): (UserId, &Login),
        seen: Option<u64>,
    ) -> Result<Self, Failure> {
        match seen {
            Some(seen_us) => Self::of_seen(&store.case(person).await?, seen_us, login),
            None => Ok(Self::default()),
        }
    }
}

/// Decides about a person. Returns the number of reports that the decision closed.
///
/// # Errors
/// If the decision is refused, worded for the operator, or if Redis could not be reached.
pub(super) async fn decide(
    store: &Store,
    (person, login): (UserId, &Login),
    (measure, grounds): (Measure, Grounds),
    view: CaseView,
) -> Result<usize, Failure> {
    let decision = Decision {
        by: ActingPerson::Host,
        measure,
        reason: grounds.reason,
        explanation: grounds.explanation,
    };
    let new = NewDecision {
        revision: view.revision,
        seen_us: view.seen_us,
        ..NewDecision::without_case(decision)
    };
    let outcome = moderation::decide(store, person, &new).await?;
    if outcome != DecideOutcome::Decided {
        return Err(refusal(store, (person, login), (outcome, &new.decision.measure)).await?);
    }
    if view.seen_us == 0 {
        return Ok(0);
    }
    let case = store.case(person).await?;
    let mut decisions = case.decisions.iter();
    let recorded = decisions.find(|one| one.decision == new.decision);
    Ok(recorded.map_or(0, |one| case.closed_by(one.number).count()))
}

/// Returns the outcome of a refused decision in words.
async fn refusal(
    store: &Store,
    (person, login): (UserId, &Login),
    (outcome, measure): (DecideOutcome, &Measure),
) -> Result<Failure, Failure> {
    let words = match outcome {
        DecideOutcome::Unknown => format!("the account of {login} is incomplete"),
        DecideOutcome::Full => format!("there are too many decisions about @{login}"),
        DecideOutcome::Decided | DecideOutcome::Claimed | DecideOutcome::Outdated => {
            return Ok(outdated(login));
        }
        DecideOutcome::Refused => {
            let user = store.user(person).await?;
            let is_leaving = user.is_none_or(|user| user.state == AccountState::BeingDeleted);
            match (is_leaving, measure) {
                (true, _) => format!("@{login} is being deleted"),
                (false, Measure::Limit) => format!("@{login} is limited already"),
                (false, Measure::Freeze { .. }) => format!("@{login} is frozen already"),
                (false, _) => format!("@{login} is suspended already, for this reason"),
            }
        }
    };
    Ok(words.into())
}

fn outdated(login: &Login) -> Failure {
    let remedy = format!("To read the case again: redwing admin case {login}");
    format!("someone has decided about @{login} meanwhile. {remedy}").into()
}

/// Returns the line about closed reports, if there are any.
pub(super) fn closed_line(count: usize) -> Option<String> {
    match count {
        0 => None,
        1 => Some("1 report is closed.".to_owned()),
        count => Some(format!("{count} reports are closed.")),
    }
}
