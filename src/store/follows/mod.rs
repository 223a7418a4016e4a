//! Reads of follows, the ranking of the most followed people, and author preferences.

pub(super) mod author_preferences;
pub(super) mod presence;

use super::{
    Relation, Result, Store, Viewer, keys,
    people::PEOPLE_KEPT,
    redis::{connection::read, scripts::With},
};
use crate::domain::UserId;

/// Maximum number of attempts to rank a person with changing followers.
const ROUNDS: usize = 5;

/// A follow, as its source of truth states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    None,
    Follows,
    /// Follows, but hides their reposts.
    WithoutReposts,
}

impl Store {
    /// Returns the follow, with whether reposts are hidden. One round trip.
    pub async fn edge(&self, follower: UserId, followed: UserId) -> Result<Edge> {
        let relations = vec![
            Relation::follow(follower, followed),
            Relation::hidden_reposts(follower, followed),
        ];
        Ok(match self.have_relations(relations).await?[..] {
            [true, false] => Edge::Follows,
            [true, true] => Edge::WithoutReposts,
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
            let rank = match followers {
                0 => redis::cmd("ZREM")
                    .with(keys::PEOPLE_FOLLOWED)
                    .with(who.get()),
                _ => redis::cmd("ZADD")
                    .with(keys::PEOPLE_FOLLOWED)
                    .with(followers)
                    .with(who.get()),
            };
            let trim = redis::cmd("ZREMRANGEBYRANK")
                .with(keys::PEOPLE_FOLLOWED)
                .with(0)
                .with(-(PEOPLE_KEPT as i64) - 1);
            let count = redis::cmd("ZCARD").with(keys::followers(who));
            let mut answers = self.connection.chain(vec![rank, trim, count]).await?;
            let now = read(answers.pop().unwrap_or_default())?;
            if now == followers {
                break;
            }
            followers = now;
        }
        Ok(())
    }
}
