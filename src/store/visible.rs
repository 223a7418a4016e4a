//! The one function by which a status reaches a page: filtered for its viewer, with its author and
//! what the viewer did about it. And the pages that are nothing but that.

use std::collections::HashMap;

use redis::{Cmd, Value};

use super::{
    Author, PageInProgress, Result, Store, UnixMs, Viewer, VisibleStatus, connection::read, keys,
    scripts::With,
};
use crate::domain::{Collection, Cursor, Login, Page, StatusId, UserId};

impl Store {
    /// The living among these statuses that the viewer may see, in the given order: the only way
    /// for a status to reach a page. Two trips: statuses and which of them the viewer keeps, then
    /// their authors.
    pub async fn visible(&self, viewer: Viewer, ids: &[StatusId]) -> Result<Vec<VisibleStatus>> {
        let status = |id: &StatusId| redis::cmd("HMGET").with(keys::status(*id)).with(FIELDS);
        let reads = ids.iter().map(status).chain(kept_among(viewer, ids));
        let mut answers = self.connection.batch(reads.collect()).await?;
        let kept = Kept::read(answers.split_off(ids.len()))?;
        let mut living = Vec::with_capacity(ids.len());
        for (at, answer) in answers.into_iter().enumerate() {
            living.extend(Living::read(at, answer)?);
        }
        let authors = self.authors(living.iter().map(|row| row.author)).await?;
        let visible = living.into_iter().filter_map(|row| {
            Some(VisibleStatus {
                id: ids[row.at],
                author: authors.get(&row.author)?.clone(),
                message: row.message,
                posted: row.posted,
                own: viewer.id() == Some(row.author),
                favourites: row.favourites,
                favoured: stands(&kept.favourites, row.at),
                bookmarked: stands(&kept.bookmarks, row.at),
                delivered: row.delivered,
            })
        });
        Ok(visible.collect())
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

/// A living status, read at its place among others.
struct Living {
    at: usize,
    author: UserId,
    message: String,
    posted: UnixMs,
    favourites: u64,
    delivered: Option<u64>,
}

const FIELDS: &[&str] = &[
    "uid",
    "message",
    "posted",
    "deleted",
    "delivered",
    "favourites",
];

impl Living {
    /// `None` where it is dead or lacks a part.
    fn read(at: usize, answer: Value) -> Result<Option<Self>> {
        type Row = (
            Option<u64>,
            Option<String>,
            Option<u64>,
            Option<u64>,
            Option<u64>,
            Option<u64>,
        );
        let (uid, message, posted, deleted, delivered, favourites): Row = read(answer)?;
        let (Some(uid), Some(message), Some(posted), None) = (uid, message, posted, deleted) else {
            return Ok(None);
        };
        Ok(UserId::new(uid).ok().map(|author| Self {
            at,
            author,
            message,
            posted: UnixMs(posted),
            favourites: favourites.unwrap_or_default(),
            delivered,
        }))
    }
}

/// What of the statuses that are read the viewer keeps: a score for each, where they do.
struct Kept {
    favourites: Vec<Option<f64>>,
    bookmarks: Vec<Option<f64>>,
}

impl Kept {
    /// Reads the answers to [`kept_among`]; a visitor keeps nothing.
    fn read(answers: Vec<Value>) -> Result<Self> {
        let mut answers = answers.into_iter();
        let mut next = || answers.next().map_or(Ok(Vec::new()), read);
        Ok(Self {
            favourites: next()?,
            bookmarks: next()?,
        })
    }
}

fn stands(scores: &[Option<f64>], at: usize) -> bool {
    scores.get(at).is_some_and(Option::is_some)
}

/// Reads of what a member keeps of these: favourites, bookmarks. None for a visitor.
fn kept_among(viewer: Viewer, ids: &[StatusId]) -> Vec<Cmd> {
    let Some(member) = viewer.id().filter(|_| !ids.is_empty()) else {
        return Vec::new();
    };
    let ids: Vec<u64> = ids.iter().map(|id| id.get()).collect();
    let scores = |collection| {
        redis::cmd("ZMSCORE")
            .with(keys::collection(member, collection))
            .with(&ids)
    };
    [Collection::Favourites, Collection::Bookmarks]
        .map(scores)
        .to_vec()
}
