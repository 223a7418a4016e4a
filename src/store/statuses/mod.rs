//! Single steps of posting and deleting, and whether a status lives.

pub(super) mod edits;
pub(super) mod progress;
pub(super) mod status_row;
mod visible;

use super::{
    Actor, Call, Error, OutboxEntry, Result, Store, keys,
    redis::{
        connection::read,
        scripts::{self, With},
    },
};
use crate::domain::{
    Draft, FoldedTag, IdempotencyKey, Login, ProfileView, StatusHeader, StatusId, StatusRef, Thing,
    UserId,
};
use redis::Value;

/// How long a form's nonce is remembered.
pub(super) const IDEMPOTENCY_KEY_TTL_S: u64 = 12 * 3600;
/// How long a tombstone stands: longer than any nonce, so that no retry brings a status back.
pub(super) const TOMBSTONE_TTL_S: u64 = 48 * 3600;

/// By which it is known whether a status lives, and where it comes from.
pub(super) const LIFE_FIELDS: &[&str] = &[
    "uid",
    "deleted",
    "answers",
    "reposts",
    "quotes",
    "tags",
    "mentioned",
    "untagged",
    "unmentioned",
];

/// What a form's nonce stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Draw {
    Id {
        id: StatusId,
        login: Login,
    },
    /// The nonce is bound to another text.
    Conflict,
    /// There is no such author.
    UnknownAuthor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Create {
    Created,
    /// By an earlier call with the same nonce.
    Already,
    /// By an earlier call with the same nonce, and deleted since.
    Buried,
    /// Another status has this id: draw again.
    Taken,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bury {
    Buried,
    Already,
    /// Not there, or another's.
    NotYours,
}

/// Whether a status lives, and where it comes or came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Life {
    Living(StatusHeader),
    Dead(StatusHeader),
    Absent,
}

impl Life {
    /// Where a living one comes from.
    #[must_use]
    pub fn living(self) -> Option<StatusHeader> {
        match self {
            Self::Living(header) => Some(header),
            Self::Dead(_) | Self::Absent => None,
        }
    }

    /// Where it comes or came from; `None` of one that is not there.
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
    /// Draws an id above the author's last, and above that of what the draft answers or quotes, whatever
    /// clocks say, and binds the nonce to it. `refused` is an id that the
    /// nonce was bound to and that turned out to be taken.
    ///
    /// # Errors
    /// `Ended` where the author asks by a session that is over.
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
            .with(IDEMPOTENCY_KEY_TTL_S)
            .with(rand::random_range(0..1_u32 << StatusId::RANDOM_BITS))
            .with(StatusId::EPOCH_MS)
            .with(refused.map_or(String::new(), |id| id.to_string()))
            .with(author.epoch())
            .with(draft.above());
        let answer: Vec<String> = self.connection.keep(draw).await?;
        drawn(&scripts::DRAW_STATUS, &answer)
    }

    /// The status that the nonce of a draft became; `None` where it has become none yet, or is bound to
    /// something else.
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

    /// Reminds, then creates. A reminder that could not be left leaves the truth alone, so this
    /// takes two trips. The caller forgets the reminder when all is done, or when nothing was created.
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
        let created = match self.connection.keep::<i64>(create).await? {
            1 => Create::Created,
            0 => Create::Already,
            2 => Create::Buried,
            -1 => Create::Taken,
            code => return Err(scripts::CREATE_STATUS.undocumented(code)),
        };
        Ok((created, outbox_entry))
    }

    /// The same for a repost without a word of somebody's own. Whoever makes the one with this id
    /// makes the same: its nonce follows from the id.
    pub async fn create_repost(
        &self,
        call: &Call,
        id: StatusId,
        author: (UserId, &Login),
        original: StatusRef,
    ) -> Result<(Create, OutboxEntry)> {
        let fields = [("reposts", original.to_string())];
        let idempotency_key = IdempotencyKey::of(u128::from(id.get()));
        self.create_status(call, id, author, &fields, &idempotency_key)
            .await
    }

    /// Reminds, then buries. A reminder that could not be left leaves the truth alone, so this
    /// takes two trips.
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
        let buried = match self.connection.keep::<i64>(bury).await? {
            1 => Bury::Buried,
            2 => Bury::Already,
            0 => Bury::NotYours,
            code => return Err(scripts::BURY_STATUS.undocumented(code)),
        };
        Ok((buried, outbox_entry))
    }

    /// Puts a status on its author's profile, from that view of it on, and on their own home.
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
        self.connection.query::<i64>(file).await.map(drop)
    }

    /// Takes a dead status off its author's profile and own home, and what they were told about it.
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
        self.connection.query::<i64>(unfile).await.map(drop)
    }

    pub async fn life(&self, id: StatusId) -> Result<Life> {
        let lives = self.lives(&[id]).await?;
        Ok(lives.into_iter().next().unwrap_or(Life::Absent))
    }

    /// Whether each of these statuses lives, and where it comes or came from. One trip.
    pub async fn lives(&self, ids: &[StatusId]) -> Result<Vec<Life>> {
        let read_life = |id: &StatusId| {
            redis::cmd("HMGET")
                .with(keys::status(*id))
                .with(LIFE_FIELDS)
        };
        let answers = self
            .connection
            .batch(ids.iter().map(read_life).collect())
            .await?;
        answers.into_iter().map(life).collect()
    }
}

/// The answer of a script that draws an id.
pub(super) fn drawn(script: &scripts::Script, answer: &[String]) -> Result<Draw> {
    match answer.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["conflict"] => Ok(Draw::Conflict),
        ["unknown"] => Ok(Draw::UnknownAuthor),
        ["ended"] => Err(Error::Ended),
        [id, login] => match (id.parse(), Login::stored(login)) {
            (Ok(id), Some(login)) => Ok(Draw::Id { id, login }),
            _ => Err(script.undocumented(format!("{answer:?}"))),
        },
        _ => Err(script.undocumented(format!("{answer:?}"))),
    }
}

pub(super) fn life(answer: Value) -> Result<Life> {
    let [
        uid,
        deleted,
        answers,
        reposts,
        quotes,
        tags,
        mentioned,
        untagged,
        unmentioned,
    ]: [Option<String>; 9] = read(answer)?;
    let Some(uid) = uid else {
        return Ok(Life::Absent);
    };
    let author = uid.parse().map_err(|_| Error::Unexpected {
        what: "a status",
        answer: uid,
    })?;
    let header = StatusHeader {
        author,
        reply_to: origin(answers)?,
        repost_of: origin(reposts)?,
        quote_of: origin(quotes)?,
        tags: words(tags, FoldedTag::stored),
        mentioned: words(mentioned, |id| id.parse().ok()),
        untagged: words(untagged, FoldedTag::stored),
        unmentioned: words(unmentioned, |id| id.parse().ok()),
    };
    Ok(if deleted.is_some() {
        Life::Dead(header)
    } else {
        Life::Living(header)
    })
}

/// What stands in a field, one blank between them.
fn words<T>(field: Option<String>, parse: impl Fn(&str) -> Option<T>) -> Vec<T> {
    let field = field.unwrap_or_default();
    field.split(' ').filter_map(parse).collect()
}

/// What a status names as the one that it is about.
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
