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
    fault::{Fault, Findings, Ids, Remedy, Subject},
    repair,
};
use crate::{
    config::Scrub,
    store::{FoundKey, Result, Store, Walk},
};
use brake::Brake;

/// Rows per second on a cluster, by default.
const USUAL_PACE: u64 = 1000;
/// Maximum number of keys per step.
const STEP: u64 = 100;
/// Minimum pause between two steps, and between two walks.
const BREATH: Duration = Duration::from_millis(100);
const REST: Duration = Duration::from_secs(5);
/// Duration of the lease. A step that outlasts it lets another process do the same work concurrently,
/// which is harmless.
const LEASE: Duration = Duration::from_secs(90);
const RENEWED: Duration = Duration::from_secs(20);
/// Pause between two attempts to get the lease, and after a failure.
const AWAY: Duration = Duration::from_secs(20);
/// Number of remembered faults, so that each is logged once.
const TOLD: usize = 10_000;

/// Metric: number of repairs.
const REPAIRED: &str = "redwing_scrub_repaired_total";
/// Metric: faults that the last walk left.
const LEFT: &str = "redwing_scrub_left";
/// Metric: 1 while the scrub only reports.
const BRAKED: &str = "redwing_scrub_braked";

/// Scrubs until `stop` turns true. Returns at once if the settings disable it.
pub async fn run(store: Store, mut stop: watch::Receiver<bool>) {
    let Some(pace) = pace(&store) else {
        return;
    };
    metrics::describe_counter!(
        REPAIRED,
        "Copies that the scrub brought back to their truth."
    );
    metrics::describe_gauge!(LEFT, "Faults that the scrub's last walk left as they are.");
    metrics::describe_gauge!(BRAKED, "1 while the scrub finds too much wrong to mend it.");
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

/// Returns whether the settings enable the scrub.
#[must_use]
pub fn is_wanted(store: &Store) -> bool {
    pace(store).is_some()
}

fn pace(store: &Store) -> Option<u64> {
    match store.config().scrub {
        Scrub::Rows(pace) => Some(pace),
        Scrub::Auto => store.is_cluster().then_some(USUAL_PACE),
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
    ids: Ids,
    brake: Brake,
    left: u64,
    told: HashSet<u64>,
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
            ids: Ids::default(),
            brake: Brake::default(),
            left: 0,
            told: HashSet::new(),
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
                    "the scrub failed at one of these and passes over them"
                );
                self.met.clear();
            }
        }
        self.stumbled = true;
        AWAY
    }

    async fn try_step(&mut self) -> Result<Duration> {
        if !self.holds_lease().await? {
            return Ok(AWAY);
        }
        if self.debt > BREATH {
            let part = self.debt.min(RENEWED);
            self.debt -= part;
            return Ok(part);
        }
        if self.met.is_empty() && !self.walk_on().await? {
            self.come_round().await?;
            return Ok(REST);
        }
        let findings = examination::at_keys(&self.store, self.met.clone()).await?;
        let rows = self.met.len() as u64 + findings.rows();
        self.brake.met(self.met.len());
        self.repair(findings).await?;
        self.met.clear();
        self.debt += Duration::from_secs_f64(rows as f64 / self.pace as f64);
        Ok(BREATH)
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
    async fn come_round(&mut self) -> Result<()> {
        let last = vec![Subject::Tasks, Subject::Counter(self.ids)];
        self.repair(examination::at(&self.store, last).await?)
            .await?;
        self.walk = None;
        self.ids = Ids::default();
        let left = std::mem::take(&mut self.left);
        metrics::gauge!(LEFT).set(left as f64);
        if left > 0 {
            tracing::warn!(
                left,
                "the scrub has seen all keys, and leaves faults: see redwing check"
            );
        }
        self.brake.come_round();
        metrics::gauge!(BRAKED).set(f64::from(u8::from(self.brake.is_on())));
        Ok(())
    }

    async fn holds_lease(&mut self) -> Result<bool> {
        if self.leased.is_some_and(|since| since.elapsed() < RENEWED) {
            return Ok(true);
        }
        let holds = self.store.lease_scrub(&self.token, LEASE.as_secs()).await?;
        self.leased = holds.then(Instant::now);
        Ok(holds)
    }

    async fn repair(&mut self, findings: Findings) -> Result<()> {
        self.ids.add(findings.ids.second);
        self.ids.add(findings.ids.largest);
        let verdict = confirmation::at(&self.store, findings.faults, Patience::None).await?;
        let (alone, wrong): (Vec<Fault>, Vec<Fault>) =
            verdict.wrong.into_iter().partition(is_left_alone);
        self.leave(&alone);
        if !self.brake.allows_repair(repair::count(&wrong)) {
            metrics::gauge!(BRAKED).set(1.0);
            self.leave(&wrong);
            return Ok(());
        }
        for fault in &wrong {
            self.tell(fault, "the scrub found this");
        }
        let repairs = repair::all(&self.store, &wrong).await?;
        for did in repairs.done {
            metrics::counter!(REPAIRED).increment(1);
            tracing::warn!(did, "the scrub repaired this");
        }
        self.left += repairs.failed.len() as u64;
        for failed in repairs.failed {
            tracing::warn!(failed, "the scrub could not do this");
        }
        Ok(())
    }

    fn leave(&mut self, faults: &[Fault]) {
        self.left += faults.len() as u64;
        for fault in faults {
            self.tell(fault, "the scrub leaves this as it is");
        }
    }

    /// Logs a fault once.
    fn tell(&mut self, fault: &Fault, what: &str) {
        if self.told.len() < TOLD && self.told.insert(fault.identity()) {
            tracing::warn!(fault = fault.words(), "{what}");
        }
    }
}

fn is_left_alone(fault: &Fault) -> bool {
    let remedy = &fault.remedy;
    remedy.touches_truth() || matches!(remedy, Remedy::None | Remedy::Work | Remedy::Revive(_))
}
