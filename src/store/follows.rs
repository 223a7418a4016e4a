//! Single steps on the follow graph: the edge's truth in the follower's slot, its mirror in the
//! followed one's.

use super::{
    Call, Reminder, Result, Store,
    connection::read,
    keys,
    profiles::status_ids,
    scripts::{self, With},
};
use crate::domain::{StatusId, Thing, UserId};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetEdge {
    Set,
    Already,
    TooMany,
    UnknownFollower,
}

/// The followed one's side of an edge, written, and what they posted at that moment.
#[derive(Debug, Clone)]
pub struct Mirror {
    pub followers: u64,
    /// The newest of their statuses, newest first.
    pub newest: Vec<StatusId>,
    /// How many statuses their profile holds.
    pub posts: usize,
}

impl Store {
    /// Reminds, then sets the edge. A reminder that
    /// could not be left leaves the truth alone, so this takes two trips.
    pub async fn set_edge(
        &self,
        call: &Call,
        follower: UserId,
        followed: UserId,
    ) -> Result<(SetEdge, Reminder)> {
        let reminder = self.remind(&Thing::Edge(follower, followed)).await?;
        let set = scripts::SET_EDGE
            .on([keys::following(follower), keys::user(follower)])
            .with(call.deadline())
            .with(followed.get())
            .with(self.config.limits.max_following);
        let outcome = match self.connection.query::<i64>(set).await? {
            1 => SetEdge::Set,
            0 => SetEdge::Already,
            -1 => SetEdge::TooMany,
            -2 => SetEdge::UnknownFollower,
            code => return Err(scripts::SET_EDGE.undocumented(code)),
        };
        Ok((outcome, reminder))
    }

    /// Reminds, then clears the edge. A reminder that
    /// could not be left leaves the truth alone, so this takes two trips.
    pub async fn clear_edge(
        &self,
        call: &Call,
        follower: UserId,
        followed: UserId,
    ) -> Result<Reminder> {
        let reminder = self.remind(&Thing::Edge(follower, followed)).await?;
        let clear = scripts::CLEAR_EDGE
            .on([keys::following(follower), keys::user(follower)])
            .with(call.deadline())
            .with(followed.get());
        self.connection.query::<i64>(clear).await?;
        Ok(reminder)
    }

    /// The truth of an edge.
    pub async fn follows(&self, follower: UserId, followed: UserId) -> Result<bool> {
        let score = redis::cmd("ZSCORE")
            .with(keys::following(follower))
            .with(followed.get());
        Ok(self.connection.query::<Option<f64>>(score).await?.is_some())
    }

    /// Writes the followed one's side, and reads their newest `count` statuses in the same step.
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
            ])
            .with(call.deadline())
            .with(follower.get())
            .with(count);
        let (followers, posts, newest): (u64, usize, Vec<u64>) =
            self.connection.query(mirror).await?;
        self.rank_followed(followed, followers).await?;
        Ok(Mirror {
            followers,
            newest: status_ids(newest),
            posts,
        })
    }

    /// Removes the followed one's side.
    pub async fn unmirror_edge(
        &self,
        call: &Call,
        follower: UserId,
        followed: UserId,
    ) -> Result<()> {
        let unmirror = scripts::UNMIRROR_EDGE
            .on([keys::followers(followed), keys::user(followed)])
            .with(call.deadline())
            .with(follower.get());
        let followers: u64 = self.connection.query(unmirror).await?;
        self.rank_followed(followed, followers).await
    }

    async fn rank_followed(&self, who: UserId, followers: u64) -> Result<()> {
        const MOST_FOLLOWED: i64 = 1000;
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
            .with(-MOST_FOLLOWED - 1);
        self.connection.chain(vec![rank, trim]).await.map(drop)
    }

    /// Whether `follower` follows each of these. One trip.
    pub(super) async fn follows_each(
        &self,
        follower: UserId,
        others: &[UserId],
    ) -> Result<Vec<bool>> {
        if others.is_empty() {
            return Ok(Vec::new());
        }
        let others: Vec<u64> = others.iter().map(|other| other.get()).collect();
        let scores = redis::cmd("ZMSCORE")
            .with(keys::following(follower))
            .with(others);
        let scores: Vec<Option<f64>> = self.connection.query(scores).await?;
        Ok(scores.into_iter().map(|score| score.is_some()).collect())
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
