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
use crate::domain::{Answer, Stand, StatusId, StatusRef, Thread, UserId};

/// A repost is resolved to its original, which is never a repost.
const REPOSTS: usize = 2;

impl Store {
    /// Returns the thread of a reply to this status. A reply to a plain repost belongs to the original.
    /// `None` if the viewer may not see the status.
    pub async fn answer_to(&self, viewer: Viewer, mut id: StatusId) -> Result<Option<Answer>> {
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
            return Ok(Some(Answer {
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
    pub async fn where_due(&self, pairs: &[(StatusId, StatusId)]) -> Result<Vec<Stand>> {
        let questions = pairs.iter().flat_map(|(_, answer)| {
            [
                redis::cmd("HMGET")
                    .with(keys::status(*answer))
                    .with(LIFE_FIELDS),
                redis::cmd("EXISTS")
                    .with(keys::replies(*answer))
                    .with(keys::gaps(*answer)),
            ]
        });
        let answers = self.connection.batch(questions.collect()).await?;
        let mut answers = answers.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let stands = pairs.iter().map(|(answered, _)| {
            let (life, below) = (statuses::life(next())?, read::<u64>(next())?);
            Ok(stand(*answered, &life, below > 0))
        });
        stands.collect()
    }

    /// Returns the position that each reply has under its parent now. One round trip.
    pub async fn where_placed(&self, pairs: &[(StatusId, StatusId)]) -> Result<Vec<Stand>> {
        let score = |key: String, id: &StatusId| redis::cmd("ZSCORE").with(key).with(id.get());
        let questions = pairs.iter().flat_map(|(answered, answer)| {
            [
                score(keys::replies(*answered), answer),
                score(keys::gaps(*answered), answer),
            ]
        });
        let answers = self.connection.batch(questions.collect()).await?;
        let mut answers = answers.into_iter();
        let mut next = || read::<Option<f64>>(answers.next().unwrap_or(Value::Nil));
        let mut placed = Vec::with_capacity(pairs.len());
        for _ in pairs {
            placed.push(match (next()?, next()?) {
                (Some(_), _) => Stand::Answer,
                (None, Some(_)) => Stand::Gap,
                (None, None) => Stand::Nowhere,
            });
        }
        Ok(placed)
    }

    /// Puts a reply into its right position under the parent and updates the counts. Returns whether the
    /// parent is alive.
    pub async fn place_answer(
        &self,
        call: &Call,
        answered: StatusId,
        answer: StatusId,
        stand: Stand,
    ) -> Result<bool> {
        let place = scripts::PLACE_ANSWER
            .on([
                keys::replies(answered),
                keys::gaps(answered),
                keys::status(answered),
            ])
            .with(call.deadline())
            .with(answer.get())
            .with(match stand {
                Stand::Answer => "answer",
                Stand::Gap => "gap",
                Stand::Nowhere => "nowhere",
            });
        let reply: String = self.connection.query(place).await?;
        scripts::PLACE_ANSWER.succeeded(&reply, ["placed", "parent_deleted"])
    }

    /// Adds a reply to the newest replies to a person.
    pub async fn note_answer(&self, call: &Call, to: UserId, answer: StatusId) -> Result<()> {
        let note = scripts::NOTE_ANSWER
            .on([keys::received_replies(to), keys::user(to)])
            .with(call.deadline())
            .with(answer.get())
            .with(self.config.limits.home_size);
        self.connection.query::<String>(note).await.map(drop)
    }

    /// Removes a dead reply from the replies to a person.
    pub async fn forget_answer(&self, to: UserId, answer: StatusId) -> Result<()> {
        let forget = redis::cmd("ZREM")
            .with(keys::received_replies(to))
            .with(answer.get());
        self.connection.query::<i64>(forget).await.map(drop)
    }

    /// Returns whether each reply is stored among those to the person, or is too old for that. One round
    /// trip.
    pub async fn are_noted(&self, pairs: &[(UserId, StatusId)]) -> Result<Vec<bool>> {
        let questions = pairs.iter().flat_map(|(to, answer)| {
            [
                redis::cmd("ZSCORE")
                    .with(keys::received_replies(*to))
                    .with(answer.get()),
                redis::cmd("HGET")
                    .with(keys::user(*to))
                    .with("dropped_reply"),
            ]
        });
        let answers = self.connection.batch(questions.collect()).await?;
        let mut answers = answers.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let noted = pairs.iter().map(|(_, answer)| {
            let (score, dropped): (Option<f64>, Option<u64>) = (read(next())?, read(next())?);
            Ok(score.is_some() || dropped.is_some_and(|dropped| answer.get() <= dropped))
        });
        noted.collect()
    }
}

fn read_thread(id: StatusId) -> redis::Cmd {
    redis::cmd("HGET").with(keys::status(id)).with("thread")
}

/// Returns the position of a status under a possible parent. The caller knows the parent of a tombstone
/// that has expired.
fn stand(answered: StatusId, life: &Life, is_answered: bool) -> Stand {
    let answers = |to: Option<StatusRef>| to.is_some_and(|to| to.status == answered);
    match life {
        Life::Living(come) if answers(come.reply_to) => Stand::Answer,
        Life::Living(_) => Stand::Nowhere,
        Life::Dead(came) if !answers(came.reply_to) => Stand::Nowhere,
        Life::Dead(_) | Life::Absent if is_answered => Stand::Gap,
        Life::Dead(_) | Life::Absent => Stand::Nowhere,
    }
}
