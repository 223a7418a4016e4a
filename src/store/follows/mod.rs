//! Reads of follows, the ranking of the most followed people, and author preferences.

pub(super) mod author_preferences;
pub(super) mod presence;

use super::{people::PEOPLE_KEPT, prelude::*};

script_calls! {
    RankFollowed = "rank_followed"(ranking; user_id: u64, follower_count: u64, max_people: usize);
}

/// Maximum number of attempts to rank a person with changing followers.
const ROUNDS: usize = 5;

/// A follow, as its source of truth states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    None,
    /// The follower asked to follow a private account. They do not follow it yet.
    Requested,
    Follows,
    WithoutReposts,
}

impl Store {
    /// Returns the follow, with whether reposts are hidden, or the request. One round trip.
    pub async fn edge(&self, follower: UserId, followed: UserId) -> Result<Edge> {
        let relations = [
            Relation::Follow(follower, followed),
            Relation::HiddenReposts(follower, followed),
            Relation::FollowRequest(follower, followed),
        ];
        Ok(match self.have_relations(&relations).await?[..] {
            [true, false, _] => Edge::Follows,
            [true, true, _] => Edge::WithoutReposts,
            [false, _, true] => Edge::Requested,
            _ => Edge::None,
        })
    }

    /// Returns the viewer's follow. A visitor has none.
    pub async fn edge_from(&self, viewer: Viewer, followed: UserId) -> Result<Edge> {
        match viewer.id() {
            Some(follower) => self.edge(follower, followed).await,
            None => Ok(Edge::None),
        }
    }

    /// Ranks a person among the most followed by their number of followers, and reads the number again.
    /// The last of several writers has then seen the final number.
    pub async fn rank_followed(&self, who: UserId, mut followers: u64) -> Result<()> {
        for _ in 0..ROUNDS {
            let rank = RankFollowed {
                ranking: keys::PEOPLE_FOLLOWED.to_owned(),
                user_id: who.get(),
                follower_count: followers,
                max_people: PEOPLE_KEPT,
            };
            let count = redis::cmd("ZCARD").with(keys::followers(who));
            let mut answers = self.connection.chain(vec![rank.command(), count]).await?;
            let now = read(answers.pop().unwrap_or_default())?;
            if now == followers {
                break;
            }
            followers = now;
        }
        Ok(())
    }
}
