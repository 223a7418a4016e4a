//! The chores of a minute: work that is due by the clock. An error of one does not stop the others.

use std::time::Duration;

use crate::{
    actions::{account_deletion, account_states, messages, moderation},
    export,
    store::{Result, Store},
};

/// Time after which the consumer of a killed worker is removed.
const CONSUMER_IDLE: Duration = Duration::from_secs(3600);

/// Runs all chores, and logs their errors. Work that removes data for good waits after a jump of the clock.
pub async fn run(store: &Store) {
    let swept = account_deletion::resume_sweep(store).await;
    log_failure(swept, "the sweep of deleted accounts did not go on");
    let removed = export::remove_old_files(store).await;
    log_failure(removed, "old archives were not removed");
    let retired = store.retire_idle_consumers(CONSUMER_IDLE).await;
    log_failure(retired, "the consumers of killed workers were not removed");
    let clock = match store.note_clock().await {
        Ok(clock) => clock,
        Err(error) => {
            tracing::warn!(%error, "the clock of Redis was not noted, so nothing is removed");
            return;
        }
    };
    if clock.wait_ms().is_some() {
        return;
    }
    // No clock that is read later makes anything due.
    let due = clock.now;
    let begun = account_states::begin_due_deletions(store, due).await;
    log_failure(begun, "due deletions did not begin");
    let expired = messages::expire_due_messages(store, due).await;
    log_failure(expired, "expired messages were not removed");
    let dropped = moderation::drop_old_reports(store, due).await;
    log_failure(dropped, "old reports were not removed");
}

fn log_failure<T>(chore: Result<T>, message: &'static str) {
    if let Err(error) = chore {
        tracing::warn!(%error, "{message}");
    }
}
