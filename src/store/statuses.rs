//! Single steps of posting and deleting, and the one function by which a status reaches a page.

use std::collections::HashMap;

use redis::Value;
use sha2::{Digest, Sha256};

use super::{
    Actor, Author, Call, Error, Reminder, Result, Store, UnixMs, Viewer, VisibleStatus,
    connection::read,
    keys,
    paging::PageInProgress,
    scripts::{self, With},
};
use crate::domain::{Cursor, Login, Message, Nonce, Page, StatusId, Thing, UserId};

/// How long a form's nonce is remembered.
pub(super) const NONCE_TTL_S: u64 = 12 * 3600;
/// How long a tombstone stands: longer than any nonce, so that no retry brings a status back.
pub(super) const TOMBSTONE_TTL_S: u64 = 48 * 3600;

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

/// Whether a status lives, and whose it is or was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    Living(UserId),
    Dead(UserId),
    Absent,
}

impl Store {
    /// Draws an id above the author's last and binds the nonce to it. `refused` is an id that the
    /// nonce was bound to and that turned out to be taken.
    ///
    /// # Errors
    /// `Ended` where the author asks by a session that is over.
    pub async fn draw_status(
        &self,
        author: &Actor,
        message: &Message,
        nonce: &Nonce,
        refused: Option<StatusId>,
    ) -> Result<Draw> {
        let digest: String = Sha256::digest(message.as_str())
            .iter()
            .take(16)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let draw = scripts::DRAW_STATUS
            .on([
                keys::user(author.id),
                keys::nonce(author.id, nonce),
                keys::auth(author.id),
            ])
            .with(digest)
            .with(NONCE_TTL_S)
            .with(rand::random_range(0..1_u32 << StatusId::RANDOM_BITS))
            .with(StatusId::EPOCH_MS)
            .with(refused.map_or(String::new(), |id| id.to_string()))
            .with(author.epoch());
        let answer: Vec<String> = self.connection.keep(draw).await?;
        match answer.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["conflict"] => Ok(Draw::Conflict),
            ["unknown"] => Ok(Draw::UnknownAuthor),
            ["ended"] => Err(Error::Ended),
            [id, login] => match (id.parse(), Login::stored(login)) {
                (Ok(id), Some(login)) => Ok(Draw::Id { id, login }),
                _ => Err(scripts::DRAW_STATUS.undocumented(format!("{answer:?}"))),
            },
            _ => Err(scripts::DRAW_STATUS.undocumented(format!("{answer:?}"))),
        }
    }

    /// Reminds, then creates. A reminder that could not be left leaves the truth alone, so this
    /// takes two trips. The caller forgets the reminder when all is done, or when nothing was created.
    pub async fn create_status(
        &self,
        call: &Call,
        id: StatusId,
        author: (UserId, &Login),
        message: &Message,
        nonce: &Nonce,
    ) -> Result<(Create, Reminder)> {
        let reminder = self.remind(&Thing::Status(id)).await?;
        let now = self.now().await?;
        let create = scripts::CREATE_STATUS
            .on([keys::status(id)])
            .with(call.deadline())
            .with(id.get())
            .with(author.0.get())
            .with(author.1.as_str())
            .with(message.as_str())
            .with(now.0)
            .with(nonce.as_str());
        let created = match self.connection.keep::<i64>(create).await? {
            1 => Create::Created,
            0 => Create::Already,
            2 => Create::Buried,
            -1 => Create::Taken,
            code => return Err(scripts::CREATE_STATUS.undocumented(code)),
        };
        Ok((created, reminder))
    }

    /// Reminds, then buries. A reminder that could not be left leaves the truth alone, so this
    /// takes two trips.
    pub async fn bury_status(
        &self,
        call: &Call,
        id: StatusId,
        by: UserId,
    ) -> Result<(Bury, Reminder)> {
        let reminder = self.remind(&Thing::Status(id)).await?;
        let now = self.now().await?;
        let bury = scripts::BURY_STATUS
            .on([keys::status(id)])
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
        Ok((buried, reminder))
    }

    /// Puts a status on its author's profile and own home.
    pub async fn file_status(&self, call: &Call, id: StatusId, author: UserId) -> Result<()> {
        let file = scripts::FILE_STATUS
            .on([
                keys::profile(author),
                keys::user(author),
                keys::home(author),
                keys::active(author),
            ])
            .with(call.deadline())
            .with(id.get())
            .with(self.config.limits.home_size);
        self.connection.query::<i64>(file).await.map(drop)
    }

    /// Takes a dead status off its author's profile and own home.
    pub async fn unfile_status(&self, id: StatusId, author: UserId) -> Result<()> {
        let unfile = scripts::UNFILE_STATUS
            .on([
                keys::profile(author),
                keys::user(author),
                keys::home(author),
            ])
            .with(id.get());
        self.connection.query::<i64>(unfile).await.map(drop)
    }

    pub async fn life(&self, id: StatusId) -> Result<Life> {
        self.lives(&[id]).await.map(|lives| lives[0])
    }

    /// Whether each of these statuses lives, and whose it is or was. One trip.
    pub async fn lives(&self, ids: &[StatusId]) -> Result<Vec<Life>> {
        let read_life = |id: &StatusId| {
            redis::cmd("HMGET")
                .with(keys::status(*id))
                .with(&["uid", "deleted"])
        };
        let answers = self
            .connection
            .batch(ids.iter().map(read_life).collect())
            .await?;
        answers.into_iter().map(life).collect()
    }

    /// The living among these statuses that the viewer may see, in the given order: the only way
    /// for a status to reach a page. Two trips: statuses, then their authors.
    pub async fn visible(&self, viewer: Viewer, ids: &[StatusId]) -> Result<Vec<VisibleStatus>> {
        const FIELDS: &[&str] = &["uid", "message", "posted", "deleted", "delivered"];
        let reads = ids
            .iter()
            .map(|id| redis::cmd("HMGET").with(keys::status(*id)).with(FIELDS));
        let answers = self.connection.batch(reads.collect()).await?;
        let mut living = Vec::with_capacity(ids.len());
        for (id, answer) in ids.iter().zip(answers) {
            type Row = (
                Option<u64>,
                Option<String>,
                Option<u64>,
                Option<u64>,
                Option<u64>,
            );
            if let (Some(uid), Some(message), Some(posted), None, delivered) = read::<Row>(answer)?
                && let Ok(author) = UserId::new(uid)
            {
                living.push((*id, author, message, UnixMs(posted), delivered));
            }
        }
        let authors = self
            .authors(living.iter().map(|(_, author, ..)| *author))
            .await?;
        Ok(living
            .into_iter()
            .filter_map(|(id, author, message, posted, delivered)| {
                let own = viewer.id() == Some(author);
                let author = authors.get(&author)?.clone();
                Some(VisibleStatus {
                    id,
                    author,
                    message,
                    posted,
                    own,
                    delivered,
                })
            })
            .collect())
    }

    async fn authors(&self, ids: impl Iterator<Item = UserId>) -> Result<HashMap<UserId, Author>> {
        let mut ids: Vec<UserId> = ids.collect();
        ids.sort_unstable();
        ids.dedup();
        let reads = ids.iter().map(|id| {
            redis::cmd("HMGET")
                .with(keys::user(*id))
                .with(&["login", "name"])
        });
        let answers = self.connection.batch(reads.collect()).await?;
        let mut authors = HashMap::with_capacity(ids.len());
        for (id, answer) in ids.into_iter().zip(answers) {
            let (login, name): (Option<String>, Option<String>) = read(answer)?;
            if let (Some(login), Some(name)) = (login.as_deref().and_then(Login::stored), name) {
                authors.insert(id, Author { id, login, name });
            }
        }
        Ok(authors)
    }

    /// One status, if it lives and the viewer may see it.
    pub async fn status(&self, viewer: Viewer, id: StatusId) -> Result<Option<VisibleStatus>> {
        Ok(self.visible(viewer, &[id]).await?.pop())
    }

    /// A profile timeline, newest first: listing 8.3 of the book with `profile:`. Filters before
    /// it counts, so that a page is full unless the timeline ends, and continues from an exclusive
    /// cursor where the book takes an offset.
    pub async fn profile_page(
        &self,
        viewer: Viewer,
        of: UserId,
        before: Option<Cursor>,
    ) -> Result<Page<VisibleStatus>> {
        let mut page = PageInProgress::new(before);
        while let Some((cursor, wanted)) = page.wants() {
            let ids = self.profile_ids(of, cursor, wanted).await?;
            let visible = self.visible(viewer, &ids).await?;
            page.add(&ids, visible, ids.len() < wanted);
        }
        Ok(page.finish())
    }
}

pub(super) fn life(answer: Value) -> Result<Life> {
    let (uid, deleted): (Option<u64>, Option<u64>) = read(answer)?;
    let Some(uid) = uid else {
        return Ok(Life::Absent);
    };
    let uid = UserId::new(uid).map_err(|_| Error::Unexpected {
        what: "a status",
        answer: uid.to_string(),
    })?;
    Ok(if deleted.is_some() {
        Life::Dead(uid)
    } else {
        Life::Living(uid)
    })
}
