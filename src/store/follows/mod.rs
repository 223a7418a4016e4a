//! Single steps on follows: the source of truth in the follower's slot, the mirror in the followed
//! person's slot.

pub(super) mod author_preferences;
pub(super) mod presence;

use super::{
    Actor, Call, Error, OutboxEntry, Result, Store, Viewer, keys,
    people::PEOPLE_KEPT,
    redis::{
        connection::read,
        scripts::{self, With},
    },
    timelines::profiles::status_ids,
};
use crate::domain::{NOTIFICATIONS_KEPT, Notification, StatusId, Thing, UserId};

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

/// Whether reposts by a followed person come to a home.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reposts {
    Shown,
    Hidden,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HideReposts {
    Done,
    /// The person is not followed.
    NotFollowing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetEdge {
    Set,
    Already,
    TooMany,
    UnknownFollower,
}

/// The written mirror of a relation, with the author's newest statuses at that moment.
#[derive(Debug, Clone)]
pub struct Mirror {
    /// Size of the audience now.
    pub audience: u64,
    /// Their newest statuses, newest first.
    pub newest: Vec<StatusId>,
    /// Number of statuses in the profile.
    pub posts: usize,
    /// The newest replies to them by others, newest first.
    pub answered: Vec<StatusId>,
    /// The newest reply older than those, if any.
    pub older_answered: Option<StatusId>,
}

/// The reply of `mirror_edge.lua`.
pub(super) type Mirrored = (u64, usize, Vec<u64>, Vec<u64>, u64);

impl From<Mirrored> for Mirror {
    fn from((audience, posts, newest, answered, older_answered): Mirrored) -> Self {
        Self {
            audience,
            newest: status_ids(newest),
            posts,
            answered: status_ids(answered),
            older_answered: StatusId::new(older_answered).ok(),
        }
    }
}

impl Store {
    /// Writes the outbox entry, then the follow, in two round trips. If the outbox entry cannot be
    /// written, the follow is unchanged.
    pub async fn set_edge(
        &self,
        call: &Call,
        follower: impl Into<Actor>,
        followed: UserId,
    ) -> Result<(SetEdge, OutboxEntry)> {
        let follower = follower.into();
        let outbox_entry = self
            .add_outbox_entry(&Thing::Edge(follower.id, followed))
            .await?;
        let set = scripts::SET_EDGE
            .on([
                keys::following(follower.id),
                keys::user(follower.id),
                keys::auth(follower.id),
                keys::arrivals(follower.id),
                keys::live(follower.id),
            ])
            .with(call.deadline())
            .with(followed.get())
            .with(self.config.limits.max_following)
            .with(follower.epoch());
        let outcome = match self.connection.keep::<i64>(set).await? {
            1 => SetEdge::Set,
            0 => SetEdge::Already,
            -1 => SetEdge::TooMany,
            -2 => SetEdge::UnknownFollower,
            -3 => return self.ended(outbox_entry).await,
            code => return Err(scripts::SET_EDGE.undocumented(code)),
        };
        Ok((outcome, outbox_entry))
    }

    /// Writes the outbox entry, then removes the follow, in two round trips. If the outbox entry cannot
    /// be written, the follow is unchanged.
    pub async fn clear_edge(
        &self,
        call: &Call,
        follower: impl Into<Actor>,
        followed: UserId,
    ) -> Result<OutboxEntry> {
        let follower = follower.into();
        let outbox_entry = self
            .add_outbox_entry(&Thing::Edge(follower.id, followed))
            .await?;
        let clear = scripts::CLEAR_EDGE
            .on([
                keys::following(follower.id),
                keys::user(follower.id),
                keys::auth(follower.id),
                keys::arrivals(follower.id),
                keys::live(follower.id),
                keys::author_preferences(follower.id),
                keys::hidden_reposts(follower.id),
            ])
            .with(call.deadline())
            .with(followed.get())
            .with(follower.epoch());
        match self.connection.keep::<i64>(clear).await? {
            0 | 1 => Ok(outbox_entry),
            -3 => self.ended(outbox_entry).await,
            code => Err(scripts::CLEAR_EDGE.undocumented(code)),
        }
    }

    /// Writes the outbox entry, then hides or shows the reposts of a followed person, in two round
    /// trips.
    pub async fn set_hidden_reposts(
        &self,
        call: &Call,
        follower: &Actor,
        followed: UserId,
        reposts: Reposts,
    ) -> Result<(HideReposts, OutboxEntry)> {
        let outbox_entry = self
            .add_outbox_entry(&Thing::Edge(follower.id, followed))
            .await?;
        let set_hidden_reposts = scripts::SET_HIDDEN_REPOSTS
            .on([
                keys::following(follower.id),
                keys::hidden_reposts(follower.id),
                keys::user(follower.id),
                keys::auth(follower.id),
            ])
            .with(call.deadline())
            .with(followed.get())
            .with(match reposts {
                Reposts::Shown => "show",
                Reposts::Hidden => "hide",
            })
            .with(follower.epoch());
        match self.connection.keep::<i64>(set_hidden_reposts).await? {
            1 => Ok((HideReposts::Done, outbox_entry)),
            0 => Ok((HideReposts::NotFollowing, outbox_entry)),
            -3 => self.ended(outbox_entry).await,
            code => Err(scripts::SET_HIDDEN_REPOSTS.undocumented(code)),
        }
    }

    /// Removes the outbox entry of an operation that wrote nothing.
    pub(super) async fn ended<T>(&self, outbox_entry: OutboxEntry) -> Result<T> {
        self.remove_outbox_entry(outbox_entry).await?;
        Err(Error::Ended)
    }

    /// Returns whether a person follows another.
    pub async fn follows(&self, follower: UserId, followed: UserId) -> Result<bool> {
        let score = redis::cmd("ZSCORE")
            .with(keys::following(follower))
            .with(followed.get());
        Ok(self.connection.query::<Option<f64>>(score).await?.is_some())
    }

    /// Returns the follow, with whether reposts are hidden. One round trip.
    pub async fn edge(&self, follower: UserId, followed: UserId) -> Result<Edge> {
        let score = |key: String| redis::cmd("ZSCORE").with(key).with(followed.get());
        let reads = [keys::following(follower), keys::hidden_reposts(follower)].map(score);
        let mut answers = self.connection.batch(reads.into()).await?.into_iter();
        let mut stands = || read::<Option<f64>>(answers.next().unwrap_or_default());
        let (follows, hidden_reposts) = (stands()?.is_some(), stands()?.is_some());
        Ok(match (follows, hidden_reposts) {
            (false, _) => Edge::None,
            (true, false) => Edge::Follows,
            (true, true) => Edge::WithoutReposts,
        })
    }

    /// Returns the viewer's follow. A visitor has none.
    pub async fn edge_from(&self, viewer: Viewer, followed: UserId) -> Result<Edge> {
        match viewer.id() {
            Some(follower) => self.edge(follower, followed).await,
            None => Ok(Edge::None),
        }
    }

    /// Writes the followed person's side, notifies them of a new follower, and reads their newest
    /// `count` statuses in the same step.
    pub async fn mirror_edge(
        &self,
        call: &Call,
        follower: UserId,
        followed: UserId,
        count: usize,
    ) -> Result<Mirror> {
        let mirror = scripts::MIRROR_EDGE
            .on([
                keys::followers(followed),
                keys::user(followed),
                keys::profile(followed),
                keys::received_replies(followed),
                keys::arrivals(followed),
                keys::live(followed),
                keys::notifications(followed),
                keys::read_marker(followed),
            ])
            .with(call.deadline())
            .with(follower.get())
            .with(count)
            .with("followers")
            .with(Notification::follow(follower).to_string())
            .with(NOTIFICATIONS_KEPT);
        let mirror: Mirror = self.connection.query::<Mirrored>(mirror).await?.into();
        self.rank_followed(followed, mirror.audience).await?;
        Ok(mirror)
    }

    /// Removes the followed person's side and its notification.
    pub async fn unmirror_edge(
        &self,
        call: &Call,
        follower: UserId,
        followed: UserId,
    ) -> Result<()> {
        let unmirror = scripts::UNMIRROR_EDGE
            .on([
                keys::followers(followed),
                keys::user(followed),
                keys::arrivals(followed),
                keys::live(followed),
                keys::notifications(followed),
                keys::read_marker(followed),
            ])
            .with(call.deadline())
            .with(follower.get())
            .with("followers")
            .with(Notification::follow(follower).to_string())
            .with(NOTIFICATIONS_KEPT);
        let followers: u64 = self.connection.query(unmirror).await?;
        self.rank_followed(followed, followers).await
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

    /// Returns whether a person follows each of these. One round trip.
    pub async fn follows_each(&self, follower: UserId, others: &[UserId]) -> Result<Vec<bool>> {
        let score = |other: &UserId| {
            redis::cmd("ZSCORE")
                .with(keys::following(follower))
                .with(other.get())
        };
        let reads = others.iter().map(score).collect();
        let answers = self.connection.batch(reads).await?.into_iter();
        let stands = |answer| Ok(read::<Option<f64>>(answer)?.is_some());
        answers.map(stands).collect()
    }

    /// Returns whether each of these people follows `followed`. One round trip.
    pub async fn followed_by_each(&self, followed: UserId, others: &[UserId]) -> Result<Vec<bool>> {
        self.is_in_each(followed, others, keys::following).await
    }

    /// Returns whether each of these people lists `follower` as a follower. One round trip.
    pub async fn is_follower_of_each(
        &self,
        follower: UserId,
        others: &[UserId],
    ) -> Result<Vec<bool>> {
        self.is_in_each(follower, others, keys::followers).await
    }

    async fn is_in_each(
        &self,
        who: UserId,
        owners: &[UserId],
        set: impl Fn(UserId) -> String,
    ) -> Result<Vec<bool>> {
        let score = |owner: &UserId| redis::cmd("ZSCORE").with(set(*owner)).with(who.get());
        let reads = owners.iter().map(score).collect();
        let answers = self.connection.batch(reads).await?.into_iter();
        let stands = |answer| Ok(read::<Option<f64>>(answer)?.is_some());
        answers.map(stands).collect()
    }
}
