//! Following a tag. The source of truth is with the follower, its mirror with the tag, and posts with
//! the tag come to the follower's home.

use crate::actions::operations::{Effects, clear, set};
use crate::{
    actions::{prelude::*, timelines},
    domain::Source,
    store::SourceMirror,
};

pub(in crate::actions) struct TagFollowEffects<'a> {
    pub(in crate::actions) follower: UserId,
    pub(in crate::actions) tag: &'a FoldedTag,
}

/// Follows a tag. Posts with it that are neither replies nor reposts come to the follower's home, except
/// those of members of exclusive lists. When this returns, the home has the newest of them.
pub async fn follow(store: &Store, actor: impl Into<Actor>, tag: &FoldedTag) -> Result<SetOutcome> {
    let actor = actor.into();
    let follower = actor.id();
    let effects = TagFollowEffects { follower, tag };
    set(store, &actor, &effects.relation(), &effects).await
}

/// Unfollows a tag. Posts that came to the home by it alone leave it.
pub async fn unfollow(store: &Store, actor: impl Into<Actor>, tag: &FoldedTag) -> Result<()> {
    let actor = actor.into();
    let follower = actor.id();
    let effects = TagFollowEffects { follower, tag };
    clear(store, &actor, &effects.relation(), &effects)
        .await
        .map(drop)
}

impl TagFollowEffects<'_> {
    fn relation(&self) -> Relation {
        Relation::TagFollow(self.follower, self.tag.clone())
    }
}

impl Effects for TagFollowEffects<'_> {
    type Truth = bool;

    fn thing(&self) -> Thing {
        self.relation().into()
    }

    async fn truth(&self, store: &Store) -> Result<bool> {
        store.has_relation(&self.relation()).await
    }

    fn truth_when_cleared(&self) -> Option<bool> {
        Some(false)
    }

    fn timeline(&self) -> Option<Timeline> {
        Some(Timeline::Home(self.follower))
    }

    /// Brings mirror and home in line with the tag follow.
    async fn apply(&self, store: &Store, call: &Call, follows: bool) -> Result<()> {
        let tag = self.tag;
        let home = Timeline::Home(self.follower);
        let mirror = SourceMirror::of_tag_follow(self.follower, tag);
        if follows {
            let count = store.config().limits.home_size;
            let Some(source) = store.mirror_source(call, &mirror, count).await? else {
                return Ok(());
            };
            timelines::add_statuses_of(store, call, home, Source::Tag(tag), &source).await
        } else {
            store.unmirror_source(call, &mirror).await?;
            timelines::remove_statuses(store, home, |status| status.tags.contains(tag)).await
        }
    }
}
