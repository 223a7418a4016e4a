//! The version of the stored data, `schema:version`, and the migration steps that raise it. A release
//! that changes stored data adds a step. At start a process refuses data of a newer version, and runs the
//! steps that older data lacks.

use std::{sync::atomic::Ordering, time::Duration};

use futures_util::future::LocalBoxFuture;
use tokio::time::sleep;

use crate::store::{
    Error, Result, Store,
    administration::count_acts,
    keys,
    leases::LeaseTime,
    polls::migration::note_votes_of_voters,
    redis::scripts::With,
    search::migration::{list_words_by_beginning, share_terms_of_pairs},
};

/// Lifetime of the lease of a migration. A process that dies in a step holds up the next one that long.
const LEASE_S: u64 = 15;
/// Time between two renewals of the lease.
const RENEWAL: Duration = Duration::from_secs(5);
/// Time between two looks at a migration that another process runs.
const POLL: Duration = Duration::from_millis(200);

/// A data version with the steps that lead to it.
#[derive(Debug, Clone, Copy)]
pub struct DataVersion<'a> {
    pub number: u64,
    /// One step for each version above 1, in order.
    pub steps: &'a [MigrationStep],
}

/// Brings data of one version to the next.
///
/// A step can be cut off anywhere and run again, also beside a process that stalled in the same step. So
/// it must be idempotent: it derives what it writes from data that it deletes last. It writes without
/// [`Store::begin`], which can be refused until all steps are done.
#[derive(Debug, Clone, Copy)]
pub struct MigrationStep {
    pub to: u64,
    /// What it changes, for the log.
    pub change: &'static str,
    pub run: for<'a> fn(&'a Store) -> LocalBoxFuture<'a, Result<()>>,
}

/// The version that this binary reads and writes.
pub const DATA_VERSION: DataVersion<'static> = DataVersion {
    number: 6,
    steps: &[
        MigrationStep {
            to: 2,
            change: "pairs of characters share terms of the search index",
            run: share_terms_of_pairs,
        },
        MigrationStep {
            to: 3,
            change: "votes are found from their voters",
            run: note_votes_of_voters,
        },
        MigrationStep {
            to: 4,
            change: "acts of the log are counted",
            run: count_acts,
        },
        MigrationStep {
            to: 5,
            change: "words are found by their beginnings",
            run: list_words_by_beginning,
        },
        MigrationStep {
            to: 6,
            change: "decisions are counted by their reason",
            run: count_acts,
        },
    ],
};

/// The reason why this binary must not touch the data.
#[derive(Debug, thiserror::Error)]
pub enum DataVersionError {
    #[error(
        "the data has version {found}, and this Redwing knows versions up to {known}. Start the newer \
         Redwing that wrote it, or restore a backup from before that upgrade"
    )]
    Newer { found: u64, known: u64 },
    #[error(
        "the data has no version: a Redwing from before the first release wrote it, and no release reads \
         it. Start with an empty database: another --data-dir or REDIS_URL"
    )]
    Missing,
    #[error(
        "schema:version holds {0:?}, which is no version. If a release wrote this data, set the key to the \
         version of that release (docs/deploy.md)"
    )]
    Unreadable(String),
    #[error(transparent)]
    Store(#[from] Error),
}

impl Store {
    /// Refuses writes until [`Store::prepare_data`] has succeeded. A process that starts before Redis calls
    /// it, so that no one signs up in data without a version.
    pub fn hold_writes(&self) {
        self.holds_writes.store(true, Ordering::Relaxed);
    }

    /// Returns once the data has this version: sets it on an empty database, and migrates older data.
    /// Processes that start together migrate once; the others wait.
    pub async fn prepare_data(
        &self,
        version: DataVersion<'_>,
    ) -> std::result::Result<(), DataVersionError> {
        let mut waits = false;
        loop {
            // In this order: a process that signs people up has set the version before.
            let has_people = self.has_people().await?;
            match self.stored_data_version().await? {
                None if has_people => return Err(DataVersionError::Missing),
                None => self.set_first_data_version(version.number).await?,
                Some(found) if found > version.number => {
                    return Err(DataVersionError::Newer {
                        found,
                        known: version.number,
                    });
                }
                Some(found) if found == version.number => {
                    self.holds_writes.store(false, Ordering::Relaxed);
                    return Ok(());
                }
                Some(_) if self.migrate(version.steps).await? => {}
                Some(found) => {
                    if !waits {
                        tracing::info!(found, "another process migrates the data; waiting for it");
                    }
                    waits = true;
                    sleep(POLL).await;
                }
            }
        }
    }

    /// Returns the version of the stored data, and changes nothing. `None` if it has none that can be read.
    pub async fn found_data_version(&self) -> Result<Option<u64>> {
        match self.stored_data_version().await {
            Ok(version) => Ok(version),
            Err(DataVersionError::Store(error)) => Err(error),
            Err(_) => Ok(None),
        }
    }

    async fn stored_data_version(&self) -> std::result::Result<Option<u64>, DataVersionError> {
        let get = redis::cmd("GET").with(keys::SCHEMA_VERSION);
        let text: Option<String> = self.connection.query(get).await?;
        let Some(text) = text else { return Ok(None) };
        match text.parse() {
            Ok(number) if number > 0 => Ok(Some(number)),
            _ => Err(DataVersionError::Unreadable(text)),
        }
    }

    async fn has_people(&self) -> Result<bool> {
        for key in [keys::NEXT_USER_ID, keys::PEOPLE_NEWEST] {
            let exists = redis::cmd("EXISTS").with(key);
            if self.connection.query(exists).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Sets the version of an empty database, unless another process has set one.
    async fn set_first_data_version(&self, number: u64) -> Result<()> {
        let set = redis::cmd("SET").with((keys::SCHEMA_VERSION, number, "NX"));
        let _was_set: Option<String> = self.connection.write_durably(set).await?;
        Ok(())
    }

    /// Runs the steps that the data lacks. Returns `false` if another process does.
    async fn migrate(
        &self,
        steps: &[MigrationStep],
    ) -> std::result::Result<bool, DataVersionError> {
        let token = format!("{:032x}", rand::random::<u128>());
        if !self
            .take_lease(keys::SCHEMA_LEASE, &token, LeaseTime::of(LEASE_S))
            .await?
        {
            return Ok(false);
        }
        let outcome = tokio::select! {
            outcome = self.run_steps(steps) => outcome,
            error = self.renew_lease(&token) => Err(error.into()),
        };
        let released = self.release_lease(keys::SCHEMA_LEASE, &token).await;
        outcome?;
        released?;
        Ok(true)
    }

    /// Runs each step above the stored version, and writes the version after each.
    async fn run_steps(
        &self,
        steps: &[MigrationStep],
    ) -> std::result::Result<(), DataVersionError> {
        for step in steps {
            let from = self.stored_data_version().await?.unwrap_or_default();
            if step.to <= from {
                continue;
            }
            tracing::info!(from, to = step.to, "migrating the data: {}", step.change);
            (step.run)(self).await?;
            // A failover that loses this runs the step again.
            self.raise_counter(keys::SCHEMA_VERSION, step.to).await?;
        }
        Ok(())
    }

    /// Renews the lease until it is lost.
    async fn renew_lease(&self, token: &str) -> Error {
        let aside = self.without_fuse();
        loop {
            sleep(RENEWAL).await;
            match aside
                .take_lease(keys::SCHEMA_LEASE, token, LeaseTime::of(LEASE_S))
                .await
            {
                Ok(true) => {}
                Ok(false) => return Error::Unavailable("the migration's lease is lost".into()),
                Err(error) => return error,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_above_the_first_has_a_migration_step() {
        let to: Vec<u64> = DATA_VERSION.steps.iter().map(|step| step.to).collect();
        let above_the_first = (1..=DATA_VERSION.number).skip(1);
        assert_eq!(to, above_the_first.collect::<Vec<u64>>());
    }
}
