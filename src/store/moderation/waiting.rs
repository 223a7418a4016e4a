//! The posts that wait for a moderator, of all people in the queue.

use std::collections::BTreeMap;

use super::queue::{QueueEntry, QueueOf};
use crate::{
    domain::{PostName, ReportName, ReportedPost},
    store::prelude::*,
};

/// A post that waits for a moderator.
#[derive(Debug, Clone)]
pub struct WaitingPost {
    pub author: Login,
    pub id: StatusId,
    /// The time since which it is in the queue.
    pub at: UnixMs,
    /// The newest text that the queue has. `None` if it was removed to make room for other reports.
    pub post: Option<ReportedPost>,
}

/// The waiting posts of a person: their ids and times, and the names of their newest texts.
struct Held<'a> {
    entry: &'a QueueEntry,
    posts: Vec<(StatusId, UnixMs)>,
    names: BTreeMap<StatusId, PostName>,
}

impl Held<'_> {
    /// Returns the fields of the texts.
    fn fields(&self) -> Vec<String> {
        let name = |(id, _): &(StatusId, UnixMs)| self.names.get(id).map(PostName::to_string);
        let names = self.posts.iter().map(|post| name(post).unwrap_or_default());
        names.collect()
    }
}

impl Store {
    /// Returns the waiting posts of one page of the queue, which can have none. The cursor is a place in the queue of
    /// reports. Posts of suspended people are left out. Five round trips.
    ///
    /// # Errors
    /// If Redis could not be reached.
    pub async fn waiting_posts(&self, before: Option<Cursor>) -> Result<Page<WaitingPost>> {
        let queue = self.queue_page(QueueOf::Reports, before).await?;
        let held = self.held_posts(&queue.items).await?;
        let reads = held.iter().map(|one| {
            let key = keys::reported_posts(one.entry.person.id);
            redis::cmd("HMGET").with((key, one.fields()))
        });
        let texts: Vec<Vec<Option<String>>> = self.connection.query_each(reads).await?;
        let posts = held.iter().zip(texts).flat_map(|(one, texts)| {
            let author = &one.entry.person.login;
            let post = |((id, at), text): (&(StatusId, UnixMs), Option<String>)| WaitingPost {
                author: author.clone(),
                id: *id,
                at: *at,
                post: text.and_then(|text| ReportedPost::from_json(&text)),
            };
            one.posts.iter().zip(texts).map(post).collect::<Vec<_>>()
        });
        Ok(Page {
            items: posts.collect(),
            next: queue.next,
        })
    }

    /// Returns the people who have waiting posts, with these posts. One round trip.
    async fn held_posts<'a>(&self, queue: &'a [QueueEntry]) -> Result<Vec<Held<'a>>> {
        let reads = queue.iter().flat_map(|entry| {
            let person = entry.person.id;
            [
                redis::cmd("ZRANGE").with((keys::open_reports(person), 0, -1, "WITHSCORES")),
                redis::cmd("HKEYS").with(keys::reported_posts(person)),
            ]
        });
        let answers = self.connection.batch(reads.collect()).await?;
        let mut held = Vec::new();
        for (entry, answers) in queue.iter().zip(answers.chunks_exact(2)) {
            let [open, names] = answers else { continue };
            let open: Vec<(String, f64)> = read(open.clone())?;
            let posts = open.iter().filter_map(|(name, at_us)| {
                let name: ReportName = name.parse().ok()?;
                Some((name.held_post()?, UnixMs(*at_us as u64 / 1000)))
            });
            let posts: Vec<(StatusId, UnixMs)> = posts.collect();
            let names: Vec<String> = read(names.clone())?;
            let mut names: Vec<PostName> =
                names.iter().filter_map(|one| one.parse().ok()).collect();
            // The last one of a post is the newest.
            names.sort_unstable();
            if !posts.is_empty() {
                let names = names.into_iter().map(|name| (name.status, name));
                let names = names.collect();
                held.push(Held {
                    entry,
                    posts,
                    names,
                });
            }
        }
        Ok(held)
    }
}
