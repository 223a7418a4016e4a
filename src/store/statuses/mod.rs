//! Single steps of posting and deleting, and reads of whether statuses are alive.

pub(super) mod edits;
pub(super) mod progress;
pub(super) mod status_row;
mod visible;

use super::{
    Actor, Call, Error, OutboxEntry, Result, Store, keys,
    redis::{
        connection::read,
        reply::outcomes,
        scripts::{self, With},
    },
};
use crate::domain::{
    Draft, FoldedTag, IdempotencyKey, Login, ProfileView, StatusHeader, StatusId, StatusRef, Thing,
    UserId,
};
use redis::Value;

/// Lifetime of a tombstone, in seconds. It outlives every idempotency key, so no retry revives a status.
pub(super) const TOMBSTONE_TTL_S: u64 = 48 * 3600;

/// Fields that tell whether a status is alive, and its header.
pub(super) const LIFE_FIELDS: &[&str] = &[
    "uid",
    "deleted",
    "reply_to",
    "repost_of",
    "tags",
    "untagged",
    "quote_of",
    "mentioned",
    "unmentioned",
];
/// Number of those fields, the first ones, that decide on which timelines a status belongs.
const TIMELINE_FIELD_COUNT: usize = 6;

/// The status that an idempotency key belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Draw {
    Id {
        id: StatusId,
        login: Login,
    },
    /// The key belongs to another text.
    Conflict,
    /// The author does not exist.
    UnknownAuthor,
}

outcomes! {
    pub enum Create {
        Created = "OK",
        /// An earlier call with the same key created it.
        Already = "already_created",
        /// An earlier call with the same key created it, and it was deleted since.
        Buried = "already_deleted",
        /// Another status has this id. Draw again.
        Taken = "taken",
    }
}

outcomes! {
    pub enum Bury {
        Buried = "deleted",
        Already = "already_deleted",
        /// It does not exist, or belongs to another author.
        NotYours = "not_yours",
    }
}

/// Whether a status is alive, with its header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Life {
    Living(StatusHeader),
    Dead(StatusHeader),
    Absent,
}

impl Life {
    /// Returns the header of a living status.
    #[must_use]
    pub fn living(self) -> Option<StatusHeader> {
        match self {
            Self::Living(header) => Some(header),
            Self::Dead(_) | Self::Absent => None,
        }
    }

    /// Returns the header, also of a deleted status. `None` if the status does not exist.
    #[must_use]
    pub fn header(self) -> Option<StatusHeader> {
        match self {
            Self::Living(header) | Self::Dead(header) => Some(header),
            Self::Absent => None,
        }
    }

    #[must_use]
    pub fn is_living(&self) -> bool {
        matches!(self, Self::Living(_))
    }
}

impl Store {
    /// Draws an id and binds the idempotency key to it. The id is above the author's last id and above
    /// the id of the status that the draft replies to or quotes, whatever the clocks say. `refused` is
    /// an id that this key was bound to and that another status had taken.
    pub async fn draw_status(
        &self,
        author: &Actor,
        draft: &Draft,
        idempotency_key: &IdempotencyKey,
        refused: Option<StatusId>,
    ) -> Result<Draw> {
        let draw = scripts::DRAW_STATUS
            .on([
                keys::user(author.id),
                keys::idempotency_key(author.id, idempotency_key),
                keys::auth(author.id),
            ])
            .with(draft.digest())
            .with(keys::IDEMPOTENCY_KEY_TTL_S)
            .with(rand::random_range(0..1_u32 << StatusId::RANDOM_BITS))
            .with(StatusId::EPOCH_MS)
            .with(refused.map_or(String::new(), |id| id.to_string()))
            .with(author.epoch())
            .with(draft.above());
        let answer: Vec<String> = self.connection.keep(draw).await?;
        drawn(&scripts::DRAW_STATUS, &answer)
    }

    /// Returns the status that the idempotency key of a draft became. `None` if it became none yet, or
    /// if the key belongs to something else.
    pub async fn posted_by(
        &self,
        author: UserId,
        draft: &Draft,
        idempotency_key: &IdempotencyKey,
    ) -> Result<Option<StatusId>> {
        let bound = redis::cmd("GET").with(keys::idempotency_key(author, idempotency_key));
        let bound: Option<String> = self.connection.query(bound).await?;
        let drawn = bound.as_deref().and_then(|bound| {
            let (id, digest) = bound.split_once(':')?;
            (digest == draft.digest()).then(|| id.parse().ok())?
        });
        Ok(match drawn {
            Some(id) if self.life(id).await? != Life::Absent => Some(id),
            _ => None,
        })
    }

    /// Writes the outbox entry, then creates the status, in two round trips. If the outbox entry cannot
    /// be written, nothing is created. The caller removes the entry when all is done or nothing was
    /// created.
    pub async fn create_status(
        &self,
        call: &Call,
        id: StatusId,
        author: (UserId, &Login),
        fields: &[(&'static str, String)],
        idempotency_key: &IdempotencyKey,
    ) -> Result<(Create, OutboxEntry)> {
        let outbox_entry = self.add_outbox_entry(&Thing::Status(id)).await?;
        let now = self.now().await?;
        let create = scripts::CREATE_STATUS
            .on([keys::status(id)])
            .with(call.deadline())
            .with(author.0.get())
            .with(idempotency_key.as_str())
            .with(&[("id", id.to_string()), ("login", author.1.to_string())])
            .with(&[("posted", now.0.to_string())])
            .with(fields);
        let reply: String = self.connection.keep(create).await?;
        let created = scripts::CREATE_STATUS.outcome(&reply)?;
        Ok((created, outbox_entry))
    }

    /// Creates a repost without a comment, like [`Self::create_status`]. The idempotency key follows
    /// from the id, so two calls with one id create the same status.
    pub async fn create_repost(
        &self,
        call: &Call,
        id: StatusId,
        author: (UserId, &Login),
        original: StatusRef,
    ) -> Result<(Create, OutboxEntry)> {
        let fields = [("repost_of", original.to_string())];
        let idempotency_key = IdempotencyKey::of(u128::from(id.get()));
        self.create_status(call, id, author, &fields, &idempotency_key)
            .await
    }

    /// Writes the outbox entry, then deletes the status, in two round trips. If the outbox entry cannot
    /// be written, the status is unchanged.
    pub async fn bury_status(
        &self,
        call: &Call,
        id: StatusId,
        by: UserId,
    ) -> Result<(Bury, OutboxEntry)> {
        let outbox_entry = self.add_outbox_entry(&Thing::Status(id)).await?;
        let now = self.now().await?;
        let bury = scripts::BURY_STATUS
            .on([
                keys::status(id),
                keys::favourited_by(id),
                keys::ballots(id),
                keys::versions(id),
            ])
            .with(call.deadline())
            .with(by.get())
            .with(now.0)
            .with(TOMBSTONE_TTL_S);
        let reply: String = self.connection.keep(bury).await?;
        let buried = scripts::BURY_STATUS.outcome(&reply)?;
        Ok((buried, outbox_entry))
    }

    /// Adds a status to its author's own home and profile, in this view of the profile and the wider
    /// ones.
    pub async fn file_status(
        &self,
        call: &Call,
        id: StatusId,
        author: UserId,
        view: ProfileView,
    ) -> Result<()> {
        let mut keys = vec![
            keys::profile(author),
            keys::user(author),
            keys::home(author),
            keys::active(author),
            keys::arrivals(author),
            keys::live(author),
        ];
        if view == ProfileView::Posts {
            keys.push(keys::posts(author));
        }
        let file = scripts::FILE_STATUS
            .on(keys)
            .with(call.deadline())
            .with(id.get())
            .with(self.config.limits.home_size);
        self.connection.query::<String>(file).await.map(drop)
    }

    /// Removes a dead status from its author's profile and home, with the notifications about it.
    pub async fn unfile_status(&self, id: StatusId, author: UserId) -> Result<()> {
        let unfile = scripts::UNFILE_STATUS
            .on([
                keys::profile(author),
                keys::user(author),
                keys::home(author),
                keys::arrivals(author),
                keys::live(author),
                keys::posts(author),
                keys::notifications(author),
            ])
            .with(id.get());
        self.connection.query::<String>(unfile).await.map(drop)
    }

    pub async fn life(&self, id: StatusId) -> Result<Life> {
        let lives = self.lives(&[id]).await?;
        Ok(lives.into_iter().next().unwrap_or(Life::Absent))
    }

    /// Returns for each status whether it is alive, with its header. One round trip.
    pub async fn lives(&self, ids: &[StatusId]) -> Result<Vec<Life>> {
        self.read_lives(ids, LIFE_FIELDS).await
    }

    /// Returns the same, but headers without quote and mentions, which timelines do not need.
    pub async fn lives_for_timelines(&self, ids: &[StatusId]) -> Result<Vec<Life>> {
        self.read_lives(ids, &LIFE_FIELDS[..TIMELINE_FIELD_COUNT])
            .await
    }

    async fn read_lives(&self, ids: &[StatusId], fields: &[&str]) -> Result<Vec<Life>> {
        let read_life = |id: &StatusId| redis::cmd("HMGET").with(keys::status(*id)).with(fields);
        let answers = self
            .connection
            .batch(ids.iter().map(read_life).collect())
            .await?;
        answers.into_iter().map(life).collect()
    }
}

/// Decodes the reply of a script that draws an id.
pub(super) fn drawn(script: &scripts::Script, answer: &[String]) -> Result<Draw> {
    match answer.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["conflict"] => Ok(Draw::Conflict),
        ["unknown_author"] => Ok(Draw::UnknownAuthor),
        ["session_ended"] => Err(Error::Ended),
        ["drawn", id, login] => match (id.parse(), Login::stored(login)) {
            (Ok(id), Some(login)) => Ok(Draw::Id { id, login }),
            _ => Err(script.undocumented(format!("{answer:?}"))),
        },
        _ => Err(script.undocumented(format!("{answer:?}"))),
    }
}

/// Decodes the [`LIFE_FIELDS`], or the first of them.
pub(super) fn life(answer: Value) -> Result<Life> {
    let mut fields = read::<Vec<Option<String>>>(answer)?.into_iter();
    let mut next = || fields.next().flatten();
    let (Some(uid), deleted) = (next(), next()) else {
        return Ok(Life::Absent);
    };
    let author = uid.parse().map_err(|_| Error::Unexpected {
        what: "a status",
        answer: uid,
    })?;
    let header = StatusHeader {
        author,
        reply_to: origin(next())?,
        repost_of: origin(next())?,
        tags: words(next(), FoldedTag::stored),
        untagged: words(next(), FoldedTag::stored),
        quote_of: origin(next())?,
        mentioned: words(next(), |id| id.parse().ok()),
        unmentioned: words(next(), |id| id.parse().ok()),
    };
    Ok(if deleted.is_some() {
        Life::Dead(header)
    } else {
        Life::Living(header)
    })
}

/// Parses a field of words separated by single blanks.
fn words<T>(field: Option<String>, parse: impl Fn(&str) -> Option<T>) -> Vec<T> {
    let field = field.unwrap_or_default();
    field.split(' ').filter_map(parse).collect()
}

/// Parses a field that refers to another status.
pub(super) fn origin(field: Option<String>) -> Result<Option<StatusRef>> {
    let Some(text) = field else {
        return Ok(None);
    };
    let origin = text.parse().map_err(|_| Error::Unexpected {
        what: "what a status is about",
        answer: text,
    })?;
    Ok(Some(origin))
}
