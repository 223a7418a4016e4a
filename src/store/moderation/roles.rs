//! The people who run the site, and the numbers of things that wait for them. Every page of these people shows these
//! numbers, so each process keeps a copy and reads it again every few seconds.

use std::{
    collections::HashMap,
    sync::Arc,
    sync::atomic::{AtomicU64, Ordering},
    time::Instant,
};

use parking_lot::RwLock;

use crate::{
    domain::{Power, Role, may},
    store::prelude::*,
};

/// Time after which a process reads again.
const FRESH_MS: u64 = 5000;

/// The people who run the site, and the numbers of people in the queues.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct StaffState {
    roles: HashMap<UserId, Role>,
    /// Number of people with reports, and with appeals.
    waiting: u64,
    /// Number of requests to join that wait.
    applicants: u64,
}

impl StaffState {
    /// Returns whether a person had a power when this was read.
    pub fn has_power(&self, person: UserId, power: Power) -> bool {
        may(self.roles.get(&person).copied(), power)
    }

    /// Returns the number of people in the queue, if a person may work on it.
    pub fn waiting_for(&self, person: UserId) -> Option<u64> {
        self.has_power(person, Power::Moderate)
            .then_some(self.waiting)
    }

    /// Returns the number of requests to join, if a person may answer them.
    pub fn applicants_for(&self, person: UserId) -> Option<u64> {
        self.has_power(person, Power::AnswerApplicants)
            .then_some(self.applicants)
    }
}

/// The copy that all threads of a process share.
pub(in crate::store) struct StaffStateCopy {
    staff_state: RwLock<Arc<StaffState>>,
    begun: Instant,
    /// The time of the next read, in ms since the beginning.
    due_ms: AtomicU64,
}

impl Default for StaffStateCopy {
    fn default() -> Self {
        Self {
            staff_state: RwLock::default(),
            begun: Instant::now(),
            due_ms: AtomicU64::new(FRESH_MS),
        }
    }
}

impl StaffStateCopy {
    /// Returns whether this caller is to read again.
    fn is_due(&self) -> bool {
        let now_ms = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let due_ms = self.due_ms.load(Ordering::Relaxed);
        let next_ms = now_ms.saturating_add(FRESH_MS);
        now_ms >= due_ms
            && self
                .due_ms
                .compare_exchange(due_ms, next_ms, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
    }
}

impl Store {
    /// Returns the people who run the site, and what waits for them, as this process knows it.
    pub fn known_staff_state(&self) -> Arc<StaffState> {
        if self.staff_state.is_due() {
            let aside = self.without_fuse();
            tokio::spawn(async move {
                if let Err(error) = aside.read_staff_state().await {
                    tracing::debug!(%error, "the queues of the administration were not read");
                }
            });
        }
        self.staff_state.staff_state.read().clone()
    }

    /// Reads the people who run the site, and what waits for them. One round trip.
    pub async fn read_staff_state(&self) -> Result<Arc<StaffState>> {
        let answers = self
            .connection
            .batch(vec![
                redis::cmd("HGETALL").with(keys::ADMIN_ROLES),
                redis::cmd("ZCARD").with(keys::ADMIN_REPORTS),
                redis::cmd("ZCARD").with(keys::ADMIN_APPEALS),
                redis::cmd("ZCARD").with(keys::PEOPLE_WAITING),
            ])
            .await?;
        let mut answers = answers.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let roles = parse_roles(&read(next())?);
        let [reports, appeals, applicants]: [u64; 3] =
            [read(next())?, read(next())?, read(next())?];
        let staff_state = StaffState {
            roles,
            waiting: reports + appeals,
            applicants,
        };
        // An unchanged state stays the same object, so that cached pages made with it stay valid.
        let mut known = self.staff_state.staff_state.write();
        if **known != staff_state {
            *known = Arc::new(staff_state);
        }
        Ok(Arc::clone(&known))
    }

    /// Returns the people who run the site, with their roles.
    pub async fn people_with_roles(&self) -> Result<HashMap<UserId, Role>> {
        let read = redis::cmd("HGETALL").with(keys::ADMIN_ROLES);
        let roles: HashMap<String, String> = self.connection.query(read).await?;
        Ok(parse_roles(&roles))
    }

    /// Returns the role of a person in the mirror.
    pub async fn mirrored_role(&self, person: UserId) -> Result<Option<String>> {
        let read = redis::cmd("HGET").with((keys::ADMIN_ROLES, person.get()));
        self.connection.query(read).await
    }

    /// Writes the mirror of the role of a person.
    pub async fn mirror_role(&self, person: UserId, role: Option<Role>) -> Result<()> {
        let write = match role {
            Some(role) => redis::cmd("HSET").with((keys::ADMIN_ROLES, person.get(), role.as_str())),
            None => redis::cmd("HDEL").with((keys::ADMIN_ROLES, person.get())),
        };
        self.connection.query::<i64>(write).await.map(drop)
    }
}

fn parse_roles(stored: &HashMap<String, String>) -> HashMap<UserId, Role> {
    let roles = stored
        .iter()
        .filter_map(|(id, role)| Some((id.parse().ok()?, role.parse().ok()?)));
    roles.collect()
}
