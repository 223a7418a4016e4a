//! What a check found, as a table for people and as one JSON document.

use std::{
    collections::{BTreeMap, HashSet},
    fmt,
};

use serde::{Serialize, Serializer, ser::SerializeStruct};

use super::{Invariant, fault::Fault, repair::Repairs};

/// How many examples of a broken invariant are kept.
const EXAMPLES: usize = 5;
/// How many mends are kept in words; the others are counted.
const REPAIRS: usize = 1000;

/// What is to be done about what was left.
const ORPHANS: &str = "that lead to nobody who is there. Were keys or a whole shard lost, restore them \
                       first; where there is nothing to restore, --repair --drop-orphans drops these.";
const INCOMPLETE: &str = "Not everything was seen: slots moved from node to node all the while. Run this \
                          again when they have arrived.";

/// What was found about one invariant.
#[derive(Debug, Clone, Default)]
pub struct Finding {
    /// In the last walk.
    pub examined: u64,
    /// In all walks, each once.
    pub wrong: u64,
    /// Of those the ones that the last walk did not find any more.
    pub repaired: u64,
    pub examples: Vec<String>,
}

/// What was found, by invariant, and what was done about it.
#[derive(Debug, Clone)]
pub struct Report {
    findings: BTreeMap<Invariant, Finding>,
    /// What was found so far, so that nothing counts twice.
    known: HashSet<u64>,
    repairs: Vec<String>,
    more_mends: u64,
    failures: Vec<String>,
    under_way: u64,
    /// What the last walk found that leads to nobody who is there.
    orphans: u64,
    complete: bool,
}

impl Report {
    pub(super) fn new() -> Self {
        let findings = Invariant::ALL.map(|invariant| (invariant, Finding::default()));
        Self {
            findings: findings.into(),
            known: HashSet::new(),
            repairs: Vec::new(),
            more_mends: 0,
            failures: Vec::new(),
            under_way: 0,
            orphans: 0,
            complete: true,
        }
    }

    /// A walk begins: what it does not find again is mended.
    pub(super) fn begin_walk(&mut self) {
        for finding in self.findings.values_mut() {
            finding.examined = 0;
            finding.repaired = finding.wrong;
        }
        self.under_way = 0;
        self.orphans = 0;
    }

    /// Whether the last walk met every key.
    pub(super) fn saw_all(&mut self, all: bool) {
        self.complete = all;
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
        self.orphans += u64::from(fault.remedy.drops_orphans());
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
        for words in repairs.done {
            if self.repairs.len() < REPAIRS {
                self.repairs.push(words);
            } else {
                self.more_mends += 1;
            }
        }
    }

    pub(super) fn under_way(&mut self, count: u64) {
        self.under_way += count;
    }

    /// All was seen, and holds or does again.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        let mut findings = self.findings.values();
        self.complete && findings.all(|finding| finding.wrong == finding.repaired)
    }

    pub fn findings(&self) -> impl Iterator<Item = (Invariant, &Finding)> {
        let findings = self.findings.iter();
        findings.map(|(invariant, finding)| (*invariant, finding))
    }

    /// What was done, in words.
    #[must_use]
    pub fn repairs(&self) -> &[String] {
        &self.repairs
    }

    /// How much leads to nobody who is there, and was left.
    #[must_use]
    pub fn orphans(&self) -> u64 {
        self.orphans
    }

    /// How much disagrees only until work that waits is done.
    #[must_use]
    pub fn waiting(&self) -> u64 {
        self.under_way
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:>10} {:>7} {:>7}  invariant",
            "examined", "wrong", "mended"
        )?;
        for (invariant, finding) in self.findings() {
            let Finding {
                examined,
                wrong,
                repaired,
                ..
            } = finding;
            writeln!(
                f,
                "{examined:>10} {wrong:>7} {repaired:>7}  {}",
                invariant.claim()
            )?;
            for example in &finding.examples {
                writeln!(f, "{:28}{example}", "")?;
            }
        }
        for words in &self.repairs {
            writeln!(f, "Mended: {words}.")?;
        }
        if self.more_mends > 0 {
            writeln!(f, "Mended: {} things more.", self.more_mends)?;
        }
        for words in &self.failures {
            writeln!(f, "Could not do this: {words}.")?;
        }
        if self.orphans > 0 {
            writeln!(f, "Left: {} {ORPHANS}", self.orphans)?;
        }
        if !self.complete {
            writeln!(f, "{INCOMPLETE}")?;
        }
        if self.under_way > 0 {
            writeln!(f, "Under way: {} copies wait for tasks.", self.under_way)?;
        }
        match (self.is_clean(), self.repairs.is_empty()) {
            (true, true) => write!(f, "All is well."),
            (true, false) => write!(f, "All is well again."),
            (false, _) => write!(f, "Not all is well."),
        }
    }
}

/// A row of the JSON document.
#[derive(Serialize)]
struct Row<'a> {
    invariant: Invariant,
    claim: &'static str,
    examined: u64,
    wrong: u64,
    repaired: u64,
    examples: &'a [String],
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rows: Vec<Row<'_>> = self
            .findings()
            .map(|(invariant, finding)| Row {
                invariant,
                claim: invariant.claim(),
                examined: finding.examined,
                wrong: finding.wrong,
                repaired: finding.repaired,
                examples: &finding.examples,
            })
            .collect();
        let mut document = serializer.serialize_struct("Report", 8)?;
        document.serialize_field("clean", &self.is_clean())?;
        document.serialize_field("complete", &self.complete)?;
        document.serialize_field("invariants", &rows)?;
        document.serialize_field("mends", &self.repairs)?;
        document.serialize_field("more_mends", &self.more_mends)?;
        document.serialize_field("failures", &self.failures)?;
        document.serialize_field("orphans", &self.orphans)?;
        document.serialize_field("under_way", &self.under_way)?;
        document.end()
    }
}
