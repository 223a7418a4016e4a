//! The sources of a page. While a page is made, this collects the cached entries that its reads returned. The page
//! stays valid while the cache holds exactly these entries, so it can be served from the cache. A page that also asked
//! Redis for something that is not cached is not recorded.

use std::{cell::RefCell, collections::HashMap, sync::Arc, time::Instant};

use foldhash::fast::RandomState;
use tokio::task_local;

use super::{Cache, Stamp};
use crate::store::{Key, Store};

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

/// The entries of a cache that a page was made from.
pub struct PageSources {
    cache: Arc<Cache>,
    entries: Box<[(Key, Stamp)]>,
    until: Instant,
}

impl PageSources {
    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.entries)
    }
}

impl Store {
    /// Runs the work that makes a page and returns the sources of the page. `None` if it asked Redis for anything that
    /// the cache does not hold now, or if no read says when the page expires.
    pub async fn record<T>(&self, work: impl Future<Output = T>) -> (T, Option<PageSources>) {
        let Some(cache) = self.connection.cache() else {
            return (work.await, None);
        };
        let recorded = async {
            let made = work.await;
            (made, RECORDING.with(RefCell::take))
        };
        let (made, recording) = RECORDING.scope(RefCell::default(), recorded).await;
        let until = recording.until.filter(|_| !recording.is_incomplete);
        let sources = until.map(|until| PageSources {
            cache,
            entries: recording.entries.into_iter().collect(),
            until,
        });
        (
            made,
            sources.filter(|sources| self.holds(sources).is_some()),
        )
    }

    /// Returns whether a page that was made from these entries is still valid, after a round trip that starts after
    /// this call and is shared with other callers.
    pub async fn revalidate(&self, sources: &PageSources) -> bool {
        let Some(invalidations) = self.holds(sources) else {
            return false;
        };
        if self.connection.catch_up().await.is_err() {
            return false;
        }
        match sources.cache.invalidations() == invalidations {
            true => self.is_current(sources),
            false => self.holds(sources).is_some(),
        }
    }

    fn holds(&self, sources: &PageSources) -> Option<u64> {
        match self.is_current(sources) {
            true => sources.cache.holds(&sources.entries),
            false => None,
        }
    }

    /// Returns whether the sources have not expired and belong to the cache of the present connection.
    fn is_current(&self, sources: &PageSources) -> bool {
        let is_present = |cache: Arc<Cache>| Arc::ptr_eq(&cache, &sources.cache);
        Instant::now() < sources.until && self.connection.cache().is_some_and(is_present)
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
