//! Faults, and the findings of an examination.

use std::{
    collections::BTreeMap,
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
};

use super::{
    names,
    repair::{self, Changed, Effect, RepairStep},
    work::Work,
};
use crate::{
    domain::StatusId,
    store::{Key, KeyOwner, Result, Store},
};

/// An invariant that `redwing check` verifies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Invariant {
    pub name: &'static str,
    pub claim: &'static str,
}

impl Invariant {
    pub(super) const fn new(name: &'static str, claim: &'static str) -> Self {
        Self { name, claim }
    }
}

/// A thing that is examined by itself, and again if a fault was found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Subject {
    Key(String),
    /// The site as a whole, after a walk that met these ids.
    Site(UserIds),
}

impl From<&Key> for Subject {
    /// Returns the subject that covers a key. A user covers the user's keys and lists.
    fn from(key: &Key) -> Self {
        match key.owner() {
            KeyOwner::User(owner) => Self::Key(Key::User(owner).name()),
            KeyOwner::List(list) => Self::Key(Key::User(list.owner).name()),
            _ => Self::Key(key.name()),
        }
    }
}

impl From<Key> for Subject {
    fn from(key: Key) -> Self {
        Self::from(&key)
    }
}

/// The two largest user ids met. One far above the other was never drawn.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct UserIds {
    pub(super) largest: u64,
    pub(super) second: u64,
}

impl UserIds {
    pub(super) fn add(&mut self, id: u64) {
        if id > self.largest {
            (self.largest, self.second) = (id, self.largest);
        } else if id < self.largest {
            self.second = self.second.max(id);
        }
    }

    pub(super) fn add_all(&mut self, other: Self) {
        self.add(other.second);
        self.add(other.largest);
    }
}

pub(super) struct Fault {
    pub(super) invariant: Invariant,
    pub(super) subject: Subject,
    /// Description of the fault, equal at each look. With the invariant it identifies the fault.
    text: String,
    /// Numbers that differ from look to look.
    detail: String,
    /// The fault does not count while one of these is under way.
    pub(super) work: Vec<Work>,
    /// `None` if the fault is only reported.
    pub(super) repair: Option<RepairStep>,
}

impl Fault {
    pub(super) fn new(
        invariant: Invariant,
        subject: impl Into<Subject>,
        text: impl Into<String>,
    ) -> Self {
        Self {
            invariant,
            subject: subject.into(),
            text: text.into(),
            detail: String::new(),
            work: Vec::new(),
            repair: None,
        }
    }

    /// Creates the fault of a living status that is missing in a key.
    pub(super) fn missing_status(invariant: Invariant, id: StatusId, key: &Key) -> Self {
        let text = format!("{} is missing in {}", names::status(id), names::key(key));
        Self::new(invariant, Key::Status(id), text)
            .unless(Key::Status(id))
            .repair_by(repair::reconcile_status(id))
    }

    pub(super) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    /// Ignores the fault while this work is under way.
    pub(super) fn unless(mut self, work: impl Into<Work>) -> Self {
        self.work.push(work.into());
        self
    }

    pub(super) fn repair_by(mut self, repair: impl Into<Option<RepairStep>>) -> Self {
        self.repair = repair.into();
        self
    }

    /// Adds a repair of derived copies.
    pub(super) fn repair<F, Steps, Done>(self, words: String, steps: Steps) -> Self
    where
        F: Future<Output = Result<Done>> + Send + 'static,
        Steps: FnOnce(Store) -> F + Send + Sync + 'static,
        Done: Changed,
    {
        self.repair_by(RepairStep::new(words, steps))
    }

    pub(super) fn effect(&self) -> Option<Effect> {
        self.repair.as_ref().map(|repair| repair.effect)
    }

    pub(super) fn repair_words(&self) -> Option<&str> {
        self.repair.as_ref().map(|repair| repair.words.as_str())
    }

    /// Returns a short identity that is equal at each look.
    pub(super) fn identity(&self) -> u64 {
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        hasher.hash_one((self.invariant, &self.text))
    }

    pub(super) fn words(&self) -> String {
        if self.detail.is_empty() {
            self.text.clone()
        } else {
            format!("{}: {}", self.text, self.detail)
        }
    }
}

/// Maximum number of faults recorded per examination. Further ones are found after repairs.
const FAULTS_PER_EXAMINATION: usize = 5000;

/// Number of examined items and the faults found.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) examined: BTreeMap<Invariant, u64>,
    pub(super) faults: Vec<Fault>,
    /// Ids of existing and former users.
    pub(super) ids: UserIds,
}

impl Findings {
    pub(super) fn found(&mut self, fault: Fault) {
        if self.faults.len() < FAULTS_PER_EXAMINATION {
            self.faults.push(fault);
        }
    }

    /// Returns the approximate number of rows read.
    pub(super) fn row_count(&self) -> u64 {
        self.examined.values().sum()
    }

    pub(super) fn add(mut self, other: Self) -> Self {
        for (invariant, count) in other.examined {
            *self.examined.entry(invariant).or_default() += count;
        }
        self.faults.extend(other.faults);
        self.ids.add_all(other.ids);
        self
    }
}
