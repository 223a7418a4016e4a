//! The numbers of acts by day and month, for the public page. They follow from the log, which is in the same slot, and
//! change in one step with it.

use futures_util::future::LocalBoxFuture;

use crate::{
    domain::{ActCounts, LoggedAct},
    store::prelude::*,
};

script_calls! {
    RecountActs = "recount_acts"(log, act_counts; last_us: u64, [counts: Vec<String>]);
}

/// Entries of the log that one command reads.
const ENTRIES_AT_ONCE: usize = 1000;
/// Attempts to count while acts are logged.
const ATTEMPTS: usize = 10;

/// The numbers of acts that follow from the log.
#[derive(Debug, Clone)]
pub struct RecountedActs {
    pub counts: ActCounts,
    /// The time (µs) of the last act of the log, or 0.
    last_us: u64,
}

impl Store {
    /// Returns the numbers of acts that are shown now, as they are stored. One round trip.
    pub async fn act_counts(&self) -> Result<ActCounts> {
        let read = redis::cmd("HGETALL").with(keys::ACT_COUNTS);
        let fields: Vec<(String, u64)> = self.connection.query(read).await?;
        Ok(ActCounts::stored(fields).shown(self.now().await?))
    }

    /// Counts the acts of the log that are shown now. Reads the log of a year.
    pub async fn acts_in_log(&self) -> Result<RecountedActs> {
        let now = self.now().await?;
        let mut counts = ActCounts::default();
        let mut from = (ActCounts::beginning(now).0 * 1000).to_string();
        let mut last_us = self.last_act_us().await?;
        loop {
            let range = range_by_score(keys::ADMIN_LOG, from, "+inf", ENTRIES_AT_ONCE);
            let rows: Vec<(String, f64)> = self.connection.query(range.with("WITHSCORES")).await?;
            for (text, score) in &rows {
                last_us = *score as u64;
                let logged: Option<LoggedAct> = text.parse().ok();
                if let Some(logged) = logged {
                    counts.add(UnixMs(last_us / 1000), &logged.act);
                }
            }
            if rows.len() < ENTRIES_AT_ONCE {
                let counts = counts.shown(now);
                return Ok(RecountedActs { counts, last_us });
            }
            from = format!("({last_us}");
        }
    }

    async fn last_act_us(&self) -> Result<u64> {
        let last = redis::cmd("ZRANGE").with((keys::ADMIN_LOG, -1, -1, "WITHSCORES"));
        let last: Vec<(String, f64)> = self.connection.query(last).await?;
        Ok(last.first().map_or(0, |(_, score)| *score as u64))
    }

    /// Stores the numbers of acts that follow from the log. Starts over if an act was logged meanwhile.
    pub async fn recount_acts(&self) -> Result<()> {
        for _ in 0..ATTEMPTS {
            let counted = self.acts_in_log().await?;
            let fields = counted.counts.fields();
            let recount = RecountActs {
                log: keys::ADMIN_LOG.to_owned(),
                act_counts: keys::ACT_COUNTS.to_owned(),
                last_us: counted.last_us,
                counts: fields
                    .flat_map(|(field, count)| [field, count.to_string()])
                    .collect(),
            };
            let outcomes = ["counted", "outdated"];
            if self.connection.succeeds(&recount, outcomes).await? {
                return Ok(());
            }
        }
        Err(Error::Unavailable("the log changes all the time".into()))
    }
}

/// Counts the acts that were logged before there were counts, or counts by reason: the migration steps to versions 4
/// and 6.
pub(in crate::store) fn count_acts(store: &Store) -> LocalBoxFuture<'_, Result<()>> {
    Box::pin(store.recount_acts())
}
