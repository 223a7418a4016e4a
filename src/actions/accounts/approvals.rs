//! Answers to people who ask to join a site with entrance by approval.

use super::{account_states::answer_applicant, administration};
use crate::{
    actions::prelude::*,
    domain::{Act, ActingPerson, Answer, Application, RefusalReason},
    store::{AccountChange, ChangeOutcome, UnixMs},
};

/// The answer of the actor to an applicant.
#[derive(Debug, Clone)]
pub struct Decision {
    pub answer: Answer,
    /// Shown to a refused person.
    pub reason: Option<RefusalReason>,
}

/// Answers requests to join, in the name of the actor. The caller has checked the power.
pub async fn answer_all_as(
    store: &Store,
    actor: Actor,
    people: &[UserId],
    decision: &Decision,
) -> Result<usize> {
    store.check_session(&actor).await?;
    answer_all(store, ActingPerson::Person(actor.id()), people, decision).await
}

/// Answers people who ask to join. Returns how many this call answered. Another person may have answered the others, or
/// they have withdrawn.
pub async fn answer_all(
    store: &Store,
    by: ActingPerson,
    people: &[UserId],
    decision: &Decision,
) -> Result<usize> {
    let mut answered = 0;
    for person in people {
        answered += usize::from(answer(store, by, *person, decision).await?);
    }
    // The number beside the queue is true on the next page.
    store.read_staff_state().await?;
    Ok(answered)
}

/// Answers one person. Returns whether this call answered.
async fn answer(
    store: &Store,
    by: ActingPerson,
    person: UserId,
    decision: &Decision,
) -> Result<bool> {
    // An answer that comes too late adds nothing to the log.
    if !store.account_plan(person).await?.is_waiting {
        return Ok(false);
    }
    administration::log(store, by, act(person, decision)).await?;
    let outcome = match decision.answer {
        Answer::Accept => answer_applicant(store, person, AccountChange::Approve(by)).await?,
        Answer::Refuse => {
            let refusal = Application::refused(by, decision.reason.as_ref());
            let after = store.config().timeouts.deletion.as_millis();
            let after = u64::try_from(after).unwrap_or(u64::MAX);
            let deletion = UnixMs(store.now().await?.0.saturating_add(after));
            answer_applicant(store, person, AccountChange::Refuse(&refusal, deletion)).await?
        }
    };
    Ok(outcome == ChangeOutcome::Changed)
}

fn act(person: UserId, decision: &Decision) -> Act {
    match decision.answer {
        Answer::Accept => Act::LetIn { person },
        Answer::Refuse => {
            let reason = decision.reason.as_ref();
            Act::RefuseApplicant {
                person,
                reason: reason.map_or_else(String::new, |reason| reason.as_str().to_owned()),
            }
        }
    }
}
