//! Private accounts: asking to follow one, the answers, and removing a follower. A request lies with the user who
//! asks. Accepting it turns it into a follow in one step there, so accepting and withdrawing never both succeed.

use futures_util::{StreamExt, TryStreamExt, stream};

use crate::actions::{
    follows::{FollowEffects, unfollow},
    operations::{Effects, Reconciled, reconcile_copies, set, with_outbox},
};
use crate::{
    actions::prelude::*,
    domain::Answer,
    store::{AcceptOutcome, ClearOutcome},
};

/// Number of requests that are answered at a time, and by one step of a task.
const AT_A_TIME: usize = 8;
const PER_STEP: usize = 100;

/// Outcome of the answer to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestOutcome {
    Accepted,
    Refused,
    /// There is no such request, for example because it was withdrawn or accepted before.
    NoRequest,
    /// The person who asked follows the maximum number of people. The request stays.
    TooMany,
}

/// Asks to follow a person. Changes nothing if the actor follows them already.
pub(in crate::actions) async fn ask(
    store: &Store,
    actor: &Actor,
    person: UserId,
) -> Result<SetOutcome> {
    let relation = Relation::FollowRequest(actor.id(), person);
    set(store, actor, &relation, &effects(actor.id(), person)).await
}

/// Withdraws the actor's request, and returns whether there was one. A follow that was accepted before stays.
pub async fn withdraw(
    store: &Store,
    actor: impl Into<Actor>,
    person: UserId,
) -> Result<ClearOutcome> {
    let actor = actor.into();
    let effects = effects(actor.id(), person);
    let relation = Relation::FollowRequest(actor.id(), person);
    let call = &store.begin().await?;
    let write = store.clear_relation(call, &actor, &relation);
    let reconcile = |_| reconcile_copies(store, call, &effects, None);
    with_outbox(store, call, relation.clone().into(), write, reconcile).await
}

/// The after-effects of a request are those of the follow that it becomes: both are never set together.
fn effects(follower: UserId, followed: UserId) -> FollowEffects {
    FollowEffects::new(follower, followed)
}

/// Answers the request of a person to follow the actor.
pub async fn answer(
    store: &Store,
    actor: impl Into<Actor>,
    from: UserId,
    answer: Answer,
) -> Result<RequestOutcome> {
    let actor = actor.into();
    store.check_session(&actor).await?;
    match answer {
        Answer::Accept => Box::pin(accept(store, from, actor.id())).await,
        Answer::Refuse => refuse(store, from, actor.id()).await,
    }
}

/// Refuses the request of a person. A follow that was accepted before stays.
async fn refuse(store: &Store, from: UserId, person: UserId) -> Result<RequestOutcome> {
    Box::pin(withdraw(store, from, person)).await?;
    let follow = Relation::Follow(from, person);
    Ok(match store.has_relation(&follow).await? {
        true => RequestOutcome::NoRequest,
        false => RequestOutcome::Refused,
    })
}

async fn accept(store: &Store, from: UserId, person: UserId) -> Result<RequestOutcome> {
    let call = &store.begin().await?;
    let effects = effects(from, person);
    let write = store.accept_request(call, from, person);
    let reconcile = |outcome| {
        let effects = &effects;
        async move {
            match outcome {
                Some(AcceptOutcome::TooMany | AcceptOutcome::NotFound) => Ok(Reconciled::Yes),
                Some(AcceptOutcome::Accepted) | None => {
                    reconcile_copies(store, call, effects, None).await
                }
            }
        }
    };
    let accepted = with_outbox(store, call, effects.thing(), write, reconcile).await?;
    Ok(match accepted {
        AcceptOutcome::Accepted => RequestOutcome::Accepted,
        AcceptOutcome::TooMany => RequestOutcome::TooMany,
        AcceptOutcome::NotFound => RequestOutcome::NoRequest,
    })
}

/// Answers the requests of these people. Returns how many were answered; the others had withdrawn, had their answer
/// before or follow the maximum number of people.
pub async fn answer_all(
    store: &Store,
    actor: impl Into<Actor>,
    from: &[UserId],
    answer: Answer,
) -> Result<usize> {
    let actor = actor.into();
    store.check_session(&actor).await?;
    answer_each(store, actor.id(), from, answer).await
}

async fn answer_each(
    store: &Store,
    person: UserId,
    from: &[UserId],
    with: Answer,
) -> Result<usize> {
    let answered = stream::iter(from.iter().copied())
        .map(|from| async move {
            match with {
                Answer::Accept => Box::pin(accept(store, from, person)).await,
                Answer::Refuse => refuse(store, from, person).await,
            }
        })
        .buffer_unordered(AT_A_TIME)
        .try_collect::<Vec<_>>()
        .await?;
    let is_answered =
        |one: &&RequestOutcome| matches!(one, RequestOutcome::Accepted | RequestOutcome::Refused);
    Ok(answered.iter().filter(is_answered).count())
}

/// Runs one step that answers the oldest requests up to a time (µs), after an account became public. Returns the
/// task that continues. Requests of people who follow the maximum number of people stay.
pub async fn answer_waiting(
    store: &Store,
    person: UserId,
    until_us: u64,
    answer: Answer,
) -> Result<Option<Task>> {
    let from = store.oldest_requests(person, until_us, PER_STEP).await?;
    let answered = answer_each(store, person, &from, answer).await?;
    let is_more = from.len() == PER_STEP && answered > 0;
    Ok(is_more.then_some(Task::AnswerRequests {
        person,
        until_us,
        answer,
    }))
}

/// Removes a follower of the actor. They can ask or follow again.
pub async fn remove_follower(
    store: &Store,
    actor: impl Into<Actor>,
    follower: UserId,
) -> Result<()> {
    let actor = actor.into();
    store.check_session(&actor).await?;
    unfollow(store, follower, actor.id()).await
}

/// Makes the actor's account private or public. Followers stay. While it is private, only they see the actor's
/// posts, old ones too.
pub async fn set_private(store: &Store, actor: impl Into<Actor>, is_private: bool) -> Result<()> {
    let actor = actor.into();
    let call = store.begin().await?;
    let set = store.set_private(&call, &actor, is_private).await;
    call.finish(set).await
}

/// Enqueues the answer to all requests that wait now. Those from before the clock was set back have later times.
pub async fn answer_all_waiting(
    store: &Store,
    actor: impl Into<Actor>,
    answer: Answer,
) -> Result<()> {
    let actor = actor.into();
    store.check_session(&actor).await?;
    let newest_us = store.newest_request_us(actor.id()).await?;
    let now_us = store.now().await?.0 * 1000;
    let until_us = newest_us.map_or(now_us, |newest_us| newest_us.max(now_us));
    let task = Task::AnswerRequests {
        person: actor.id(),
        until_us,
        answer,
    };
    store.enqueue_decision(&task).await
}
