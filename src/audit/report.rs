//! The report of a check, as a table for people and as a JSON document.

use std::{
    collections::{BTreeMap, HashSet},
    fmt,
};

use serde::{Serialize, Serializer};
use serde_json::json;

use super::{
    fault::{Fault, Invariant},
    names,
    repair::{Effect, Repairs},
};
use crate::store::{self, Store};

/// Number of examples per broken invariant.
const EXAMPLES: usize = 5;
/// Number of repairs reported in words. Further ones are counted.
const REPAIRS: usize = 1000;

/// Advice for the remaining faults.
const ORPHANS: &str = "references to missing users are left. If keys or a whole shard were lost, restore \
                       them first. If nothing can be restored, --repair --drop-orphans removes these references.";
const INCOMPLETE: &str = "The check is incomplete, because slots moved between nodes. Run it again when \
                          they have settled.";

#[derive(Debug, Clone, Default)]
pub struct Finding {
    /// In the last walk.
    pub examined: u64,
    /// In all walks, each once.
    pub wrong: u64,
    /// Those that the last walk no longer found.
    pub repaired: u64,
    pub examples: Vec<String>,
}

/// Findings by invariant, and the repairs.
#[derive(Debug, Clone, Default)]
pub struct Report {
    findings: BTreeMap<Invariant, Finding>,
    /// Faults found so far, so that none counts twice.
    known: HashSet<u64>,
    repairs: Vec<String>,
    more_repairs: u64,
    failures: Vec<String>,
    under_way: u64,
    /// References to missing people found by the last walk.
    orphans: u64,
    /// Whether the last walk may have missed keys.
    incomplete: bool,
}

impl Report {
    pub(super) fn new() -> Self {
        let invariants = Invariant::all().iter().copied();
        Self {
            findings: invariants.map(|each| (each, Finding::default())).collect(),
            ..Self::default()
        }
    }

    /// Starts a walk. Faults that it does not find again are repaired.
    pub(super) fn begin_walk(&mut self) {
        for finding in self.findings.values_mut() {
            finding.examined = 0;
            finding.repaired = finding.wrong;
        }
        self.under_way = 0;
        self.orphans = 0;
    }

    /// Records whether the last walk met every key.
    pub(super) fn saw_all(&mut self, all: bool) {
        self.incomplete = !all;
    }

    pub(super) fn examined(&mut self, counts: &BTreeMap<Invariant, u64>) {
        for (invariant, count) in counts {
            self.findings.entry(*invariant).or_default().examined += count;
        }
    }

    pub(super) fn wrong(&mut self, fault: &Fault, seen: &mut HashSet<u64>) {
        let identity = fault.identity();
        if !seen.insert(identity) {
            return;
        }
        self.orphans += u64::from(fault.effect() == Some(Effect::Orphan));
        let finding = self.findings.entry(fault.invariant).or_default();
        if self.known.insert(identity) {
            finding.wrong += 1;
            if finding.examples.len() < EXAMPLES {
                finding.examples.push(fault.words());
            }
        } else {
            finding.repaired -= 1;
        }
    }

    pub(super) fn repaired(&mut self, repairs: Repairs) {
        for words in repairs.failed {
            if self.failures.len() < REPAIRS && !self.failures.contains(&words) {
                self.failures.push(words);
            }
        }
        let room = REPAIRS - self.repairs.len();
        self.more_repairs += repairs.done.len().saturating_sub(room) as u64;
        self.repairs.extend(repairs.done.into_iter().take(room));
    }

    pub(super) fn under_way(&mut self, count: u64) {
        self.under_way += count;
    }

    /// Returns whether everything was examined and all invariants hold, or hold again.
    pub fn is_clean(&self) -> bool {
        let mut findings = self.findings.values();
        !self.incomplete && findings.all(|finding| finding.wrong == finding.repaired)
    }

    /// Returns the findings in the order of the table of invariants.
    pub fn findings(&self) -> impl Iterator<Item = (Invariant, &Finding)> {
        let all = Invariant::all().iter();
        all.map(|invariant| (*invariant, &self.findings[invariant]))
    }

    pub(super) async fn resolve_names(&mut self, store: &Store) -> store::Result<()> {
        let examples = self.findings.values_mut();
        names::resolve(store, examples.flat_map(|finding| &mut finding.examples)).await
    }

    pub fn repairs(&self) -> &[String] {
        &self.repairs
    }

    /// Returns the number of remaining references to missing people.
    pub fn orphans(&self) -> u64 {
        self.orphans
    }

    /// Returns the number of faults that waiting work will repair.
    pub fn waiting(&self) -> u64 {
        self.under_way
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  examined   wrong repaired  invariant")?;
        for (Invariant { claim, .. }, finding) in self.findings() {
            write!(f, "{:>10} {:>7} ", finding.examined, finding.wrong)?;
            writeln!(f, "{:>8}  {claim}", finding.repaired)?;
            for example in &finding.examples {
                writeln!(f, "{:29}{example}", "")?;
            }
        }
        for words in &self.repairs {
            writeln!(f, "Repaired: {words}.")?;
        }
        if self.more_repairs > 0 {
            writeln!(f, "Repaired: {} more.", self.more_repairs)?;
        }
        for words in &self.failures {
            writeln!(f, "Repair failed: {words}.")?;
        }
        if self.orphans > 0 {
            writeln!(f, "{} {ORPHANS}", self.orphans)?;
        }
        if self.incomplete {
            writeln!(f, "{INCOMPLETE}")?;
        }
        if self.under_way > 0 {
            let count = self.under_way;
            writeln!(f, "{count} differences will be repaired by waiting tasks.")?;
        }
        match (self.is_clean(), self.repairs.is_empty()) {
            (true, true) => write!(f, "No faults."),
            (true, false) => write!(f, "All faults are repaired."),
            (false, _) => write!(f, "There are faults."),
        }
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let row = |(Invariant { name, claim }, finding): (Invariant, &Finding)| {
            json!({
                "invariant": name,
                "claim": claim,
                "examined": finding.examined,
                "wrong": finding.wrong,
                "repaired": finding.repaired,
                "examples": finding.examples,
            })
        };
        let document = json!({
            "clean": self.is_clean(),
            "complete": !self.incomplete,
            "invariants": self.findings().map(row).collect::<Vec<_>>(),
            "repairs": self.repairs,
            "more_repairs": self.more_repairs,
            "failures": self.failures,
            "orphans": self.orphans,
            "under_way": self.under_way,
        });
        document.serialize(serializer)
    }
}
