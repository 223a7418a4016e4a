//! The store and its actions on a temporary Redis, without a server in front.

use std::{sync::Arc, time::Duration};

use clap::Parser;
use redwing::{audit, config::Config, store::Store, worker};

use super::{pool::Redis, waiting::eventually};

pub struct Core {
    pub store: Store,
    pub redis: Redis,
}

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    config: Config,
}

impl Core {
    pub fn start() -> Self {
        Self::with(&[])
    }

    pub fn with(settings: &[&str]) -> Self {
        Self::on(Redis::start(), settings)
    }

    /// Sets long time-outs for busy machines, unless a test overrides one. Pages can be read on without
    /// a pause, and new accounts have no limits of their own and found groups.
    pub fn on(redis: Redis, settings: &[&str]) -> Self {
        const OPEN: [[&str; 2]; 3] = [
            ["--merged-pages-per-hour", "1000000"],
            ["--new-account-days", "0"],
            ["--group-age-days", "0"],
        ];
        let open = OPEN.iter().filter(|[name, _]| !settings.contains(name));
        const LONG_TIMEOUTS: [[&str; 2]; 3] = [
            ["--redis-response-ms", "10000"],
            ["--write-deadline-ms", "20000"],
            ["--outbox-delay-ms", "90000"],
        ];
        let uses_long_timeouts = !LONG_TIMEOUTS
            .iter()
            .any(|[name, _]| settings.contains(name));
        let long_timeouts = LONG_TIMEOUTS
            .iter()
            .flatten()
            .filter(|_| uses_long_timeouts);
        let settings: Vec<&str> = open
            .flatten()
            .chain(long_timeouts)
            .chain(settings)
            .copied()
            .collect();
        let config = Arc::new(configure(&settings));
        let store = Store::open(&redis.url(), config).expect("a valid address");
        Self { store, redis }
    }

    /// Runs all current and delayed tasks by the worker's own steps, until none is left.
    pub async fn drain(&self) {
        worker::drain(&self.store)
            .await
            .expect("every task succeeds");
    }

    /// Waits until the tasks of a lost worker can be taken over, and runs all tasks.
    pub async fn drain_after_lost_worker(&self) {
        eventually("no task of a lost worker is left", async || {
            let rescued = worker::catch_up(&self.store, Duration::from_secs(60)).await;
            rescued.expect("every task succeeds");
            let health = self.store.queue_health().await;
            health.expect("an answer").waiting == 0
        })
        .await;
        self.drain().await;
    }

    /// Returns the names of all keys with that prefix.
    pub async fn keys(&self, beginning: &str) -> Vec<String> {
        let mut walk = self.store.begin_walk().await.expect("an answer");
        let mut names = Vec::new();
        while let Some(keys) = self.store.walk(&mut walk, 1000).await.expect("an answer") {
            names.extend(keys.into_iter().map(|key| key.name));
        }
        names.retain(|name| name.starts_with(beginning));
        names
    }

    /// Checks that every invariant holds after all work is done.
    pub async fn assert_sound(&self) {
        self.drain().await;
        let report = audit::run(&self.store).await.expect("the store answers");
        let wrong: Vec<_> = report
            .findings()
            .filter(|(_, finding)| finding.wrong > 0)
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

/// Parses settings as the command line does.
pub fn configure(settings: &[&str]) -> Config {
    let words = ["redwing"].iter().chain(settings);
    CommandLine::try_parse_from(words)
        .unwrap_or_else(|error| panic!("{error}"))
        .config
}
