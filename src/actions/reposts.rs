//! Reposts, with a comment or without. One is a status of whoever reposts, delivered as any other is,
//! and vanishes with its original. Without a comment there is one for each person and original.

use futures_util::{StreamExt, TryStreamExt, stream};

use crate::{
    domain::{ProfileView, StatusHeader, StatusId, StatusRef, Task, UserId},
    store::{Actor, Call, Create, Draw, Error, Life, MirrorRepost, Result, Store, Viewer},
};

use super::statuses::{self, DRAWS, Delete};

/// How many reposts one pass takes back at a time.
const AT_A_TIME: usize = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repost {
    /// By this status.
    Done(StatusId),
    /// No such status, or not for this person to see.
    Unknown,
}

/// What somebody reposts or quotes who asks for that status: of a repost without a comment its
/// original. `None` of what is not there for them to see.
///
/// # Errors
/// `Unavailable` when Redis is away.
pub async fn original_of(store: &Store, by: UserId, id: StatusId) -> Result<Option<StatusRef>> {
    let status = store.status(Viewer::Member(by), id).await?;
    Ok(status.map(|status| status.shown().as_status_ref()))
}

/// Reposts a status that the actor may see, without a comment; their own ones too. However often and
/// however simultaneously this is done, there is one repost: under which id they repost it stands in
/// their own slot, drawn and claimed in one step, before the status is made. What is left of a claim
/// without a status goes by its reminder.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session
/// that asks is over.
pub async fn repost(store: &Store, actor: impl Into<Actor>, id: StatusId) -> Result<Repost> {
    let actor = actor.into();
    let Some(original) = original_of(store, actor.id(), id).await? else {
        return Ok(Repost::Unknown);
    };
    let call = store.begin().await?;
    call.finish(repost_steps(store, &call, &actor, original).await)
        .await
}

async fn repost_steps(
    store: &Store,
    call: &Call,
    actor: &Actor,
    original: StatusRef,
) -> Result<Repost> {
    let by = actor.id();
    for _ in 0..DRAWS {
        let (claim, outbox_entry) = store.claim_repost(call, actor, original.status).await?;
        let Draw::Id { id, login } = claim else {
            return Err(Error::Unexpected {
                what: "who reposts",
                answer: format!("{by} is not there"),
            });
        };
        let (created, made) = store
            .create_repost(call, id, (by, &login), original)
            .await?;
        let done = matches!(created, Create::Created | Create::Already);
        if done {
            statuses::publish(store, call, id, (by, ProfileView::Posts)).await?;
        } else {
            store.release_repost(by, original.status, id).await?;
        }
        store.remove_outbox_entry(made).await?;
        store.remove_outbox_entry(outbox_entry).await?;
        if done {
            return Ok(Repost::Done(id));
        }
    }
    Err(Error::Unavailable("no free status id was drawn".into()))
}

/// Takes back a repost without a comment, by its original: deletes the status that it is.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session
/// that asks is over.
pub async fn take_back(store: &Store, actor: impl Into<Actor>, original: StatusId) -> Result<()> {
    let actor = actor.into();
    let by = actor.id();
    match store.reposted_as(by, original).await? {
        None => store.stands(&actor).await,
        Some(id) => match statuses::delete(store, actor, id).await? {
            Delete::Deleted => Ok(()),
            Delete::NotFound => store.release_repost(by, original, id).await,
        },
    }
}

/// Brings what somebody reposts to what there is, after a crash: a claim without a status goes.
pub async fn reconcile(store: &Store, by: UserId, original: StatusId) -> Result<()> {
    let Some(id) = store.reposted_as(by, original).await? else {
        return Ok(());
    };
    let reposts = |status: StatusHeader| {
        let of = status.repost_of.map(|origin| origin.status);
        status.author == by && of == Some(original)
    };
    if store.life(id).await?.header().is_some_and(reposts) {
        statuses::reconcile(store, id).await
    } else {
        store.release_repost(by, original, id).await
    }
}

/// Brings a living repost or quote to its original. One whose original is dead dies, and so does one
/// beside another that its author reposts the same by.
pub(super) async fn enter(
    store: &Store,
    call: &Call,
    id: StatusId,
    status: &StatusHeader,
) -> Result<()> {
    let by = status.author;
    if let Some(original) = status.repost_of
        && let Some(other) = store.hold_repost(call, by, original.status, id).await?
    {
        if store.life(other).await?.is_living() {
            return bury(store, call, id, by).await;
        }
        store.release_repost(by, original.status, other).await?;
        store.hold_repost(call, by, original.status, id).await?;
    }
    match store.mirror_repost(call, id, status).await? {
        MirrorRepost::Done => Ok(()),
        MirrorRepost::Dead => bury(store, call, id, by).await,
    }
}

/// Whoever publishes it finds it dead, and takes its copies back.
async fn bury(store: &Store, call: &Call, id: StatusId, by: UserId) -> Result<()> {
    let (_, outbox_entry) = store.bury_status(call, id, by).await?;
    store.remove_outbox_entry(outbox_entry).await
}

/// Takes a dead repost away from its original, and lets what reposts a dead status vanish with it.
pub(super) async fn leave(store: &Store, id: StatusId, status: &StatusHeader) -> Result<()> {
    if let Some(original) = status.repost_of {
        store
            .release_repost(status.author, original.status, id)
            .await?;
    }
    store.unmirror_repost(id, status).await?;
    if store.is_reposted(id).await? {
        let before = None;
        let task = Task::TakeAlong {
            original: id,
            before,
        };
        store.enqueue(&task).await?;
    }
    Ok(())
}

/// One pass of deleting what reposts a dead status, with a comment or without, newest first. Each
/// deletion has its own reminder, and takes what it deletes away from the original.
pub async fn take_along_pass(
    store: &Store,
    original: StatusId,
    before: Option<StatusId>,
) -> Result<Option<Task>> {
    if store.life(original).await?.is_living() {
        return Ok(None);
    }
    let count = store.config().limits.pass_size;
    let reposts = store.reposts_before(original, before, count).await?;
    let ids: Vec<StatusId> = reposts.iter().map(|(id, _)| *id).collect();
    let lives = store.lives(&ids).await?;
    let take_back = async |((id, by), life): ((StatusId, Option<UserId>), Life)| match life.header()
    {
        Some(status) => statuses::delete(store, status.author, id).await.map(drop),
        None => store.forget_repost(original, id, by).await,
    };
    stream::iter(reposts.into_iter().zip(lives))
        .map(take_back)
        .buffer_unordered(AT_A_TIME)
        .try_collect::<()>()
        .await?;
    let last = ids.last().filter(|_| ids.len() == count);
    Ok(last.map(|last| Task::TakeAlong {
        original,
        before: Some(*last),
    }))
}
