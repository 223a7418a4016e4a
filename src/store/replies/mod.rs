//! Single steps on replies: the position of a reply under its parent, in the parent's slot, and among
//! the newest replies to a person.

pub(super) mod conversations;

use redis::Value;

use super::{
    Call, Life, Result, Store, Viewer, keys,
    redis::{
        connection::read,
        scripts::{self, With},
    },
    statuses::{self, LIFE_FIELDS},
};
use crate::domain::{ReplyPosition, ReplyTarget, StatusId, StatusRef, Thread, UserId};

/// A repost is resolved to its original, which is never a repost.
const REPOSTS: usize = 2;

impl Store {
    /// Returns the thread of a reply to this status. A reply to a plain repost belongs to the original.
    /// `None` if the viewer may not see the status.
    pub async fn reply_target(
        &self,
        viewer: Viewer,
        mut id: StatusId,
    ) -> Result<Option<ReplyTarget>> {
        for _ in 0..REPOSTS {
            let Some(status) = self.status(viewer, id).await? else {
                return Ok(None);
            };
            let fields = redis::cmd("HMGET")
                .with(keys::status(id))
                .with(&["thread", "repost_of"]);
            let (thread, reposts): (Option<String>, Option<String>) =
                self.connection.query(fields).await?;
            if let Some(original) = statuses::origin(reposts)? {
                id = original.status;
                continue;
            }
            let thread = thread.and_then(|thread| thread.parse::<Thread>().ok());
            return Ok(Some(ReplyTarget {
                to: StatusRef {
                    status: id,
                    author: status.author().id,
                },
                thread: Thread::below(id, thread.as_ref()),
            }));
        }
        Ok(None)
    }

    /// Returns the ancestors of a reply, including dead ones while their tombstone exists. `None` if it
    /// is not a reply.
    pub async fn thread(&self, id: StatusId) -> Result<Option<Thread>> {
        let thread: Option<String> = self.connection.query(read_thread(id)).await?;
        Ok(thread.and_then(|thread| thread.parse().ok()))
    }

    /// Returns the ancestors of each status, and whether the statuses are alive. One round trip.
    pub async fn threads(&self, ids: &[StatusId]) -> Result<Vec<Option<Thread>>> {
        let reads = ids.iter().map(|id| read_thread(*id)).collect();
        let answers = self.connection.batch(reads).await?.into_iter();
        let thread = |answer| {
            let thread: Option<String> = read(answer)?;
            Ok(thread.and_then(|thread| thread.parse().ok()))
        };
        answers.map(thread).collect()
    }

    /// Returns the position that each status should have under its parent. One round trip.
    pub async fn expected_positions(
        &self,
        pairs: &[(StatusId, StatusId)],
    ) -> Result<Vec<ReplyPosition>> {
        let questions = pairs.iter().flat_map(|(_, reply)| {
            [
                redis::cmd("HMGET")
                    .with(keys::status(*reply))
                    .with(LIFE_FIELDS),
                redis::cmd("EXISTS")
                    .with(keys::replies(*reply))
                    .with(keys::gaps(*reply)),
            ]
        });
        let answers = self.connection.batch(questions.collect()).await?;
        let mut answers = answers.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let positions = pairs.iter().map(|(parent, _)| {
            let (life, below) = (statuses::life(next())?, read::<u64>(next())?);
            Ok(position_of(*parent, &life, below > 0))
        });
        positions.collect()
    }

    /// Returns the position that each reply has under its parent now. One round trip.
    pub async fn stored_positions(
        &self,
        pairs: &[(StatusId, StatusId)],
    ) -> Result<Vec<ReplyPosition>> {
        let score = |key: String, id: &StatusId| redis::cmd("ZSCORE").with(key).with(id.get());
        let questions = pairs.iter().flat_map(|(parent, reply)| {
            [
                score(keys::replies(*parent), reply),
                score(keys::gaps(*parent), reply),
            ]
        });
        let answers = self.connection.batch(questions.collect()).await?;
        let mut answers = answers.into_iter();
        let mut next = || read::<Option<f64>>(answers.next().unwrap_or(Value::Nil));
        let mut placed = Vec::with_capacity(pairs.len());
        for _ in pairs {
            placed.push(match (next()?, next()?) {
                (Some(_), _) => ReplyPosition::Reply,
                (None, Some(_)) => ReplyPosition::Gap,
                (None, None) => ReplyPosition::Nowhere,
            });
        }
        Ok(placed)
    }

    /// Puts a reply into its right position under the parent and updates the counts. Returns whether the
    /// parent is alive.
    pub async fn place_reply(
        &self,
        call: &Call,
        parent: StatusId,
        reply: StatusId,
        position: ReplyPosition,
    ) -> Result<bool> {
        let place = scripts::PLACE_REPLY
            .on([
                keys::replies(parent),
                keys::gaps(parent),
                keys::status(parent),
            ])
            .with(call.deadline())
            .with(reply.get())
            .with(match position {
                ReplyPosition::Reply => "reply",
                ReplyPosition::Gap => "gap",
                ReplyPosition::Nowhere => "nowhere",
            });
        let outcome: String = self.connection.query(place).await?;
        scripts::PLACE_REPLY.succeeded(&outcome, ["placed", "parent_deleted"])
    }

    /// Adds a reply to the newest replies to a person.
    pub async fn record_reply(&self, call: &Call, to: UserId, reply: StatusId) -> Result<()> {
        let record = scripts::RECORD_REPLY
            .on([keys::received_replies(to), keys::user(to)])
            .with(call.deadline())
            .with(reply.get())
            .with(self.config.limits.home_size);
        self.connection.query::<String>(record).await.map(drop)
    }

    /// Removes a dead reply from the replies to a person.
    pub async fn remove_received_reply(&self, to: UserId, reply: StatusId) -> Result<()> {
        let remove = redis::cmd("ZREM")
            .with(keys::received_replies(to))
            .with(reply.get());
        self.connection.query::<i64>(remove).await.map(drop)
    }

    /// Returns whether each reply is stored among those to the person, or is too old for that. One round
    /// trip.
    pub async fn are_replies_recorded(&self, pairs: &[(UserId, StatusId)]) -> Result<Vec<bool>> {
        let questions = pairs.iter().flat_map(|(to, reply)| {
            [
                redis::cmd("ZSCORE")
                    .with(keys::received_replies(*to))
                    .with(reply.get()),
                redis::cmd("HGET")
                    .with(keys::user(*to))
                    .with("dropped_reply"),
            ]
        });
        let answers = self.connection.batch(questions.collect()).await?;
        let mut answers = answers.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let recorded = pairs.iter().map(|(_, reply)| {
            let (score, dropped): (Option<f64>, Option<u64>) = (read(next())?, read(next())?);
            Ok(score.is_some() || dropped.is_some_and(|dropped| reply.get() <= dropped))
        });
        recorded.collect()
    }
}

fn read_thread(id: StatusId) -> redis::Cmd {
    redis::cmd("HGET").with(keys::status(id)).with("thread")
}

/// Returns the position of a status under a possible parent. The caller knows the parent of a tombstone
/// that has expired.
fn position_of(parent: StatusId, life: &Life, has_replies: bool) -> ReplyPosition {
    let is_reply_to = |to: Option<StatusRef>| to.is_some_and(|to| to.status == parent);
    match life {
        Life::Living(header) if is_reply_to(header.reply_to) => ReplyPosition::Reply,
        Life::Living(_) => ReplyPosition::Nowhere,
        Life::Dead(header) if !is_reply_to(header.reply_to) => ReplyPosition::Nowhere,
        Life::Dead(_) | Life::Absent if has_replies => ReplyPosition::Gap,
        Life::Dead(_) | Life::Absent => ReplyPosition::Nowhere,
    }
}
