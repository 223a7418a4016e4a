//! The declarations of all relations and mirrors. Everything else about them exists once.

use super::{
    Declaration, RelationRole,
    mirror::{SourceKind, SourceMirror, StatusMirror},
};
use crate::{
    domain::{HomeFilter, MAX_MUTED_CONVERSATIONS, Notification},
    store::prelude::*,
};

pub(super) fn declaration(relation: &Relation) -> Declaration {
    match *relation {
        Relation::Follow(follower, followed) => Declaration {
            count_field: "following",
            limit: |limits| limits.max_following,
            dependents: [Key::AuthorPreferences(follower)]
                .into_iter()
                .chain(HomeFilter::ALL.map(|filter| Key::home_filter(follower, filter)))
                .collect(),
            copy: Some(Key::Followers(followed)),
            person: Some(followed),
            other: Some((RelationRole::Replaced, Key::Requested(follower))),
            ..Declaration::new(Key::Following(follower), followed)
        },
        Relation::FollowRequest(from, person) => Declaration {
            limit: |limits| limits.max_following,
            copy: Some(Key::Requests(person)),
            person: Some(person),
            other: Some((RelationRole::Prevents, Key::Following(from))),
            ..Declaration::new(Key::Requested(from), person)
        },
        Relation::HomeFilter(follower, followed, filter) => Declaration {
            other: Some((RelationRole::Required, Key::Following(follower))),
            ..Declaration::new(Key::home_filter(follower, filter), followed)
        },
        Relation::Block(by, blocked) => Declaration {
            limit: |limits| limits.max_blocked,
            is_protective: true,
            copy: Some(Key::BlockedBy(blocked)),
            ..Declaration::new(Key::Blocked(by), blocked)
        },
        Relation::TagFollow(follower, ref tag) => Declaration {
            limit: |limits| limits.max_tags,
            copy: Some(Timeline::Home(follower).into()),
            ..Declaration::new(Key::FollowedTags(follower), tag)
        },
        Relation::Favourite(by, id) => Declaration {
            limit: |limits| limits.max_favourites,
            ..Declaration::new(Key::Favourites(by), id)
        },
        Relation::Bookmark(by, id) => Declaration {
            limit: |limits| limits.max_bookmarks,
            ..Declaration::new(Key::Bookmarks(by), id)
        },
        Relation::MutedConversation(by, first) => Declaration {
            limit: |_| MAX_MUTED_CONVERSATIONS,
            is_protective: true,
            ..Declaration::new(Key::MutedConversations(by), first)
        },
    }
}

impl SourceMirror {
    pub fn of_follow(follower: UserId, followed: UserId) -> Self {
        Self {
            place: Place::new(Key::Followers(followed), follower),
            kind: SourceKind::CountedUser {
                user: followed,
                count_field: "followers",
                notification: Notification::follow(follower),
            },
            age_ms: 0,
        }
    }

    pub fn of_request(from: UserId, person: UserId) -> Self {
        Self {
            place: Place::new(Key::Requests(person), from),
            kind: SourceKind::CountedUser {
                user: person,
                count_field: "requests",
                notification: Notification::request(from),
            },
            age_ms: 0,
        }
    }

    pub fn of_tag_follow(follower: UserId, tag: &FoldedTag) -> Self {
        Self {
            place: Place::new(Key::TagFollowers(tag.clone()), follower),
            kind: SourceKind::Tag(tag.clone()),
            age_ms: 0,
        }
    }

    pub fn of_block(by: UserId, blocked: UserId) -> Self {
        Self {
            place: Place::new(Key::BlockedBy(blocked), by),
            kind: SourceKind::User(blocked),
            age_ms: 0,
        }
    }

    /// Returns the mirror of a membership in a list. `add_member.lua` and `remove_member.lua` write the source of
    /// truth, because the owner's home may change with it.
    pub fn of_list_membership(list: ListId, member: UserId) -> Self {
        Self {
            place: Place::new(Key::ListMemberships(member), list),
            kind: SourceKind::User(member),
            age_ms: 0,
        }
    }

    /// Dates the relation back.
    #[must_use]
    pub fn of_age(self, age_ms: u64) -> Self {
        Self { age_ms, ..self }
    }
}

impl StatusMirror {
    pub fn of_favourite(by: UserId, id: StatusId) -> Self {
        Self {
            place: Place::new(Key::FavouritedBy(id), by),
            status: id,
            count_field: "favourite_count",
            scored_by: None,
        }
    }

    /// Returns the mirror of a repost without a comment. The source of truth is the repost itself, a status.
    pub(in crate::store) fn of_repost(by: UserId, original: StatusId, id: StatusId) -> Self {
        Self {
            place: Place::new(Key::RepostedBy(original), by),
            status: original,
            count_field: "repost_count",
            scored_by: Some(id),
        }
    }

    /// Returns the mirror of a quote. The source of truth is the quote itself, a status.
    pub(in crate::store) fn of_quote(original: StatusId, id: StatusId) -> Self {
        Self {
            place: Place::new(Key::Quotes(original), id),
            status: original,
            count_field: "quote_count",
            scored_by: Some(id),
        }
    }
}
