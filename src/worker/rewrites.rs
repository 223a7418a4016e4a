//! Rewrites of Redis' append-only files, so that deleted texts do not stay in them and the embedded server's files do
//! not fill the disk.

use std::time::Duration;

use tokio::{sync::watch, time::sleep};

use crate::store::Store;

/// Interval at which a process checks whether a rewrite is due. A check takes two round trips.
const CHECK_INTERVAL: Duration = Duration::from_secs(10);

/// Rewrites the files when it is due, until `stop` turns true.
pub async fn run(store: Store, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow_and_update() {
        tokio::select! {
            () = rewrite_if_due(&store) => {}
            _ = stop.changed() => break,
        }
        tokio::select! {
            () = sleep(CHECK_INTERVAL) => {}
            _ = stop.changed() => {}
        }
    }
}

async fn rewrite_if_due(store: &Store) {
    match store.rewrite_files_if_due().await {
        Ok(true) => tracing::info!("Redis rewrote its append-only files without deleted texts"),
        Ok(false) => {}
        Err(error) => tracing::warn!(%error, "Redis did not rewrite its append-only files"),
    }
}
