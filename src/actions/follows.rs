//! Following and unfollowing people, and hiding their reposts.

use super::operations::{Reconciled, reconcile_thing, reconcile_until_stable, with_outbox};
use crate::{
    actions::timelines,
    domain::{Source, Task, Thing, Timeline, UserId},
    store::{Actor, Call, Edge, HideReposts, Reposts, Result, SetEdge, Store},
};

/// Outcome of following a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follow {
    Done,
    /// People cannot follow themselves. In the book they can.
    Oneself,
    /// The person does not exist. The book follows ids that do not exist.
    Unknown,
    TooMany {
        limit: usize,
    },
}

/// Follows a person: listing 8.4 of the book. The source of truth is the follower's `following`, set
/// with its count in one step (the book sets counts from a ZCARD that races). Its mirror and the
/// follower's home follow from it. When this returns, the home has the newest statuses of the followed
/// person.
pub async fn follow(store: &Store, actor: impl Into<Actor>, followed: UserId) -> Result<Follow> {
    let actor = actor.into();
    let follower = actor.id();
    if follower == followed {
        return Ok(Follow::Oneself);
    }
    if store.user(followed).await?.is_none() {
        return Ok(Follow::Unknown);
    }
    let call = &store.begin().await?;
    let set = with_outbox(
        store,
        call,
        store.set_edge(call, actor, followed),
        |set| async move {
            match set {
                SetEdge::Set | SetEdge::Already => {
                    reconcile_copies(store, call, follower, followed).await
                }
                SetEdge::TooMany | SetEdge::UnknownFollower => Ok(Reconciled::Yes),
            }
        },
    );
    Ok(match set.await? {
        SetEdge::Set | SetEdge::Already => Follow::Done,
        SetEdge::TooMany => Follow::TooMany {
            limit: store.config().limits.max_following,
        },
        SetEdge::UnknownFollower => Follow::Unknown,
    })
}

/// Unfollows a person: listing 8.5 of the book. Their statuses leave the home by author, including those
/// that arrived after the newest 1000 that the book removes. A pass in flight cannot add one again,
/// because it reads the relation where it writes.
pub async fn unfollow(store: &Store, actor: impl Into<Actor>, followed: UserId) -> Result<()> {
    let actor = actor.into();
    let follower = actor.id();
    if follower == followed {
        return Ok(());
    }
    let call = &store.begin().await?;
    let clear = async { Ok(((), store.clear_edge(call, actor, followed).await?)) };
    with_outbox(store, call, clear, |()| {
        reconcile_copies(store, call, follower, followed)
    })
    .await
}

/// Hides or shows the reposts of a followed person on the actor's home, at once. An unfollow forgets the
/// choice.
pub async fn set_hidden_reposts(
    store: &Store,
    actor: impl Into<Actor>,
    followed: UserId,
    reposts: Reposts,
) -> Result<HideReposts> {
    let actor = actor.into();
    let call = &store.begin().await?;
    let set = store.set_hidden_reposts(call, &actor, followed, reposts);
    with_outbox(store, call, set, |_| {
        reconcile_copies(store, call, actor.id(), followed)
    })
    .await
}

/// Reconciles a follow after a crash. Returns the task that continues, if any.
pub async fn reconcile(store: &Store, follower: UserId, followed: UserId) -> Result<Option<Task>> {
    let call = &store.begin().await?;
    let reconciled = reconcile_copies(store, call, follower, followed);
    reconcile_thing(call, Thing::Edge(follower, followed), reconciled).await
}

/// Brings mirror, counts and home in line with the follow.
async fn reconcile_copies(
    store: &Store,
    call: &Call,
    follower: UserId,
    followed: UserId,
) -> Result<Reconciled> {
    reconcile_until_stable(
        || store.edge(follower, followed),
        |edge| async move {
            match edge {
                Edge::Follows => connect(store, call, follower, followed).await,
                Edge::WithoutReposts => {
                    connect(store, call, follower, followed).await?;
                    let home = Timeline::Home(follower);
                    timelines::take_out(store, home, |status| status.is_repost_by(followed)).await
                }
                Edge::None => disconnect(store, call, follower, followed).await,
            }
        },
    )
    .await
}

async fn connect(store: &Store, call: &Call, follower: UserId, followed: UserId) -> Result<()> {
    let count = store.config().limits.home_size;
    let mirror = store.mirror_edge(call, follower, followed, count).await?;
    let home = Timeline::Home(follower);
    timelines::bring_in(store, call, home, Source::Person(followed), &mirror).await
}

async fn disconnect(store: &Store, call: &Call, follower: UserId, followed: UserId) -> Result<()> {
    store.unmirror_edge(call, follower, followed).await?;
    let home = Timeline::Home(follower);
    timelines::take_out(store, home, |status| status.involves(followed)).await
}
