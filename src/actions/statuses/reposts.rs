//! Reposts and quotes. Each is a status of the reposting person, delivered like any other. A repost
//! without a comment goes with its original, and there is one per person and original. A quote stays.

use futures_util::{StreamExt, TryStreamExt, stream};

use crate::{
    actions::prelude::*,
    domain::{Draft, Readers},
    store::{Create, Draw, EarlierPost, Filing, MirrorOutcome},
};

use crate::actions::{
    operations::{Reconciled, after_truth},
    statuses::{self, DRAWS, Delete},
};

/// Number of reposts that one pass deletes at a time.
const AT_A_TIME: usize = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repost {
    /// Reposted as this status.
    Done(StatusId),
    /// The status does not exist, or the person may not see or repost it.
    Unknown,
}

/// Returns the status that a repost or quote of this one refers to: the original of a repost without a
/// comment. `None` if the person may not see or repost it.
pub async fn original_of(store: &Store, by: UserId, id: StatusId) -> Result<Option<StatusRef>> {
    let status = store.status(Viewer::Member(by), id).await?;
    let status = status.filter(|status| status.shown().may_repost());
    Ok(status.map(|status| status.shown().as_status_ref()))
}

/// Returns the quote of a deleted status that this form posted before the deletion.
pub async fn earlier_quote(
    store: &Store,
    by: UserId,
    draft: Draft,
    (original, idempotency_key): (StatusId, &IdempotencyKey),
) -> Result<Option<EarlierPost>> {
    let Some(header) = store.life(original).await?.header() else {
        return Ok(None);
    };
    let itself = StatusRef {
        status: original,
        author: header.author,
    };
    let quote_of = header.repost_of.or(Some(itself));
    let draft = Draft { quote_of, ..draft };
    store.posted_by(by, &draft, idempotency_key).await
}

/// Reposts a status that the actor may see, without a comment, including their own. Repeated and
/// simultaneous calls make one repost: its id is drawn and claimed in the actor's slot in one step,
/// before the status is created. The outbox entry removes a claim without a status.
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
        let Draw::Id {
            id,
            login,
            is_private,
        } = claim
        else {
            return Err(Error::Unexpected {
                what: "who reposts",
                answer: format!("{by} is not there"),
            });
        };
        let readers = match is_private {
            true => Readers::FollowersOf(by),
            false => Readers::Everyone,
        };
        let (created, made) = store
            .create_repost(call, id, (actor, &login), original, readers)
            .await?;
        let is_done = matches!(created, Create::Created | Create::Already);
        let steps = async {
            if is_done {
                let filing = Filing::from(&StatusHeader::of(by));
                statuses::publish(store, call, id, filing).await?;
            } else {
                store.release_repost(by, original.status, id).await?;
            }
            store.remove_outbox_entry(made).await?;
            store.remove_outbox_entry(outbox_entry).await?;
            Ok(Reconciled::Yes)
        };
        let steps = steps.await;
        if is_done {
            after_truth(call, steps)?;
            return Ok(Repost::Done(id));
        }
        steps?;
    }
    Err(Error::Unavailable("no free status id was drawn".into()))
}

/// Removes a repost without a comment: deletes the status that it is.
pub async fn undo_repost(store: &Store, actor: impl Into<Actor>, original: StatusId) -> Result<()> {
    let actor = actor.into();
    let by = actor.id();
    match store.reposted_as(by, original).await? {
        None => store.check_session(&actor).await,
        Some(id) => match statuses::delete(store, actor, id).await? {
            Delete::Deleted => Ok(()),
            Delete::NotFound => store.release_repost(by, original, id).await,
        },
    }
}

/// Reconciles a repost after a crash. A claim without a status goes.
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

/// Adds a living repost or quote to its original, and removes a detached quote from it. If the original is dead, a
/// repost is deleted and a quote stays. A second repost of the same original by the same author is deleted too.
pub(in crate::actions) async fn add_copies(
    store: &Store,
    call: &Call,
    id: StatusId,
    status: &StatusHeader,
) -> Result<()> {
    let by = status.author;
    if status.detached_from.is_some() {
        return store.unmirror_repost(id, status).await;
    }
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
        MirrorOutcome::Deleted if status.repost_of.is_some() => bury(store, call, id, by).await,
        MirrorOutcome::Done | MirrorOutcome::Deleted => Ok(()),
    }
}

/// The publishing call finds it dead and removes its copies.
async fn bury(store: &Store, call: &Call, id: StatusId, by: UserId) -> Result<()> {
    let (_, outbox_entry) = store.bury_status(call, id, by).await?;
    store.remove_outbox_entry(outbox_entry).await
}

/// Removes a dead repost or quote from its original, and enqueues the deletion of reposts of a dead
/// status.
pub(in crate::actions) async fn remove_copies(
    store: &Store,
    id: StatusId,
    status: &StatusHeader,
) -> Result<()> {
    if let Some(original) = status.repost_of {
        store
            .release_repost(status.author, original.status, id)
            .await?;
    }
    store.unmirror_repost(id, status).await?;
    if store.is_reposted(id).await? {
        let before = None;
        let task = Task::DeleteReposts {
            original: id,
            before,
        };
        store.enqueue(&task).await?;
    }
    Ok(())
}

/// Runs one pass that deletes reposts of a dead status, newest first. Each deletion has its
/// own outbox entry.
pub async fn delete_reposts_pass(
    store: &Store,
    original: StatusId,
    before: Option<StatusId>,
) -> Result<Option<Task>> {
    if store.life(original).await?.is_living() {
        return Ok(None);
    }
    let count = store.config().limits.pass_size;
    let reposts = store.reposts_before(original, before, count).await?;
    let ids: Vec<StatusId> = reposts.iter().map(|(_, id)| *id).collect();
    let lives = store.lives(&ids).await?;
    let undo_repost = async |((by, id), life): ((UserId, StatusId), Life)| match life.header() {
        Some(status) => statuses::delete(store, status.author, id).await.map(drop),
        None => store.forget_repost(original, id, Some(by)).await,
    };
    stream::iter(reposts.into_iter().zip(lives))
        .map(undo_repost)
        .buffer_unordered(AT_A_TIME)
        .try_collect::<()>()
        .await?;
    let last = ids.last().filter(|_| ids.len() == count);
    Ok(last.map(|last| Task::DeleteReposts {
        original,
        before: Some(*last),
    }))
}
