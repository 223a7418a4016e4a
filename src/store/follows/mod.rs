//! Single steps on the follow graph: the edge's truth in the follower's slot, its mirror in the
//! followed one's.

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

/// How often a person is ranked anew whose followers change meanwhile.
const ROUNDS: usize = 5;

/// The truth of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    None,
    Follows,
    /// But does not want their reposts.
    WithoutReposts,
}

/// Whether the reposts of somebody who is followed come to a home.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reposts {
    Shown,
    Hidden,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HideReposts {
    Done,
    /// There is no such edge.
    NotFollowing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetEdge {
    Set,
    Already,
    TooMany,
    UnknownFollower,
}

/// The author's side of an edge or a listing, written, and what they posted at that moment.
#[derive(Debug, Clone)]
pub struct Mirror {
    /// How many their audience is now.
    pub audience: u64,
    /// The newest of their statuses, newest first.
    pub newest: Vec<StatusId>,
    /// How many statuses their profile holds.
    pub posts: usize,
    /// The newest answers to them by others, newest first.
    pub answered: Vec<StatusId>,
    /// The newest of older ones, where there were any.
    pub older_answered: Option<StatusId>,
}

/// As `mirror_edge.lua` answers.
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
    /// Reminds, then sets the edge. A reminder that could not be left leaves the truth alone, so
    /// this takes two trips.
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

    /// Reminds, then clears the edge. A reminder that could not be left leaves the truth alone, so
    /// this takes two trips.
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

    /// Reminds, then says whether the reposts of somebody who is followed come to the home. A reminder
    /// that could not be left leaves the truth alone, so this takes two trips.
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

    /// Nothing was written, so there is nothing to be reminded of.
    pub(super) async fn ended<T>(&self, outbox_entry: OutboxEntry) -> Result<T> {
        self.remove_outbox_entry(outbox_entry).await?;
        Err(Error::Ended)
    }

    /// The truth of an edge.
    pub async fn follows(&self, follower: UserId, followed: UserId) -> Result<bool> {
        let score = redis::cmd("ZSCORE")
            .with(keys::following(follower))
            .with(followed.get());
        Ok(self.connection.query::<Option<f64>>(score).await?.is_some())
    }

    /// The truth of an edge, with whether reposts come by it. One trip.
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

    /// The same, from a viewer: none of a visitor's.
    pub async fn edge_from(&self, viewer: Viewer, followed: UserId) -> Result<Edge> {
        match viewer.id() {
            Some(follower) => self.edge(follower, followed).await,
            None => Ok(Edge::None),
        }
    }

    /// Writes the followed one's side, tells them of one who is new, and reads their newest `count`
    /// statuses in the same step.
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
                keys::answered(followed),
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

    /// Removes the followed one's side, and what they were told of it.
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

    /// Ranks a person among the most followed by their number of followers, and looks at that
    /// afterwards: of two who rank at once, the last one has seen the final number.
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

    /// Whether somebody follows each of these, by the truth of the edge. One trip.
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

    /// Whether each of these follows `followed`, by the truth of the edge. One trip.
    pub async fn followed_by_each(&self, followed: UserId, others: &[UserId]) -> Result<Vec<bool>> {
        self.is_in_each(followed, others, keys::following).await
    }

    /// Whether each of these lists `follower` among their followers. One trip.
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
