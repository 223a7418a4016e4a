//! Single steps of posting and deleting, and reads of whether statuses are alive.

pub(super) mod calls;
pub(super) mod edits;
pub(super) mod folded_texts;
pub(super) mod form_keys;
mod gathered;
pub(super) mod post_bytes;
pub(super) mod profile_pages;
pub(super) mod progress;
pub(super) mod status_row;
pub(super) mod tombstones;
pub(super) mod visible;

use super::{prelude::*, redis::scripts::Script};
use crate::domain::{BASE_POST_BYTES, Draft, IdempotencyKey, ProfileView, Readers, extra_bytes_of};

/// Lifetime of a tombstone without replies, in seconds. It outlives every idempotency key, so no retry
/// revives a status.
pub(super) const TOMBSTONE_TTL_S: u64 = 48 * 3600;

/// Fields that tell whether a status is alive, and its header.
pub(super) const LIFE_FIELDS: &[&str] = &[
    "uid",
    "deleted",
    "reply_to",
    "repost_of",
    "tags",
    "untagged",
    "readers",
    "group",
    "quote_of",
    "mentioned",
    "unmentioned",
    "extra_bytes",
    "detached_from",
    "over_share",
    "waiting",
];
/// Number of those fields, the first ones, that decide on which timelines a status belongs.
const TIMELINE_FIELD_COUNT: usize = 8;

/// The status that an idempotency key belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Draw {
    Id {
        id: StatusId,
        login: Login,
        /// The account of the author is private.
        is_private: bool,
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
        /// An earlier call with the same key created it, and it was edited since.
        Edited = "already_edited",
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

/// The place of a status with its author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filing {
    pub author: UserId,
    /// The narrowest view of the profile that shows it.
    pub view: ProfileView,
    /// Bytes beyond the base that it counts as.
    pub extra_bytes: u64,
}

impl From<&StatusHeader> for Filing {
    fn from(status: &StatusHeader) -> Self {
        Self {
            author: status.author,
            view: status.view(),
            extra_bytes: status.extra_bytes,
        }
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
    pub fn living(self) -> Option<StatusHeader> {
        match self {
            Self::Living(header) => Some(header),
            Self::Dead(_) | Self::Absent => None,
        }
    }

    /// Returns the header, also of a deleted status. `None` if the status does not exist.
    pub fn header(self) -> Option<StatusHeader> {
        match self {
            Self::Living(header) | Self::Dead(header) => Some(header),
            Self::Absent => None,
        }
    }

    pub fn is_living(&self) -> bool {
        matches!(self, Self::Living(_))
    }
}

impl Store {
    /// Draws an id and binds the idempotency key to it, and remembers the visibility of a post for the composer. The
    /// id is above the author's last id and above the id of the status that the draft replies to or quotes, even if
    /// the clocks differ. `refused` is an id that this key was bound to and that another status had taken. The id has room
    /// in the quota of the author until it is filed, or for a minute.
    pub async fn draw_status(
        &self,
        author: &Actor,
        draft: &Draft,
        idempotency_key: &IdempotencyKey,
        refused: Option<StatusId>,
    ) -> Result<Draw> {
        let draw = calls::DrawStatus {
            user: keys::user(author.id),
            idempotency_key: keys::idempotency_key(author.id, idempotency_key),
            auth: keys::auth(author.id),
            digest: draft.digest(),
            key_ttl_s: keys::IDEMPOTENCY_KEY_TTL_S,
            random_bits: rand::random_range(0..1_u32 << StatusId::RANDOM_BITS),
            epoch_ms: StatusId::EPOCH_MS,
            refused_id: refused.map_or(String::new(), |id| id.to_string()),
            session_epoch: author.epoch().to_owned(),
            above: draft.above(),
            profile: keys::profile(author.id),
            post_bytes: keys::post_bytes(author.id),
            extra_bytes: extra_bytes_of(draft),
            base_bytes: BASE_POST_BYTES,
            quota_bytes: self.post_quota(author.id).await?,
            visibility: match (draft.reply_to, draft.group) {
                (None, None) => draft.visibility.as_str(),
                _ => "",
            },
            age_ms: author.age_ms(),
        };
        let reply: Vec<String> = self.connection.write_durably(draw.command()).await?;
        drawn(calls::DrawStatus::SCRIPT, &reply)
    }

    /// Writes the outbox entry, then creates the status, in two round trips. If the outbox entry cannot
    /// be written, nothing is created. The caller removes the entry when all is done or nothing was
    /// created.
    pub async fn create_status(
        &self,
        call: &Call,
        id: StatusId,
        (author, login): (&Actor, &Login),
        fields: &[(&'static str, String)],
        idempotency_key: &IdempotencyKey,
    ) -> Result<(Create, OutboxEntry)> {
        let outbox_entry = self.add_outbox_entry(&Thing::Status(id)).await?;
        let posted_ms = self.now().await?.0.saturating_sub(author.age_ms());
        let general = [
            ("id", id.to_string()),
            ("login", login.to_string()),
            ("posted", posted_ms.to_string()),
        ];
        let create = calls::CreateStatus {
            status: keys::status(id),
            deadline_ms: call.deadline(),
            author_id: author.id.get(),
            idempotency_key: idempotency_key.as_str().to_owned(),
            fields: [&general[..], fields].concat(),
        };
        let created = self.connection.run_durably(&create).await?;
        Ok((created, outbox_entry))
    }

    /// Creates a repost without a comment, like [`Self::create_status`]. The idempotency key follows
    /// from the id, so two calls with one id create the same status.
    pub async fn create_repost(
        &self,
        call: &Call,
        id: StatusId,
        author: (&Actor, &Login),
        original: StatusRef,
        readers: Readers,
    ) -> Result<(Create, OutboxEntry)> {
        let mut fields = vec![("repost_of", original.to_string())];
        fields.extend(readers.field());
        let idempotency_key = IdempotencyKey::of(u128::from(id.get()));
        self.create_status(call, id, author, &fields, &idempotency_key)
            .await
    }

    /// Adds a status to its author's own home and profile, in this view of the profile and the wider
    /// ones, and counts its bytes.
    pub async fn file_status(&self, call: &Call, id: StatusId, filing: Filing) -> Result<()> {
        let author = filing.author;
        let file = calls::FileStatus {
            profile: keys::profile(author),
            user: keys::user(author),
            home: keys::home(author),
            active_mark: keys::active(author),
            arrivals: keys::arrivals(author),
            channel: keys::live(author),
            post_bytes: keys::post_bytes(author),
            posts: (filing.view == ProfileView::Posts).then(|| keys::posts(author)),
            deadline_ms: call.deadline(),
            status_id: id.get(),
            home_size: self.config.limits.home_size,
            extra_bytes: filing.extra_bytes,
        };
        self.connection.execute(file.command()).await?;
        self.activity.count_post();
        Ok(())
    }

    /// Removes a dead status from its author's profile and home, with the notifications about it.
    pub async fn unfile_status(&self, id: StatusId, author: UserId) -> Result<()> {
        let unfile = calls::UnfileStatus {
            profile: keys::profile(author),
            user: keys::user(author),
            home: keys::home(author),
            arrivals: keys::arrivals(author),
            channel: keys::live(author),
            posts: keys::posts(author),
            notifications: keys::notifications(author),
            post_bytes: keys::post_bytes(author),
            status_id: id.get(),
        };
        self.connection.execute(unfile.command()).await
    }

    pub async fn life(&self, id: StatusId) -> Result<Life> {
        let lives = self.lives(&[id]).await?;
        Ok(lives.into_iter().next().unwrap_or(Life::Absent))
    }

    /// Returns for each status whether it is alive, with its header. One round trip.
    pub async fn lives(&self, ids: &[StatusId]) -> Result<Vec<Life>> {
        let replies = self.read_lives(ids, LIFE_FIELDS).await?;
        replies.into_iter().map(life).collect()
    }

    /// Returns the same, but headers without quote and mentions, which timelines do not need.
    pub async fn lives_for_timelines(&self, ids: &[StatusId]) -> Result<Vec<Life>> {
        let lives = self.lives_with_bytes(ids).await?.into_iter();
        Ok(lives.map(|(life, _)| life).collect())
    }

    /// Returns the same, with the bytes of each reply.
    pub(in crate::store) async fn lives_with_bytes(
        &self,
        ids: &[StatusId],
    ) -> Result<Vec<(Life, usize)>> {
        let fields = &LIFE_FIELDS[..TIMELINE_FIELD_COUNT];
        let replies = self.read_lives(ids, fields).await?.into_iter();
        let life_with_bytes = |reply: Value| {
            let bytes = byte_count(&reply);
            Ok((life(reply)?, bytes))
        };
        replies.map(life_with_bytes).collect()
    }

    async fn read_lives(&self, ids: &[StatusId], fields: &[&str]) -> Result<Vec<Value>> {
        let read_life = |id: &StatusId| redis::cmd("HMGET").with((keys::status(*id), fields));
        let reads = ids.iter().map(read_life).collect();
        self.connection.batch(reads).await
    }
}

/// Decodes the reply of a script that draws an id.
pub(super) fn drawn(script: &Script, reply: &[String]) -> Result<Draw> {
    match reply.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["conflict"] => Ok(Draw::Conflict),
        ["unknown_author"] => Ok(Draw::UnknownAuthor),
        ["session_ended"] => Err(Error::Ended),
        ["over_quota"] => Err(Error::OverQuota),
        ["drawn", id, login, ref private @ ..] => match (id.parse(), Login::stored(login)) {
            (Ok(id), Some(login)) => Ok(Draw::Id {
                id,
                login,
                is_private: !private.is_empty(),
            }),
            _ => Err(script.undocumented(format!("{reply:?}"))),
        },
        _ => Err(script.undocumented(format!("{reply:?}"))),
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
        readers: readers(next(), author),
        group: next().and_then(|group| group.parse().ok()),
        quote_of: origin(next())?,
        mentioned: words(next(), |id| id.parse().ok()),
        unmentioned: words(next(), |id| id.parse().ok()),
        extra_bytes: next()
            .and_then(|bytes| bytes.parse().ok())
            .unwrap_or_default(),
        detached_from: origin(next())?,
        is_over_share: next().is_some(),
        waiting_since: next().and_then(|revision| revision.parse().ok()),
    };
    Ok(if deleted.is_some() {
        Life::Dead(header)
    } else {
        Life::Living(header)
    })
}

/// Parses the readers of a status by this author. An unknown text means its author's followers.
pub(super) fn readers(field: Option<String>, author: UserId) -> Readers {
    field.map_or(Readers::Everyone, |text| {
        text.parse().unwrap_or(Readers::FollowersOf(author))
    })
}

/// Parses a field of words separated by single blanks.
pub(super) fn words<T>(field: Option<String>, parse: impl Fn(&str) -> Option<T>) -> Vec<T> {
    let field = field.unwrap_or_default();
    field.split(' ').filter_map(parse).collect()
}

/// Parses a field that refers to another status.
pub(super) fn origin(field: Option<String>) -> Result<Option<StatusRef>> {
    let Some(text) = field else {
        return Ok(None);
    };
    let origin = text.parse().map_err(|_| Error::Unexpected {
        what: "a reference of a status",
        answer: text,
    })?;
    Ok(Some(origin))
}
