//! Muting people. All data lies in the slot of the person who mutes, without copies, so it needs no outbox
//! entry. The muted person does not learn of it.

use crate::{
    domain::{MuteTerm, UnixMs, UserId},
    store::{Actor, Error, Result, SetOutcome, Store},
};

/// Outcome of muting a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mute {
    Done,
    Oneself,
    TooMany,
}

/// Mutes a person, whether or not the actor follows them. A second mute changes the end of the first.
pub async fn mute(
    store: &Store,
    actor: impl Into<Actor>,
    person: UserId,
    term: MuteTerm,
) -> Result<Mute> {
    let removable_until = store.removable_until().await;
    mute_one_of_many(store, actor.into(), person, term, removable_until).await
}

/// Mutes a person. The mutes of an import share `removable_until`, which costs a round trip.
pub(super) async fn mute_one_of_many(
    store: &Store,
    actor: Actor,
    person: UserId,
    term: MuteTerm,
    removable_until: UnixMs,
) -> Result<Mute> {
    if actor.id() == person {
        return Ok(Mute::Oneself);
    }
    let call = store.begin().await?;
    let set = store
        .set_mute(&call, &actor, person, Some(term), removable_until)
        .await;
    match call.finish(set).await? {
        SetOutcome::Done => Ok(Mute::Done),
        SetOutcome::TooMany => Ok(Mute::TooMany),
        SetOutcome::Unknown => Err(Error::Ended),
    }
}

/// Lifts the mute of a person. Their posts are back on the next page.
pub async fn unmute(store: &Store, actor: impl Into<Actor>, person: UserId) -> Result<()> {
    let actor = actor.into();
    let removable_until = store.removable_until().await;
    let call = store.begin().await?;
    let lifted = store
        .set_mute(&call, &actor, person, None, removable_until)
        .await;
    call.finish(lifted).await.map(drop)
}
