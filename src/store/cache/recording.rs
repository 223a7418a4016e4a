//! The sources of a page. While a page is made, this collects the cached entries that its reads returned. The page
//! stays valid while the cache holds exactly these entries, so it can be served from the cache. A page that also asked
//! Redis for something that is not cached is not recorded.

use std::{cell::RefCell, collections::HashMap, time::Instant};

use foldhash::fast::RandomState;
use tokio::task_local;

use super::{Stamp, view::CacheView};
use crate::store::{Key, Store, redis::connection::Connection};

task_local! {
    static RECORDING: RefCell<Recording>;
}

#[derive(Default)]
struct Recording {
    entries: HashMap<Key, Stamp, RandomState>,
    /// The first time at which one of the values expires.
    until: Option<Instant>,
    /// Whether the page also depends on something else.
    is_incomplete: bool,
}

/// The entries of caches that a page was made from, and the connection with these caches.
pub struct PageSources {
    connection: Connection,
    entries: CacheView,
    until: Instant,
}

impl PageSources {
    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.entries.bytes()
    }

    /// Returns whether the page is still valid, after a round trip that starts after this call. On a single node, the
    /// round trip is shared with other callers. It uses the connection of the thread that made the page, also on another thread.
    pub async fn are_unchanged(&self) -> bool {
        let Some(invalidations) = self.invalidations_if_unchanged() else {
            return false;
        };
        let caught_up = self.connection.catch_up_with(&self.entries).await;
        if !matches!(caught_up, Ok(true)) {
            return false;
        }
        match self.entries.invalidations() == invalidations {
            true => self.are_unexpired() && self.entries.is_current(&self.connection),
            false => self.invalidations_if_unchanged().is_some(),
        }
    }

    /// Returns the number of invalidations so far if the caches hold all entries unchanged.
    fn invalidations_if_unchanged(&self) -> Option<u64> {
        self.are_unexpired()
            .then(|| self.entries.holds(&self.connection))?
    }

    fn are_unexpired(&self) -> bool {
        Instant::now() < self.until
    }
}

impl Store {
    /// Runs the work that makes a page and returns the sources of the page. `None` if it asked Redis for anything that
    /// the cache does not hold now, or if no read says when the page expires.
    pub async fn record<T>(&self, work: impl Future<Output = T>) -> (T, Option<PageSources>) {
        if !self.connection.has_cache() {
            return (work.await, None);
        }
        let recorded = async {
            let made = work.await;
            (made, RECORDING.with(RefCell::take))
        };
        let (made, recording) = RECORDING.scope(RefCell::default(), recorded).await;
        let sources = self.page_sources(recording);
        (
            made,
            sources.filter(|sources| sources.invalidations_if_unchanged().is_some()),
        )
    }

    fn page_sources(&self, recording: Recording) -> Option<PageSources> {
        let until = recording.until.filter(|_| !recording.is_incomplete)?;
        let entries = CacheView::of_entries(&self.connection, recording.entries)?;
        let connection = self.connection.clone();
        Some(PageSources {
            connection,
            entries,
            until,
        })
    }
}

/// Notes an entry that a read returned.
pub(super) fn note_entry(key: &Key, stamp: Stamp) {
    change(|recording| {
        let before = recording.entries.insert(key.clone(), stamp);
        // The page may have a part of each version.
        recording.is_incomplete |= before.is_some_and(|before| before != stamp);
    });
}

/// Notes the time at which a value that a read returned expires.
pub(in crate::store) fn note_expiry(end: Instant) {
    change(|recording| {
        recording.until = Some(recording.until.map_or(end, |until| until.min(end)));
    });
}

/// Notes that a page depends on something that the cache does not hold.
pub(in crate::store) fn note_uncached_read() {
    change(|recording| recording.is_incomplete = true);
}

fn change(change: impl FnOnce(&mut Recording)) {
    // Outside a recording there is nothing to note.
    let _ = RECORDING.try_with(|recording| change(&mut recording.borrow_mut()));
}
