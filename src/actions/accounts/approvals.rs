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

/// Answers people who ask to join. The caller has checked the power of the actor. Returns how many this call
/// answered. Another person may have answered the others, or they have withdrawn.
pub async fn answer_all(
    store: &Store,
    actor: Actor,
    people: &[UserId],
    decision: &Decision,
) -> Result<usize> {
    store.check_session(&actor).await?;
    let mut answered = 0;
    for person in people {
        answered += usize::from(answer(store, actor.id(), *person, decision).await?);
    }
    // The number beside the queue is true on the next page.
    store.read_staff_state().await?;
    Ok(answered)
}

/// Answers one person. Returns whether this call answered.
async fn answer(store: &Store, by: UserId, person: UserId, decision: &Decision) -> Result<bool> {
    // An answer that comes too late adds nothing to the log.
    if !store.account_plan(person).await?.is_waiting {
        return Ok(false);
    }
    administration::log(store, ActingPerson::Person(by), act(person, decision)).await?;
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
