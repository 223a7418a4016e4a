//! The relations of a user with another user, a tag or a status. The store declares their keys.

use serde::{Deserialize, Serialize};

use crate::domain::{Collection, FoldedTag, HomeFilter, StatusId, UserId};

/// A relation of its owner, the first user, with a member. Outbox entries store it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    #[serde(rename = "edge")]
    Follow(UserId, UserId),
    /// A user asks to follow a user with a private account.
    FollowRequest(UserId, UserId),
    /// A user filters the statuses of a followed user.
    HomeFilter(UserId, UserId, HomeFilter),
    Block(UserId, UserId),
    TagFollow(UserId, FoldedTag),
    Favourite(UserId, StatusId),
    Bookmark(UserId, StatusId),
    /// A user mutes the conversation with this first status.
    MutedConversation(UserId, StatusId),
}

impl Relation {
    /// Returns the relation of a user who has a status in one of the collections.
    #[must_use]
    pub fn saved(by: UserId, collection: Collection, id: StatusId) -> Self {
        match collection {
            Collection::Favourites => Self::Favourite(by, id),
            Collection::Bookmarks => Self::Bookmark(by, id),
        }
    }

    #[must_use]
    pub fn owner(&self) -> UserId {
        match *self {
            Self::Follow(owner, _)
            | Self::FollowRequest(owner, _)
            | Self::HomeFilter(owner, ..)
            | Self::Block(owner, _)
            | Self::TagFollow(owner, _)
            | Self::Favourite(owner, _)
            | Self::Bookmark(owner, _)
            | Self::MutedConversation(owner, _) => owner,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::relation::*;

    #[test]
    fn every_relation_has_its_stored_text_and_is_read_back_whole() {
        use Relation::{
            Block, Bookmark, Favourite, Follow, FollowRequest, HomeFilter, MutedConversation,
            TagFollow,
        };
        let (user, other) = (UserId::new(7).unwrap(), UserId::new(8).unwrap());
        let status = StatusId::new(4096).unwrap();
        let tag = FoldedTag::stored("日本").unwrap();
        let stored = [
            (r#"{"edge":["7","8"]}"#, Follow(user, other)),
            (
                r#"{"home_filter":["7","8","hidden_reposts"]}"#,
                HomeFilter(user, other, super::HomeFilter::HiddenReposts),
            ),
            (
                r#"{"follow_request":["7","8"]}"#,
                FollowRequest(user, other),
            ),
            (r#"{"block":["7","8"]}"#, Block(user, other)),
            (r#"{"tag_follow":["7","日本"]}"#, TagFollow(user, tag)),
            (r#"{"favourite":["7","4096"]}"#, Favourite(user, status)),
            (r#"{"bookmark":["7","4096"]}"#, Bookmark(user, status)),
            (
                r#"{"muted_conversation":["7","4096"]}"#,
                MutedConversation(user, status),
            ),
        ];
        for (text, relation) in &stored {
            assert_eq!(serde_json::to_string(relation).unwrap(), *text);
            assert_eq!(serde_json::from_str::<Relation>(text).unwrap(), *relation);
        }
        // serde names all variants, so a new one needs its text here.
        let error = serde_json::from_str::<Relation>(r#"{"?":0}"#).unwrap_err();
        let names = error.to_string();
        let count = names.split('`').skip(3).step_by(2).count();
        assert_eq!(count, stored.len(), "{names}");
    }
}
