//! Redis' clock, by which deadlines and reminders are set, as far as this process knows it.

use std::{
    collections::HashMap,
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    time::Instant,
};

use futures_util::future::join_all;

use super::cluster::Node;
use crate::store::{Error, Result, Store, UnixMs};

/// How long a measurement is believed, in ms. Whoever comes later has it measured anew, and does not
/// wait for that.
const BELIEVED_MS: i64 = 5_000;

/// How far Redis' clock is ahead of this process's. Our own is the monotonic one, which no one sets.
pub(in crate::store) struct Clock {
    /// In ms; `UNKNOWN` until it was measured.
    ahead: AtomicI64,
    /// When it was last begun to measure it, on our own clock.
    looked: AtomicI64,
    /// What each primary's clock was ahead when it last answered.
    primaries: Mutex<HashMap<String, i64>>,
}

const UNKNOWN: i64 = i64::MIN;

impl Clock {
    pub(in crate::store) fn new() -> Self {
        Self {
            ahead: AtomicI64::new(UNKNOWN),
            looked: AtomicI64::new(UNKNOWN),
            primaries: Mutex::default(),
        }
    }

    /// The next look at the clock measures it: a call was told that it came too late, or Redis was
    /// away, and another one may have taken its place.
    pub(super) fn distrust(&self) {
        self.looked.store(UNKNOWN, Ordering::Relaxed);
    }

    /// As if Redis' clock had been set since it was measured: by so many ms, forward or back.
    #[cfg(feature = "failpoints")]
    pub(super) fn misjudge(&self, by_ms: i64) {
        self.ahead.fetch_sub(by_ms, Ordering::Relaxed);
    }

    fn now(&self) -> Option<UnixMs> {
        let ahead = self.ahead.load(Ordering::Relaxed);
        let now = own_ms().checked_add(ahead).filter(|_| ahead != UNKNOWN)?;
        Some(UnixMs(now.cast_unsigned()))
    }

    /// Whether it is this caller's turn to measure.
    fn is_due(&self) -> bool {
        let (looked, now) = (self.looked.load(Ordering::Relaxed), own_ms());
        now.saturating_sub(looked) > BELIEVED_MS
            && self
                .looked
                .compare_exchange(looked, now, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
    }
}

impl Store {
    /// Now, on Redis' clock.
    pub async fn now(&self) -> Result<UnixMs> {
        if let Some(now) = self.clock.now() {
            if self.clock.is_due() {
                let aside = self.aside();
                tokio::spawn(async move {
                    if let Err(error) = aside.measure_clock().await {
                        tracing::debug!(%error, "the clock was not measured");
                    }
                });
            }
            return Ok(now);
        }
        self.measure_clock().await?;
        let unknown = || Error::Unavailable("the clock is not known".into());
        self.clock.now().ok_or_else(unknown)
    }

    /// Measures how far Redis' clock is ahead of ours. A slow answer makes deadlines earlier, never
    /// later; on a cluster the slowest clock of the primaries counts for all of them. One that does
    /// not answer counts as it was; what a node that was just promoted says is known after the
    /// next look, so until then clocks that differ shift deadlines by as much as they differ.
    pub async fn measure_clock(&self) -> Result<()> {
        let nodes = self.connection.primaries().await?;
        let looks = nodes.iter().map(|node| async {
            let (seconds, micros): (i64, i64) =
                self.connection.query_on(node, redis::cmd("TIME")).await?;
            Ok(seconds * 1000 + micros / 1000 - own_ms())
        });
        let answers: Vec<Result<i64>> = join_all(looks).await;
        let mut known = self
            .clock
            .primaries
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let names: Vec<String> = nodes.iter().map(Node::name).collect();
        known.retain(|name, _| names.contains(name));
        let mut outcome = Ok(());
        for (name, answer) in names.into_iter().zip(answers) {
            match answer {
                Ok(ahead) => drop(known.insert(name, ahead)),
                Err(error) => outcome = Err(error),
            }
        }
        match known.values().min() {
            Some(slowest) => {
                self.clock.ahead.store(*slowest, Ordering::Relaxed);
                Ok(())
            }
            None => outcome,
        }
    }
}

/// Milliseconds since some moment of this process, never set back or forth.
fn own_ms() -> i64 {
    static SINCE: OnceLock<Instant> = OnceLock::new();
    let since = SINCE.get_or_init(Instant::now).elapsed();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
