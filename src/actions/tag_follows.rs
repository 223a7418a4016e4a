//! Following a tag: the truth is with the one who follows, its mirror with the tag, and what has the tag
//! comes to their home.

use crate::{
    actions::{follows::Settled, timelines},
    domain::{FoldedTag, Source, Task, Thing, Timeline, UserId},
    store::{Actor, Call, Collect, Result, Store},
};

/// How often a copy is brought to the truth when that changes meanwhile, before it is left to the
/// reminder.
const ROUNDS: usize = 5;

/// What became of following a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FollowTag {
    Done,
    /// No such follower.
    Unknown,
    TooMany {
        limit: usize,
    },
}

/// Follows a tag: what has it and stands alone comes to the follower's home from now on, whoever wrote
/// it but those whom exclusive lists hold. The newest stand there when this returns.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session
/// that asks is over.
pub async fn follow(store: &Store, actor: impl Into<Actor>, tag: &FoldedTag) -> Result<FollowTag> {
    let actor = actor.into();
    let call = store.begin().await?;
    let steps = async {
        let (set, outbox_entry) = store.set_tag_follow(&call, &actor, tag).await?;
        let settled = match set {
            Collect::Kept => settle(store, &call, actor.id(), tag).await?,
            Collect::TooMany | Collect::UnknownPerson => Settled::Yes,
        };
        if settled == Settled::Yes {
            store.forget(outbox_entry).await?;
        }
        Ok(match set {
            Collect::Kept => FollowTag::Done,
            Collect::UnknownPerson => FollowTag::Unknown,
            Collect::TooMany => FollowTag::TooMany {
                limit: store.config().limits.max_tags,
            },
        })
    };
    call.settle(steps.await).await
}

/// Follows a tag no longer. What came to the home by it alone leaves it.
///
/// # Errors
/// `Unavailable` when Redis is away; then nothing of it happens later. `Ended` where the session
/// that asks is over.
pub async fn unfollow(store: &Store, actor: impl Into<Actor>, tag: &FoldedTag) -> Result<()> {
    let actor = actor.into();
    let call = store.begin().await?;
    let steps = async {
        let outbox_entry = store.clear_tag_follow(&call, &actor, tag).await?;
        if settle(store, &call, actor.id(), tag).await? == Settled::Yes {
            store.forget(outbox_entry).await?;
        }
        Ok(())
    };
    call.settle(steps.await).await
}

/// Brings the copies of following a tag to their truth after a crash. Answers with the task that goes
/// on where the truth would not hold still.
pub async fn reconcile(store: &Store, who: UserId, tag: &FoldedTag) -> Result<Option<Task>> {
    let call = store.begin().await?;
    let settled = settle(store, &call, who, tag).await;
    Ok(match call.settle(settled).await? {
        Settled::Yes => None,
        Settled::No => Some(Task::Reconcile(Thing::TagFollow(who, tag.clone()))),
    })
}

/// Brings mirror and home to what the truth says, and looks at the truth once more afterwards: whoever
/// finishes last has seen the final one.
async fn settle(store: &Store, call: &Call, who: UserId, tag: &FoldedTag) -> Result<Settled> {
    let mut follows = store.follows_tag(who, tag).await?;
    for _ in 0..ROUNDS {
        let home = Timeline::Home(who);
        if follows {
            let count = store.config().limits.home_size;
            let mirror = store.mirror_tag_follow(call, who, tag, count).await?;
            timelines::bring_in(store, call, home, Source::Tag(tag), &mirror).await?;
        } else {
            store.unmirror_tag_follow(call, who, tag).await?;
            timelines::take_out(store, home, |status| status.tags.contains(tag)).await?;
        }
        let now = store.follows_tag(who, tag).await?;
        if now == follows {
            return Ok(Settled::Yes);
        }
        follows = now;
    }
    Ok(Settled::No)
}
