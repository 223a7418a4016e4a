//! Single steps on answers: where one stands under what it answers, in the slot of that, and among
//! the newest answers to a person.

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

/// A repost stands for what it reposts, and that is none itself.
const REPOSTS: usize = 2;

impl Store {
    /// What an answer to that status says of where it stands; one to a plain repost answers the
    /// original. `None` where the viewer may not see it.
    pub async fn answer_to(&self, viewer: Viewer, mut id: StatusId) -> Result<Option<Answer>> {
        for _ in 0..REPOSTS {
            let Some(status) = self.status(viewer, id).await? else {
                return Ok(None);
            };
            let fields = redis::cmd("HMGET")
                .with(keys::status(id))
                .with(&["thread", "reposts"]);
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

    /// What is above an answer, dead ones included as long as their tombstone stands. `None` of what
    /// answers nothing.
    pub async fn thread(&self, id: StatusId) -> Result<Option<Thread>> {
        let thread: Option<String> = self.connection.query(read_thread(id)).await?;
        Ok(thread.and_then(|thread| thread.parse().ok()))
    }

    /// What is above each of these, and whether they live. One trip.
    pub async fn threads(&self, ids: &[StatusId]) -> Result<Vec<Option<Thread>>> {
        let reads = ids.iter().map(|id| read_thread(*id)).collect();
        let answers = self.connection.batch(reads).await?.into_iter();
        let thread = |answer| {
            let thread: Option<String> = read(answer)?;
            Ok(thread.and_then(|thread| thread.parse().ok()))
        };
        answers.map(thread).collect()
    }

    /// How each of these statuses should stand under the one before it. One trip.
    pub async fn where_due(&self, pairs: &[(StatusId, StatusId)]) -> Result<Vec<Stand>> {
        let questions = pairs.iter().flat_map(|(_, answer)| {
            [
                redis::cmd("HMGET")
                    .with(keys::status(*answer))
                    .with(LIFE_FIELDS),
                redis::cmd("EXISTS")
                    .with(keys::answers(*answer))
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

    /// How each of these answers to a status stands there now. One trip.
    pub async fn where_placed(&self, pairs: &[(StatusId, StatusId)]) -> Result<Vec<Stand>> {
        let score = |key: String, id: &StatusId| redis::cmd("ZSCORE").with(key).with(id.get());
        let questions = pairs.iter().flat_map(|(answered, answer)| {
            [
                score(keys::answers(*answered), answer),
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

    /// Puts an answer where it belongs under what it answers, and counts there. Says whether the one
    /// answered lives.
    pub async fn place_answer(
        &self,
        call: &Call,
        answered: StatusId,
        answer: StatusId,
        stand: Stand,
    ) -> Result<bool> {
        let place = scripts::PLACE_ANSWER
            .on([
                keys::answers(answered),
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
        match self.connection.query::<i64>(place).await? {
            1 => Ok(true),
            0 => Ok(false),
            code => Err(scripts::PLACE_ANSWER.undocumented(code)),
        }
    }

    /// Keeps an answer among the newest ones to a person.
    pub async fn note_answer(&self, call: &Call, to: UserId, answer: StatusId) -> Result<()> {
        let note = scripts::NOTE_ANSWER
            .on([keys::answered(to), keys::user(to)])
            .with(call.deadline())
            .with(answer.get())
            .with(self.config.limits.home_size);
        self.connection.query::<i64>(note).await.map(drop)
    }

    /// Takes a dead answer out of those to a person.
    pub async fn forget_answer(&self, to: UserId, answer: StatusId) -> Result<()> {
        let forget = redis::cmd("ZREM")
            .with(keys::answered(to))
            .with(answer.get());
        self.connection.query::<i64>(forget).await.map(drop)
    }

    /// Whether each of these answers is kept among those to that person, or too old to be. One trip.
    pub async fn are_noted(&self, pairs: &[(UserId, StatusId)]) -> Result<Vec<bool>> {
        let questions = pairs.iter().flat_map(|(to, answer)| {
            [
                redis::cmd("ZSCORE")
                    .with(keys::answered(*to))
                    .with(answer.get()),
                redis::cmd("HGET").with(keys::user(*to)).with("answered"),
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

/// How a status stands under one that it may answer. What was answered by a tombstone that has ended,
/// whoever asks knows.
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
