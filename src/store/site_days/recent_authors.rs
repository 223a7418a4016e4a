//! The number of people who posted in the last 24 hours. Each process counts it every few minutes from the timeline of
//! everybody and keeps it in memory, so a page that shows it asks Redis nothing.

use std::collections::HashSet;

use super::DAY_MS;
use crate::store::{Life, NEWEST_POSTS_KEPT, prelude::*};

/// Number of posts whose authors are read in one round trip.
const READ_AT_ONCE: usize = 100;

/// The people with a post in the timeline of everybody that is less than a day old.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RecentAuthors {
    pub people: usize,
    /// The timeline does not reach back a whole day, so there are more people.
    pub is_minimum: bool,
}

impl Store {
    /// Returns the number that this process counted last. It is 0 before the first count and after a failed one.
    pub fn recent_authors(&self) -> RecentAuthors {
        *self.activity.recent_authors.lock()
    }

    /// Counts the people who posted in the last 24 hours. It reads at most [`NEWEST_POSTS_KEPT`] posts.
    pub async fn count_recent_authors(&self) -> Result<()> {
        let counted = self.read_recent_authors().await;
        *self.activity.recent_authors.lock() = counted.as_ref().copied().unwrap_or_default();
        counted.map(drop)
    }

    async fn read_recent_authors(&self) -> Result<RecentAuthors> {
        let newest = older(keys::STATUSES_NEWEST.to_owned(), None, NEWEST_POSTS_KEPT);
        let (ids, now): (Vec<u64>, UnixMs) =
            tokio::try_join!(self.connection.query(newest), self.now())?;
        let day_ago_us = now.0.saturating_sub(DAY_MS) * 1000;
        let mut recent = status_ids(ids);
        recent.retain(|id| id.drawn_us() > day_ago_us);
        let mut people = HashSet::new();
        for some in recent.chunks(READ_AT_ONCE) {
            let lives = self.lives_for_timelines(some).await?;
            let headers = lives.into_iter().filter_map(Life::living);
            people.extend(headers.map(|header| header.author));
        }
        Ok(RecentAuthors {
            people: people.len(),
            is_minimum: recent.len() == NEWEST_POSTS_KEPT,
        })
    }
}
