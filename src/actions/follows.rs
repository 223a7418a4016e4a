//! Following and unfollowing, and what they change on the follower's home.

use crate::{
    actions::timelines,
    domain::{Source, Task, Thing, Timeline, UserId},
    store::{Actor, Call, Edge, HideReposts, Reposts, Result, SetEdge, Store},
};

/// How often a copy is brought to the truth when that changes meanwhile, before it is left to the
/// reminder.
const ROUNDS: usize = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follow {
    Done,
    /// Nobody follows themself: the book lets them.
    Oneself,
    /// No such person: the book follows nobody as well.
    Unknown,
    TooMany {
        limit: usize,
    },
}

/// Follows a person: listing 8.4 of the book. The edge's truth is the follower's `following`, set
/// with its count in one step (the book sets counts from a ZCARD that races); its mirror and the
/// follower's home are brought to it. The newest statuses of the followed stand on the home when
/// this returns.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session
/// that asks is over.
pub async fn follow(store: &Store, actor: impl Into<Actor>, followed: UserId) -> Result<Follow> {
    let actor = actor.into();
    let follower = actor.id();
    if follower == followed {
        return Ok(Follow::Oneself);
    }
    if store.user(followed).await?.is_none() {
        return Ok(Follow::Unknown);
    }
    let call = store.begin().await?;
    let steps = async {
        let (set, outbox_entry) = store.set_edge(&call, actor, followed).await?;
        let settled = match set {
            SetEdge::Set | SetEdge::Already => settle(store, &call, follower, followed).await?,
            SetEdge::TooMany | SetEdge::UnknownFollower => Settled::Yes,
        };
        if settled == Settled::Yes {
            store.forget(outbox_entry).await?;
        }
        Ok(match set {
            SetEdge::Set | SetEdge::Already => Follow::Done,
            SetEdge::TooMany => Follow::TooMany {
                limit: store.config().limits.max_following,
            },
            SetEdge::UnknownFollower => Follow::Unknown,
        })
    };
    call.settle(steps.await).await
}

/// Unfollows a person: listing 8.5 of the book. Their statuses leave the home
/// by author, which also finds those that arrived since the book's slice of the newest 1000; a
/// pass in flight cannot bring one back, as it looks at the edge where it writes.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session
/// that asks is over.
pub async fn unfollow(store: &Store, actor: impl Into<Actor>, followed: UserId) -> Result<()> {
    let actor = actor.into();
    let follower = actor.id();
    if follower == followed {
        return Ok(());
    }
    let call = store.begin().await?;
    let steps = async {
        let outbox_entry = store.clear_edge(&call, actor, followed).await?;
        if settle(store, &call, follower, followed).await? == Settled::Yes {
            store.forget(outbox_entry).await?;
        }
        Ok(())
    };
    call.settle(steps.await).await
}

/// Lets the reposts of somebody whom the actor follows come to their home, or not. They leave or come
/// back at once; who is no longer followed is followed with theirs when it is done again.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session
/// that asks is over.
pub async fn set_hidden_reposts(
    store: &Store,
    actor: impl Into<Actor>,
    followed: UserId,
    reposts: Reposts,
) -> Result<HideReposts> {
    let actor = actor.into();
    let call = store.begin().await?;
    let steps = async {
        let (hushed, outbox_entry) = store
            .set_hidden_reposts(&call, &actor, followed, reposts)
            .await?;
        if settle(store, &call, actor.id(), followed).await? == Settled::Yes {
            store.forget(outbox_entry).await?;
        }
        Ok(hushed)
    };
    call.settle(steps.await).await
}

/// Brings an edge's copies to its truth after a crash. Answers with the task that goes on where the
/// truth would not hold still.
pub async fn reconcile(store: &Store, follower: UserId, followed: UserId) -> Result<Option<Task>> {
    let call = store.begin().await?;
    let settled = settle(store, &call, follower, followed).await;
    Ok(match call.settle(settled).await? {
        Settled::Yes => None,
        Settled::No => Some(Task::Reconcile(Thing::Edge(follower, followed))),
    })
}

/// Whether the copies agreed with the truth when it was looked at last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settled {
    Yes,
    No,
}

/// Brings mirror, counts and home to what the edge's truth says, and looks at the truth once more
/// afterwards: whoever finishes last has seen the final one.
async fn settle(store: &Store, call: &Call, follower: UserId, followed: UserId) -> Result<Settled> {
    let mut edge = store.edge(follower, followed).await?;
    for _ in 0..ROUNDS {
        match edge {
            Edge::Follows => connect(store, call, follower, followed).await?,
            Edge::WithoutReposts => {
                connect(store, call, follower, followed).await?;
                let home = Timeline::Home(follower);
                timelines::take_out(store, home, |status| status.is_repost_by(followed)).await?;
            }
            Edge::None => disconnect(store, call, follower, followed).await?,
        }
        let now = store.edge(follower, followed).await?;
        if now == edge {
            return Ok(Settled::Yes);
        }
        edge = now;
    }
    Ok(Settled::No)
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
