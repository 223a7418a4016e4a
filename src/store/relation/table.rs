//! The declarations of all relations: one function for each.

use super::{Mirror, Relation};
use crate::{
    domain::{Collection, FoldedTag, ListId, Notification, StatusId, UserId},
    store::Key,
};

impl Relation {
    /// A user follows another user.
    #[must_use]
    pub fn follow(follower: UserId, followed: UserId) -> Self {
        let dependents = [
            Key::AuthorPreferences(follower),
            Key::HiddenReposts(follower),
        ];
        Self::new(Key::Following(follower), followed)
            .counted_in("following")
            .limited(|limits| limits.max_following)
            .with_dependents(dependents)
            .mirrored(
                Mirror::new(Key::Followers(followed), follower)
                    .counted_in("followers")
                    .notifies(Notification::follow(follower)),
            )
    }

    /// A user hides the reposts of a followed user.
    #[must_use]
    pub fn hidden_reposts(follower: UserId, followed: UserId) -> Self {
        Self::new(Key::HiddenReposts(follower), followed).requires(Key::Following(follower))
    }

    /// A user follows a tag.
    #[must_use]
    pub fn tag_follow(follower: UserId, tag: &FoldedTag) -> Self {
        Self::new(Key::FollowedTags(follower), tag)
            .limited(|limits| limits.max_tags)
            .mirrored(Mirror::new(Key::TagFollowers(tag.clone()), follower))
    }

    /// A user has a status among the favourites.
    #[must_use]
    pub fn favourite(by: UserId, id: StatusId) -> Self {
        Self::new(Key::Favourites(by), id)
            .limited(|limits| limits.max_favourites)
            .mirrored(Mirror::new(Key::FavouritedBy(id), by).counted_in("favourite_count"))
    }

    /// A user has a status among the bookmarks. There is no mirror.
    #[must_use]
    pub fn bookmark(by: UserId, id: StatusId) -> Self {
        Self::new(Key::Bookmarks(by), id).limited(|limits| limits.max_bookmarks)
    }

    /// A user has a status in one of the collections.
    #[must_use]
    pub fn saved(by: UserId, collection: Collection, id: StatusId) -> Self {
        match collection {
            Collection::Favourites => Self::favourite(by, id),
            Collection::Bookmarks => Self::bookmark(by, id),
        }
    }

    /// A list has a member. `change_member.lua` writes the source of truth, because the owner's home may
    /// change with it.
    #[must_use]
    pub fn list_membership(list: ListId, member: UserId) -> Self {
        Self::new(Key::ListMembers(list), member)
            .mirrored(Mirror::new(Key::ListMemberships(member), list))
    }

    /// A user reposts a status without a comment. The source of truth is the repost itself, a status;
    /// the key of the user holds its id as a score.
    #[must_use]
    pub fn repost(by: UserId, original: StatusId, id: StatusId) -> Self {
        Self::new(Key::OwnReposts(by), original).mirrored(
            Mirror::new(Key::RepostedBy(original), by)
                .counted_in("repost_count")
                .scored_by(id),
        )
    }
}

impl Mirror {
    /// The mirror of a quote. The source of truth is the quote itself, a status.
    pub(in crate::store) fn quote(original: StatusId, id: StatusId) -> Self {
        Self::new(Key::Quotes(original), id)
            .counted_in("quote_count")
            .scored_by(id)
    }
}
