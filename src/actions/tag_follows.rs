//! Following a tag. The source of truth is with the follower, its mirror with the tag, and posts with
//! the tag come to the follower's home.

use super::operations::{Reconciled, reconcile_thing, reconcile_until_stable, with_outbox};
use crate::{
    actions::timelines,
    domain::{FoldedTag, Source, Task, Thing, Timeline, UserId},
    store::{Actor, Call, Collect, Result, Store},
};

/// Outcome of following a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FollowTag {
    Done,
    /// The follower does not exist.
    Unknown,
    TooMany {
        limit: usize,
    },
}

/// Follows a tag. Posts with it that are neither replies nor reposts come to the follower's home, except
/// those of members of exclusive lists. When this returns, the home has the newest of them.
pub async fn follow(store: &Store, actor: impl Into<Actor>, tag: &FoldedTag) -> Result<FollowTag> {
    let actor = actor.into();
    let call = &store.begin().await?;
    let follower = actor.id();
    let set = with_outbox(
        store,
        call,
        store.set_tag_follow(call, &actor, tag),
        |set| async move {
            match set {
                Collect::Kept => reconcile_copies(store, call, follower, tag).await,
                Collect::TooMany | Collect::UnknownPerson => Ok(Reconciled::Yes),
            }
        },
    );
    Ok(match set.await? {
        Collect::Kept => FollowTag::Done,
        Collect::UnknownPerson => FollowTag::Unknown,
        Collect::TooMany => FollowTag::TooMany {
            limit: store.config().limits.max_tags,
        },
    })
}

/// Unfollows a tag. Posts that came to the home by it alone leave it.
pub async fn unfollow(store: &Store, actor: impl Into<Actor>, tag: &FoldedTag) -> Result<()> {
    let actor = actor.into();
    let call = &store.begin().await?;
    let clear = async { Ok(((), store.clear_tag_follow(call, &actor, tag).await?)) };
    with_outbox(store, call, clear, |()| {
        reconcile_copies(store, call, actor.id(), tag)
    })
    .await
}

/// Reconciles a tag follow after a crash. Returns the task that continues, if any.
pub async fn reconcile(store: &Store, follower: UserId, tag: &FoldedTag) -> Result<Option<Task>> {
    let call = &store.begin().await?;
    let reconciled = reconcile_copies(store, call, follower, tag);
    reconcile_thing(call, Thing::TagFollow(follower, tag.clone()), reconciled).await
}

/// Brings mirror and home in line with the tag follow.
async fn reconcile_copies(
    store: &Store,
    call: &Call,
    follower: UserId,
    tag: &FoldedTag,
) -> Result<Reconciled> {
    let home = Timeline::Home(follower);
    reconcile_until_stable(
        || store.follows_tag(follower, tag),
        |follows| async move {
            if follows {
                let count = store.config().limits.home_size;
                let mirror = store.mirror_tag_follow(call, follower, tag, count).await?;
                timelines::bring_in(store, call, home, Source::Tag(tag), &mirror).await
            } else {
                store.unmirror_tag_follow(call, follower, tag).await?;
                timelines::take_out(store, home, |status| status.tags.contains(tag)).await
            }
        },
    )
    .await
}
