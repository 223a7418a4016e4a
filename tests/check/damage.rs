//! The list of breakages: in which ways each invariant is broken, and what becomes of it.

use redwing::audit::Invariant;

const LIST: &str = include_str!("breakages.txt");

/// What a repair makes of a breakage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Everything is again as it was.
    Whole,
    /// What was truth is gone; all that is left agrees.
    Consistent,
    /// Everything is again as it was, once the repair is told to drop what leads to nobody.
    Orphaned,
    /// Only lost truth could mend it: it stays, and is reported.
    Reported,
}

pub struct Breakage {
    pub invariant: Invariant,
    pub outcome: Outcome,
    /// One a line.
    pub commands: String,
    /// Words of an example.
    pub example: &'static str,
}

/// All that break one of these invariants.
pub fn of(invariants: &[Invariant]) -> Vec<Breakage> {
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

fn named(name: &str) -> Invariant {
    Invariant::ALL
        .into_iter()
        .find(|invariant| format!("{invariant:?}") == name)
        .unwrap_or_else(|| panic!("not an invariant: {name}"))
}
