//! The numbers of the site: every few minutes, and at the end, a process adds what it has counted. It also counts the
//! people who posted lately, for the landing page.

use std::{path::Path, time::Duration};

use tokio::{sync::watch, time::sleep};

use crate::store::Store;

/// Interval between two notes.
const INTERVAL: Duration = Duration::from_secs(5 * 60);

/// Notes the numbers until `stop` turns true.
pub async fn run(store: Store, mut stop: watch::Receiver<bool>) {
    count_recent_authors(&store).await;
    while !*stop.borrow_and_update() {
        tokio::select! {
            () = sleep(INTERVAL) => {}
            _ = stop.changed() => {}
        }
        note(&store).await;
        count_recent_authors(&store).await;
    }
}

async fn count_recent_authors(store: &Store) {
    if let Err(error) = store.count_recent_authors().await {
        tracing::warn!(%error, "the people who posted lately were not counted");
    }
}

/// Notes what this process has counted until now.
pub async fn note(store: &Store) {
    let disk = used_disk_percent(&store.config().data_dir);
    if let Err(error) = store.note_day(disk.unwrap_or_default()).await {
        tracing::warn!(%error, "the numbers of the day were not noted");
    }
}

/// Returns the used share of the disk of a directory. `None` if it does not exist here.
pub(crate) fn used_disk_percent(directory: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(directory).ok()?;
    let used = found.f_blocks.saturating_sub(found.f_bavail);
    (used * 100).checked_div(found.f_blocks)
}
