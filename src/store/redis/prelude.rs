//! What scripts have in common, `prelude.lua`, in pieces: a script begins with those that it
//! names and those that these name. Redis makes the functions anew at each call of a script, so all of
//! them before each would cost more than some scripts do.

use std::collections::HashSet;

const PRELUDE: &str = include_str!("prelude.lua");

/// The pieces that a script's text needs, in their order.
pub(in crate::store) fn before(script: &str) -> String {
    let mut wanted: HashSet<&str> = words(script).collect();
    let mut needed = Vec::new();
    // A piece names only what stands above it.
    for piece in PRELUDE.split("\n\n").collect::<Vec<_>>().into_iter().rev() {
        if declared(piece).any(|name| wanted.contains(name)) {
            wanted.extend(words(piece));
            needed.push(piece);
        }
    }
    needed.reverse();
    needed.iter().flat_map(|piece| [piece, "\n\n"]).collect()
}

/// What a piece declares for what stands below it: functions, constants.
fn declared(piece: &str) -> impl Iterator<Item = &str> {
    code(piece)
        .filter_map(|line| line.strip_prefix("local "))
        .flat_map(|declared| match declared.strip_prefix("function ") {
            Some(function) => words(function).take(1).collect::<Vec<_>>(),
            None => words(declared.split('=').next().unwrap_or_default()).collect(),
        })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    code(text)
        .flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
        .filter(|word| !word.is_empty())
}

/// The lines below the contract at the top that are no comments of their own.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let contract = text
        .strip_prefix("--[[")
        .and_then(|text| text.split_once("]]"));
    let lines = contract.map_or(text, |(_, code)| code).lines();
    lines.filter(|line| !line.trim_start().starts_with("--"))
}

#[cfg(test)]
mod tests {
    use super::{PRELUDE, before, declared};
    use crate::store::redis::scripts;

    #[test]
    fn a_script_begins_with_what_it_names_and_what_that_names_and_nothing_else() {
        let before = before("return tell(KEYS[1], KEYS[2])");
        let names: Vec<&str> = before.split("\n\n").flat_map(declared).collect();
        assert_eq!(names, ["announce", "tell"]);
        assert_eq!(super::before("return redis.call('GET', KEYS[1])"), "");
    }

    #[test]
    fn constants_come_with_what_uses_them() {
        let before = before("watch(KEYS[1])");
        assert!(before.contains("local WATCHED_S, ARRIVALS = "), "{before}");
        assert!(before.contains("local function watch("), "{before}");
        assert!(!before.contains("local function arrive("), "{before}");
    }

    /// Nothing below a piece is named by it, so that going through them once from below is enough.
    #[test]
    fn each_piece_names_only_what_stands_above_it() {
        let pieces: Vec<&str> = PRELUDE.split("\n\n").collect();
        for (at, piece) in pieces.iter().enumerate() {
            for below in pieces.iter().skip(at + 1).flat_map(|piece| declared(piece)) {
                let named = super::words(piece).any(|word| word == below);
                assert!(!named, "{below} is named above: {piece}");
            }
        }
    }

    #[test]
    fn every_piece_is_used_by_a_script() {
        let sources: Vec<String> = scripts::ALL.iter().map(|script| script.source()).collect();
        for piece in PRELUDE
            .split("\n\n")
            .filter(|piece| declared(piece).count() > 0)
        {
            let used = sources.iter().any(|source| source.contains(piece));
            assert!(used, "no script uses: {piece}");
        }
    }
}
