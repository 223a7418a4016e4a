//! Single steps on replies: the position of a reply under its parent, in the parent's slot, and among
//! the newest replies to a person.

pub(super) mod conversations;

use super::{
    Life,
    prelude::*,
    statuses::{self, LIFE_FIELDS, TOMBSTONE_TTL_S},
};
use crate::domain::{ReplyPosition, ReplyTarget, Thread};

script_calls! {
    PlaceReply = "place_reply"(
        replies, gaps, parent;
        deadline_ms: u64, reply_id: u64, place: &'static str, tombstone_ttl_s: u64
    );
    RecordReply = "record_reply"(
        received_replies, user;
        deadline_ms: u64, reply_id: u64, max_replies: usize
    );
}

outcomes! {
    /// The state under the parent when a reply was put there.
    pub enum PlacedReply {
        ParentAlive = "placed",
        ParentDeleted = "parent_deleted",
        /// The parent is deleted. It has replies or gaps as before, or none as before.
        TombstoneUnchanged = "tombstone_unchanged",
    }
}

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
            let fields = redis::cmd("HMGET").with((keys::status(id), "thread", "repost_of"));
            let fields = fields.with("root_author");
            let (thread, reposts, root_author): (Option<String>, _, Option<String>) =
                self.connection.query(fields).await?;
            if let Some(original) = statuses::origin(reposts)? {
                id = original.status;
                continue;
            }
            let thread = thread.and_then(|thread| thread.parse::<Thread>().ok());
            let author = status.author().id;
            let root_author = match (&thread, root_author) {
                (None, _) => author,
                (Some(_), Some(known)) => known.parse().unwrap_or(author),
                (Some(thread), None) => self.author_of(thread.root).await?.unwrap_or(author),
            };
            return Ok(Some(ReplyTarget {
                root_author,
                to: StatusRef {
                    status: id,
                    author: status.author().id,
                },
                thread: Thread::below(id, thread.as_ref()),
                widest: status.visibility(),
                followed: status.followed,
                may_reply: status.may_reply(),
                group: status.row.group,
                own_readers: status.row.readers,
            }));
        }
        Ok(None)
    }

    /// Returns the author of a status, also of a deleted one.
    pub async fn author_of(&self, id: StatusId) -> Result<Option<UserId>> {
        let read = redis::cmd("HGET").with((keys::status(id), "uid"));
        let uid: Option<u64> = self.connection.query(read).await?;
        Ok(uid.and_then(|uid| UserId::new(uid).ok()))
    }

    /// Returns the ancestors of a reply. A dead reply has them while it has replies, and until its
    /// tombstone expires. `None` if it is not a reply.
    pub async fn thread(&self, id: StatusId) -> Result<Option<Thread>> {
        Ok(self.threads(&[id]).await?.pop().flatten())
    }

    /// Returns the ancestors of each status, and whether the statuses are alive. One round trip.
    pub async fn threads(&self, ids: &[StatusId]) -> Result<Vec<Option<Thread>>> {
        let reads = ids
            .iter()
            .map(|id| redis::cmd("HGET").with((keys::status(*id), "thread")));
        let threads: Vec<Option<String>> = self.connection.query_each(reads).await?;
        let parse = |thread: Option<String>| thread?.parse().ok();
        Ok(threads.into_iter().map(parse).collect())
    }

    /// Returns the position that each status should have under its parent. One round trip.
    pub async fn expected_positions(
        &self,
        pairs: &[(StatusId, StatusId)],
    ) -> Result<Vec<ReplyPosition>> {
        let questions = pairs.iter().map(|(_, reply)| {
            [
                redis::cmd("HMGET").with((keys::status(*reply), LIFE_FIELDS)),
                redis::cmd("EXISTS").with((keys::replies(*reply), keys::gaps(*reply))),
            ]
        });
        let answers: Vec<(Value, u64)> = self.connection.query_tuples(questions).await?;
        let position = |((parent, _), (life, below)): (&(StatusId, StatusId), _)| {
            Ok(position_of(*parent, &statuses::life(life)?, below > 0_u64))
        };
        pairs.iter().zip(answers).map(position).collect()
    }

    /// Returns the position that each reply has under its parent now. One round trip.
    pub async fn stored_positions(
        &self,
        pairs: &[(StatusId, StatusId)],
    ) -> Result<Vec<ReplyPosition>> {
        let score = |key: String, id: &StatusId| redis::cmd("ZSCORE").with((key, id.get()));
        let questions = pairs.iter().map(|(parent, reply)| {
            [
                score(keys::replies(*parent), reply),
                score(keys::gaps(*parent), reply),
            ]
        });
        let scores: Vec<(Option<f64>, Option<f64>)> =
            self.connection.query_tuples(questions).await?;
        let position = |scores| match scores {
            (Some(_), _) => ReplyPosition::Reply,
            (None, Some(_)) => ReplyPosition::Gap,
            (None, None) => ReplyPosition::Nowhere,
        };
        Ok(scores.into_iter().map(position).collect())
    }

    /// Puts a reply into its right position under the parent and updates the counts.
    pub async fn place_reply(
        &self,
        call: &Call,
        parent: StatusId,
        reply: StatusId,
        position: ReplyPosition,
    ) -> Result<PlacedReply> {
        let place = PlaceReply {
            replies: keys::replies(parent),
            gaps: keys::gaps(parent),
            parent: keys::status(parent),
            deadline_ms: call.deadline(),
            reply_id: reply.get(),
            place: match position {
                ReplyPosition::Reply => "reply",
                ReplyPosition::Gap => "gap",
                ReplyPosition::Nowhere => "nowhere",
            },
            tombstone_ttl_s: TOMBSTONE_TTL_S,
        };
        self.connection.run(&place).await
    }

    /// Adds a reply to the newest replies to a person.
    pub async fn record_reply(&self, call: &Call, to: UserId, reply: StatusId) -> Result<()> {
        let record = RecordReply {
            received_replies: keys::received_replies(to),
            user: keys::user(to),
            deadline_ms: call.deadline(),
            reply_id: reply.get(),
            max_replies: self.config.limits.home_size,
        };
        self.connection.execute(record.command()).await
    }

    pub async fn remove_received_reply(&self, to: UserId, reply: StatusId) -> Result<()> {
        let remove = redis::cmd("ZREM").with((keys::received_replies(to), reply.get()));
        self.connection.execute(remove).await
    }

    /// Returns whether each reply is stored among those to the person, or is too old for that. One round
    /// trip.
    pub async fn are_replies_recorded(&self, pairs: &[(UserId, StatusId)]) -> Result<Vec<bool>> {
        let questions = pairs.iter().map(|(to, reply)| {
            [
                redis::cmd("ZSCORE").with((keys::received_replies(*to), reply.get())),
                redis::cmd("HGET").with((keys::user(*to), "dropped_reply")),
            ]
        });
        let answers: Vec<(Option<f64>, Option<u64>)> =
            self.connection.query_tuples(questions).await?;
        let recorded = pairs.iter().zip(answers);
        let recorded = recorded.map(|((_, reply), (score, dropped))| {
            score.is_some() || dropped.is_some_and(|dropped| reply.get() <= dropped)
        });
        Ok(recorded.collect())
    }
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
