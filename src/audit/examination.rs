//! Examination of keys for all invariants. Keys of one kind share round trips, and groups of keys are
//! examined concurrently. An unreadable key is a fault and does not stop the others.

use std::{
    collections::HashMap,
    fmt::Display,
    mem::{Discriminant, discriminant},
};

use futures_util::{StreamExt, TryStreamExt, stream};

use super::{
    fault::{Fault, Findings, Invariant, Subject, UserIds},
    invariants, names,
};
use crate::{
    domain::{Login, StatusId},
    store::{Chunk, Error, FoundKey, Key, Life, Result, Store, StoredStatus, UnixMs, UserSnapshot},
};

const CONCURRENT_GROUPS: usize = 32;
/// Number of keys, statuses or logins per round trip.
const KEYS_PER_GROUP: usize = 500;
/// Number of index chunks examined together. Most are small and share texts.
const CHUNKS_PER_GROUP: usize = 100;

/// Tolerance of an id ahead of Redis' clock, in ms: clocks are adjusted, and those of primaries differ.
const FUTURE_MS: u64 = 86_400_000;

/// Keys that are examined together.
pub(super) enum Group {
    Keys(Vec<FoundKey>),
    /// Values of keys of one kind.
    Values(Vec<Key>),
    /// The site as a whole, after a walk that met these ids.
    Site(UserIds),
}

/// The values that are examined together.
pub(super) enum Target {
    Keys(Vec<FoundKey>),
    /// A user with a login, and the latest possible time.
    User(Box<UserSnapshot>, UnixMs),
    UserWithoutLogin(Box<UserSnapshot>),
    Statuses(Vec<ExaminedStatus>),
    Logins(Vec<Login>),
    Postings(Vec<Chunk>),
    Key(Key),
    Site(UserIds),
}

pub(super) struct Examination<'a> {
    pub(super) store: &'a Store,
    pub(super) target: &'a Target,
    pub(super) findings: Findings,
}

impl Examination<'_> {
    pub(super) fn examined(&mut self, invariant: Invariant, count: usize) {
        *self.findings.examined.entry(invariant).or_default() += count as u64;
    }

    pub(super) fn found(&mut self, fault: Fault) {
        self.findings.found(fault);
    }

    /// Returns the items whose entries are missing in their sorted sets. One round trip.
    pub(super) async fn without_entry<T, Member: Display>(
        &self,
        items: Vec<T>,
        entry: impl Fn(&T) -> (Key, Member),
    ) -> Result<Vec<T>> {
        let contained = self.store.contain_each(items.iter().map(entry)).await?;
        let missing = items.into_iter().zip(contained).filter(|(_, is)| !is);
        Ok(missing.map(|(item, _)| item).collect())
    }
}

pub(super) struct ExaminedStatus {
    pub(super) id: StatusId,
    pub(super) stored: StoredStatus,
    pub(super) life: Life,
}

/// Returns the contents of keys of one kind.
macro_rules! contents {
    ($keys:expr, $kind:path) => {{
        let contents = $keys.iter().filter_map(|key| match key {
            $kind(content) => Some(content.clone()),
            _ => None,
        });
        contents.collect::<Vec<_>>()
    }};
}
impl Group {
    /// Returns the only thing of the group, with its name.
    pub(super) fn single(&self) -> Option<(Subject, String)> {
        match self {
            Self::Keys(keys) => match &keys[..] {
                [key] => Some((Subject::Key(key.name.clone()), key.name.clone())),
                _ => None,
            },
            Self::Values(keys) => match &keys[..] {
                [key] => Some((key.into(), names::key(key))),
                _ => None,
            },
            Self::Site(ids) => Some((Subject::Site(*ids), "the site".to_owned())),
        }
    }

    fn split(self) -> Vec<Self> {
        match self {
            Self::Keys(keys) => keys.into_iter().map(|key| Self::Keys(vec![key])).collect(),
            Self::Values(keys) => keys
                .into_iter()
                .map(|key| Self::Values(vec![key]))
                .collect(),
            Self::Site(_) => Vec::new(),
        }
    }

    /// Reads the values that several invariants share.
    async fn read(&self, store: &Store) -> Result<Target> {
        let keys = match self {
            Self::Keys(found) => return Ok(Target::Keys(found.clone())),
            Self::Site(ids) => return Ok(Target::Site(*ids)),
            Self::Values(keys) => keys,
        };
        Ok(match &keys[0] {
            Key::User(id) => {
                let user = store.user_snapshot(*id).await?;
                let latest = UnixMs(store.now().await?.0 + FUTURE_MS);
                match user.login {
                    Some(_) => Target::User(Box::new(user), latest),
                    None => Target::UserWithoutLogin(Box::new(user)),
                }
            }
            Key::Status(_) => {
                let ids = contents!(keys, Key::Status);
                Target::Statuses(read_statuses(store, &ids).await?)
            }
            Key::Login(_) => Target::Logins(contents!(keys, Key::Login)),
            Key::Postings(_) => Target::Postings(contents!(keys, Key::Postings)),
            other => Target::Key(other.clone()),
        })
    }
}

async fn read_statuses(store: &Store, ids: &[StatusId]) -> Result<Vec<ExaminedStatus>> {
    let stored = store.stored_statuses(ids).await?;
    let lives = store.lives(ids).await?;
    let statuses = ids.iter().zip(stored).zip(lives);
    let existing = statuses.filter_map(|((id, stored), life)| {
        let (id, stored) = (*id, stored?);
        Some(ExaminedStatus { id, stored, life })
    });
    Ok(existing.collect())
}

/// Examines keys that exist. The values of keys with a wrong type are not read.
pub(super) async fn examine_keys(store: &Store, found: Vec<FoundKey>) -> Result<Findings> {
    let mut kinds: HashMap<Discriminant<Key>, Vec<Key>> = HashMap::new();
    for found in &found {
        let known = found.key.as_ref();
        if let Some(key) = known.filter(|key| key.redis_type().as_str() == found.redis_type) {
            let keys = kinds.entry(discriminant(key)).or_default();
            keys.push(key.clone());
        }
    }
    let mut groups: Vec<Group> = Vec::new();
    for keys in kinds.into_values() {
        let size = match keys[0] {
            Key::Status(_) | Key::Login(_) => KEYS_PER_GROUP,
            Key::Postings(_) => CHUNKS_PER_GROUP,
            _ => 1,
        };
        groups.extend(keys.chunks(size).map(|keys| Group::Values(keys.to_vec())));
    }
    let names = found.chunks(KEYS_PER_GROUP);
    groups.extend(names.map(|found| Group::Keys(found.to_vec())));
    examine_groups(store, groups).await
}

/// Examines these subjects, as far as they exist.
pub(super) async fn examine(store: &Store, subjects: Vec<Subject>) -> Result<Findings> {
    let (mut names, mut groups) = (Vec::new(), Vec::new());
    for subject in subjects {
        match subject {
            Subject::Key(name) => names.push(name),
            Subject::Site(ids) => groups.push(Group::Site(ids)),
        }
    }
    let mut found = Vec::with_capacity(names.len());
    for names in names.chunks(KEYS_PER_GROUP) {
        found.extend(store.look_up(names).await?);
    }
    let findings = examine_groups(store, groups).await?;
    Ok(findings.add(examine_keys(store, found).await?))
}

async fn examine_groups(store: &Store, groups: Vec<Group>) -> Result<Findings> {
    let examined = stream::iter(groups).map(|group| examine_group(store, group));
    let examined = examined.buffer_unordered(CONCURRENT_GROUPS);
    let add = async |all: Findings, findings| Ok(all.add(findings));
    examined.try_fold(Findings::default(), add).await
}

/// Examines a group. If a value cannot be read, each key is examined by itself.
async fn examine_group(store: &Store, group: Group) -> Result<Findings> {
    match examine_together(store, &group).await {
        Err(Error::Unexpected { .. }) => {}
        findings => return findings,
    }
    let mut all = Findings::default();
    for group in group.split() {
        match (examine_together(store, &group).await, group.single()) {
            (Err(Error::Unexpected { answer, .. }), Some(single)) => {
                all.found(invariants::unreadable(single, &answer));
            }
            (findings, _) => all = all.add(findings?),
        }
    }
    Ok(all)
}

async fn examine_together(store: &Store, group: &Group) -> Result<Findings> {
    let target = group.read(store).await?;
    let mut exam = Examination {
        store,
        target: &target,
        findings: Findings::default(),
    };
    invariants::examine(&mut exam, group).await?;
    Ok(exam.findings)
}
