//! Following and unfollowing people, and filtering their statuses.

use futures_util::try_join;

use crate::actions::{
    follow_requests,
    operations::{Effects, clear, reconcile_copies, set, set_by, with_outbox},
};
use crate::{
    actions::{notifications, prelude::*, timelines},
    domain::{HomeFilter, Notification, Source, StatusHeader},
    store::{ClearOutcome, Edge, SourceMirror},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follow {
    Done,
    /// The account is private. The person was asked, now or earlier.
    Requested,
    /// People cannot follow themselves. In the book they can.
    Oneself,
    /// The person does not exist. The book follows ids that do not exist.
    Unknown,
    TooMany,
}

/// A change of the home filters of a followed person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterChange {
    Set(HomeFilter),
    Clear(HomeFilter),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterOutcome {
    Done,
    NotFollowing,
}

/// The after-effects of a follow, which include those of home filters and of the request to follow. A request
/// and a follow are never set together.
pub(in crate::actions) struct FollowEffects {
    pub(in crate::actions) follower: UserId,
    pub(in crate::actions) followed: UserId,
    /// Age of the follow in ms. 0 except in the seed.
    age_ms: u64,
}

impl FollowEffects {
    pub(in crate::actions) fn new(follower: UserId, followed: UserId) -> Self {
        Self {
            follower,
            followed,
            age_ms: 0,
        }
    }
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
    let relation = Relation::Follow(follower, followed);
    let (user, follows) = try_join!(store.user(followed), store.has_relation(&relation))?;
    let Some(user) = user else {
        return Ok(Follow::Unknown);
    };
    let effects = FollowEffects {
        age_ms: actor.age_ms(),
        ..FollowEffects::new(follower, followed)
    };
    if follows {
        // A private account that has removed the follower meanwhile is not followed again.
        let call = &store.begin().await?;
        let write = store.confirm_relation(call, &actor, &relation);
        if set_by(store, call, &effects, write).await? == SetOutcome::Done {
            return Ok(Follow::Done);
        }
    }
    if user.is_private {
        return Box::pin(request(store, &actor, followed)).await;
    }
    match set(store, &actor, &relation, &effects).await? {
        SetOutcome::Done => {}
        SetOutcome::TooMany => return Ok(Follow::TooMany),
        SetOutcome::Unknown => return Ok(Follow::Unknown),
    }
    if !is_private_now(store, followed).await? {
        return Ok(Follow::Done);
    }
    // The account became private meanwhile.
    Box::pin(unfollow(store, actor.clone(), followed)).await?;
    Box::pin(request(store, &actor, followed)).await
}

/// Returns whether an account is private after it was followed. During an outage the follow stays as it is.
async fn is_private_now(store: &Store, followed: UserId) -> Result<bool> {
    match store.user(followed).await {
        Ok(user) => Ok(user.is_some_and(|user| user.is_private)),
        Err(error) if error.is_outage() => Ok(false),
        Err(error) => Err(error),
    }
}

async fn request(store: &Store, actor: &Actor, person: UserId) -> Result<Follow> {
    Ok(match follow_requests::ask(store, actor, person).await? {
        SetOutcome::Done => Follow::Requested,
        SetOutcome::TooMany => Follow::TooMany,
        SetOutcome::Unknown => Follow::Unknown,
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
    let relation = Relation::Follow(follower, followed);
    let effects = FollowEffects::new(follower, followed);
    clear(store, &actor, &relation, &effects).await.map(drop)
}

/// Sets or clears a home filter of a followed person, at once. An unfollow clears all of them.
pub async fn change_filter(
    store: &Store,
    actor: impl Into<Actor>,
    followed: UserId,
    change: FilterChange,
) -> Result<FilterOutcome> {
    let actor = actor.into();
    let follower = actor.id();
    let effects = FollowEffects::new(follower, followed);
    let follows = match change {
        FilterChange::Set(filter) => {
            let relation = Relation::HomeFilter(follower, followed, filter);
            set(store, &actor, &relation, &effects).await? == SetOutcome::Done
        }
        FilterChange::Clear(filter) => {
            let relation = Relation::HomeFilter(follower, followed, filter);
            let call = &store.begin().await?;
            let write = store.clear_relation(call, &actor, &relation);
            let reconcile = |_| reconcile_copies(store, call, &effects, None);
            let cleared = with_outbox(store, call, effects.thing(), write, reconcile).await?;
            let follow = Relation::Follow(follower, followed);
            cleared == ClearOutcome::Cleared || store.has_relation(&follow).await?
        }
    };
    Ok(match follows {
        true => FilterOutcome::Done,
        false => FilterOutcome::NotFollowing,
    })
}

impl Effects for FollowEffects {
    type Truth = Edge;

    fn thing(&self) -> Thing {
        Relation::Follow(self.follower, self.followed).into()
    }

    async fn truth(&self, store: &Store) -> Result<Edge> {
        store.edge(self.follower, self.followed).await
    }

    fn truth_when_cleared(&self) -> Option<Edge> {
        Some(Edge::None)
    }

    fn timeline(&self) -> Option<Timeline> {
        Some(Timeline::Home(self.follower))
    }

    /// Brings mirror, counts and home in line with the follow.
    async fn apply(&self, store: &Store, call: &Call, follow: Edge) -> Result<()> {
        let followed = self.followed;
        let home = Timeline::Home(self.follower);
        let mirror = SourceMirror::of_follow(self.follower, followed).of_age(self.age_ms);
        let request = SourceMirror::of_request(self.follower, followed);
        let asked = Relation::FollowRequest(self.follower, followed);
        let Edge::Follows(filters) = follow else {
            let accepted = Notification::accepted(followed);
            let (followers, (), ()) = try_join!(
                store.unmirror_source(call, &mirror),
                apply_request(store, call, (&request, &asked), follow),
                notifications::retract(store, call, self.follower, accepted)
            )?;
            store.rank_followed(followed, followers).await?;
            return timelines::remove_statuses(store, home, |status| status.involves(followed))
                .await;
        };
        let count = store.config().limits.home_size;
        let (source, ()) = try_join!(
            store.mirror_source(call, &mirror, count),
            apply_request(store, call, (&request, &asked), follow)
        )?;
        let Some(source) = source else {
            let relation = Relation::Follow(self.follower, followed);
            return forget_deleted(store, call, &relation).await;
        };
        store.rank_followed(followed, source.audience).await?;
        timelines::add_statuses_of(store, call, home, Source::Person(followed), &source).await?;
        for filter in filters.iter() {
            let is_hidden =
                |status: &StatusHeader| status.author == followed && filter.hides(status);
            timelines::remove_statuses(store, home, is_hidden).await?;
        }
        Ok(())
    }
}

/// Brings the mirror of the request, its count and its notification in line.
async fn apply_request(
    store: &Store,
    call: &Call,
    (request, relation): (&SourceMirror, &Relation),
    edge: Edge,
) -> Result<()> {
    match edge {
        Edge::Requested => match store.mirror_source(call, request, 1).await? {
            Some(_) => Ok(()),
            None => forget_deleted(store, call, relation).await,
        },
        _ => store.unmirror_source(call, request).await.map(drop),
    }
}

/// Removes a relation with a person who was deleted meanwhile. The caller reads the source of truth again.
async fn forget_deleted(store: &Store, call: &Call, relation: &Relation) -> Result<()> {
    let owner = relation.owner().into();
    store.clear_relation(call, &owner, relation).await.map(drop)
}
