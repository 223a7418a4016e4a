//! Reads of follows, the ranking of the most followed people, and author preferences.

pub(super) mod author_preferences;
pub(super) mod presence;

use super::{people::PEOPLE_KEPT, prelude::*};
use crate::domain::{HomeFilter, HomeFilters};

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
    Follows(HomeFilters),
}

impl Store {
    /// Returns the follow with its home filters, or the request. One round trip.
    pub async fn edge(&self, follower: UserId, followed: UserId) -> Result<Edge> {
        let filters = HomeFilter::ALL
            .map(|filter| Relation::HomeFilter(follower, followed, filter))
            .into_iter();
        let relations: Vec<Relation> = [Relation::Follow(follower, followed)]
            .into_iter()
            .chain(filters)
            .chain([Relation::FollowRequest(follower, followed)])
            .collect();
        Ok(match *self.have_relations(&relations).await? {
            [true, ref filters @ .., _] => {
                let mut are_set = filters.iter().copied();
                let are_set = HomeFilter::ALL.map(|_| are_set.next() == Some(true));
                Edge::Follows(HomeFilters::new(are_set))
            }
            [false, .., true] => Edge::Requested,
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
