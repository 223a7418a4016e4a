//! The table of breakages: the ways to break each invariant, and the outcome of the repair.

use redwing::audit::Invariant;

const LIST: &str = include_str!("breakages.txt");

/// Outcome of a repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The state equals the original.
    Whole,
    /// Source data is gone, and the remaining data is consistent.
    Consistent,
    /// The state equals the original after the repair may also drop orphans.
    Orphaned,
    /// Only lost source data could repair it: the fault stays and is reported.
    Reported,
}

pub struct Breakage {
    pub invariant: &'static str,
    pub outcome: Outcome,
    /// One command per line.
    pub commands: String,
    /// Text of an example.
    pub example: &'static str,
}

/// Returns all breakages of these invariants.
pub fn of(invariants: &[&str]) -> Vec<Breakage> {
    let mut all = all();
    all.retain(|breakage| invariants.contains(&breakage.invariant));
    all
}

pub fn all() -> Vec<Breakage> {
    let mut invariant = None;
    let mut breakages = Vec::new();
    let lines = LIST.lines().filter(|line| !line.starts_with('#'));
    for line in lines.filter(|line| !line.is_empty()) {
        if let Some(name) = line.strip_prefix('[') {
            invariant = Some(named(name.trim_end_matches(']')));
            continue;
        }
        let [outcome, commands, example] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("not a breakage: {line}");
        };
        breakages.push(Breakage {
            invariant: invariant.expect("a list begins with an invariant"),
            outcome: match outcome {
                "whole" => Outcome::Whole,
                "consistent" => Outcome::Consistent,
                "orphaned" => Outcome::Orphaned,
                "reported" => Outcome::Reported,
                other => panic!("not an outcome: {other}"),
            },
            commands: commands.replace("; ", "\n"),
            example,
        });
    }
    breakages
}

fn named(name: &str) -> &'static str {
    let found = Invariant::all().iter().find(|known| known.name == name);
    found
        .unwrap_or_else(|| panic!("not an invariant: {name}"))
        .name
}
