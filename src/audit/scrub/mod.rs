//! The scrub: `check --repair` in small steps beside the workers, all the time. A lease lets one process
//! do it.
//!
//! It repairs derived copies only. A source of truth with a missing counterpart may be waiting for a
//! restore, tasks belong to the workers, and tasks that were given up belong to the operator. If there
//! are many more faults than a failover leaves, it only reports until a walk finds nothing to repair.

mod brake;

use std::{collections::HashSet, panic::AssertUnwindSafe, time::Duration};

use futures_util::FutureExt;
use tokio::{
    sync::watch,
    time::{Instant, sleep},
};

use super::{
    confirmation::{self, Patience},
    examination,
    fault::{Fault, Findings, Subject, UserIds},
    names,
    repair::{self, Effect},
};
use crate::{
    config::Scrub,
    store::{FoundKey, Result, Store, Walk},
};
use brake::Brake;

/// Rows per second on a cluster, by default.
const DEFAULT_ROWS_PER_SECOND: u64 = 1000;
const STEP: u64 = 100;
const STEP_PAUSE: Duration = Duration::from_millis(100);
const WALK_PAUSE: Duration = Duration::from_secs(5);
/// Duration of the lease. If a step outlasts it, another process does the same work, without harm.
const LEASE: Duration = Duration::from_secs(90);
/// Time after which the lease is renewed.
const RENEWAL: Duration = Duration::from_secs(20);
/// Pause between two attempts to get the lease, and after a failure.
const RETRY_PAUSE: Duration = Duration::from_secs(20);
/// Number of remembered faults, so that each is logged once.
const MAX_LOGGED: usize = 10_000;

const REPAIRED: &str = "redwing_scrub_repaired_total";
const LEFT: &str = "redwing_scrub_left";
/// Metric: 1 while the scrub only reports.
const BRAKED: &str = "redwing_scrub_braked";

/// Scrubs until `stop` turns true. Returns at once if the settings disable it.
pub async fn run(store: Store, mut stop: watch::Receiver<bool>) {
    let Some(pace) = pace(&store) else {
        return;
    };
    metrics::describe_counter!(REPAIRED, "Derived copies that the scrub repaired.");
    metrics::describe_gauge!(LEFT, "Faults that the last walk of the scrub left.");
    metrics::describe_gauge!(
        BRAKED,
        "1 while the scrub finds too many faults to repair them."
    );
    let mut scrubber = Scrubber::new(store, pace);
    while !*stop.borrow_and_update() {
        let pause = tokio::select! {
            pause = scrubber.step() => pause,
            _ = stop.changed() => break,
        };
        tokio::select! {
            () = sleep(pause) => {}
            _ = stop.changed() => {}
        }
    }
    if let Err(error) = scrubber.store.end_scrub(&scrubber.token).await {
        tracing::debug!(%error, "the lease of the scrub runs out by itself");
    }
}

pub fn is_wanted(store: &Store) -> bool {
    pace(store).is_some()
}

fn pace(store: &Store) -> Option<u64> {
    match store.config().scrub {
        Scrub::Rows(pace) => Some(pace),
        Scrub::Auto => store.is_cluster().then_some(DEFAULT_ROWS_PER_SECOND),
        Scrub::Off => None,
    }
}

struct Scrubber {
    store: Store,
    token: String,
    pace: u64,
    /// Time at which the lease was taken or renewed.
    leased: Option<Instant>,
    walk: Option<Walk>,
    /// Keys that the walk has met and not examined.
    met: Vec<FoundKey>,
    /// Whether the walk was interrupted. Primaries may have changed.
    stumbled: bool,
    /// Remaining pause for rows that were read.
    debt: Duration,
    ids: UserIds,
    brake: Brake,
    left: u64,
    logged: HashSet<u64>,
}

impl Scrubber {
    fn new(store: Store, pace: u64) -> Self {
        Self {
            token: format!("{:032x}", rand::random::<u128>()),
            store,
            pace,
            leased: None,
            walk: None,
            met: Vec::new(),
            stumbled: false,
            debt: Duration::ZERO,
            ids: UserIds::default(),
            brake: Brake::default(),
            left: 0,
            logged: HashSet::new(),
        }
    }

    /// Runs one step and returns the pause after it. A failure keeps the position. Keys on which the
    /// code itself fails are skipped, so that the walk goes on.
    async fn step(&mut self) -> Duration {
        let outcome = AssertUnwindSafe(self.try_step()).catch_unwind().await;
        match outcome {
            Ok(Ok(pause)) => return pause,
            Ok(Err(error)) => tracing::warn!(%error, "the scrub pauses"),
            Err(_) => {
                let keys: Vec<&str> = self.met.iter().map(|key| key.name.as_str()).collect();
                tracing::error!(
                    ?keys,
                    "the scrub failed at one of these keys and skips them"
                );
                self.met.clear();
            }
        }
        self.stumbled = true;
        RETRY_PAUSE
    }

    async fn try_step(&mut self) -> Result<Duration> {
        if !self.holds_lease().await? {
            return Ok(RETRY_PAUSE);
        }
        if self.debt > STEP_PAUSE {
            let part = self.debt.min(RENEWAL);
            self.debt -= part;
            return Ok(part);
        }
        if self.met.is_empty() && !self.walk_on().await? {
            self.end_walk().await?;
            return Ok(WALK_PAUSE);
        }
        let findings = examination::examine_keys(&self.store, self.met.clone()).await?;
        let rows = self.met.len() as u64 + findings.row_count();
        self.brake.met(self.met.len());
        self.repair(findings).await?;
        self.met.clear();
        self.debt += Duration::from_secs_f64(rows as f64 / self.pace as f64);
        Ok(STEP_PAUSE)
    }

    /// Reads the next keys. Returns `false` at the end of the walk.
    async fn walk_on(&mut self) -> Result<bool> {
        let walk = match &mut self.walk {
            Some(walk) => walk,
            None => self.walk.insert(self.store.begin_walk().await?),
        };
        if self.stumbled {
            self.store.resume_walk(walk).await?;
            self.stumbled = false;
        }
        let count = usize::try_from(self.pace.min(STEP)).unwrap_or_default();
        match self.store.walk(walk, count).await? {
            Some(keys) => self.met = keys,
            None => return Ok(false),
        }
        Ok(true)
    }

    /// Runs the checks that need a complete walk, then starts the next walk.
    async fn end_walk(&mut self) -> Result<()> {
        let site = vec![Subject::Site(self.ids)];
        self.repair(examination::examine(&self.store, site).await?)
            .await?;
        self.walk = None;
        self.ids = UserIds::default();
        let left = std::mem::take(&mut self.left);
        metrics::gauge!(LEFT).set(left as f64);
        if left > 0 {
            tracing::warn!(
                left,
                "the scrub examined all keys and left faults: see redwing check"
            );
        }
        self.brake.end_walk();
        metrics::gauge!(BRAKED).set(f64::from(u8::from(self.brake.is_on())));
        Ok(())
    }

    async fn holds_lease(&mut self) -> Result<bool> {
        if self.leased.is_some_and(|since| since.elapsed() < RENEWAL) {
            return Ok(true);
        }
        let holds = self.store.lease_scrub(&self.token, LEASE.as_secs()).await?;
        self.leased = holds.then(Instant::now);
        Ok(holds)
    }

    async fn repair(&mut self, findings: Findings) -> Result<()> {
        self.ids.add_all(findings.ids);
        let verdict = confirmation::confirm(&self.store, findings.faults, Patience::None).await?;
        let (alone, wrong): (Vec<Fault>, Vec<Fault>) =
            verdict.wrong.into_iter().partition(is_left_alone);
        self.leave(&alone).await?;
        let wanted: HashSet<&str> = wrong.iter().filter_map(Fault::repair_words).collect();
        if !self.brake.allows_repair(wanted.len()) {
            metrics::gauge!(BRAKED).set(1.0);
            return self.leave(&wrong).await;
        }
        self.log(&wrong, "the scrub found this").await?;
        let repairs = repair::run_all(&self.store, wrong).await?;
        for did in repairs.done {
            metrics::counter!(REPAIRED).increment(1);
            tracing::warn!(did, "the scrub repaired this");
        }
        self.left += repairs.failed.len() as u64;
        for failed in repairs.failed {
            tracing::warn!(failed, "a repair of the scrub failed");
        }
        Ok(())
    }

    async fn leave(&mut self, faults: &[Fault]) -> Result<()> {
        self.left += faults.len() as u64;
        self.log(faults, "the scrub leaves this as it is").await
    }

    /// Logs each fault once.
    async fn log(&mut self, faults: &[Fault], what: &str) -> Result<()> {
        let new = faults
            .iter()
            .filter(|fault| self.logged.len() < MAX_LOGGED && self.logged.insert(fault.identity()));
        let mut texts: Vec<String> = new.map(Fault::words).collect();
        names::resolve(&self.store, &mut texts).await?;
        for fault in texts {
            tracing::warn!(fault, "{what}");
        }
        Ok(())
    }
}

fn is_left_alone(fault: &Fault) -> bool {
    fault.effect() != Some(Effect::Derived)
}
