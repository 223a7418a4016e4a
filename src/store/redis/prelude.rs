//! The functions and constants that several scripts share: `prelude.lua`, in pieces. A script begins
//! with the pieces that its line `-- include: …` names, and with those that these include. Redis creates
//! the functions again at each call of a script, so all of them would cost more than some scripts do.

use std::collections::HashSet;

const PRELUDE: &str = include_str!("prelude.lua");

/// Returns the pieces that a script includes, directly or through other pieces, in their order.
pub(super) fn before(script: &str) -> String {
    let mut wanted: HashSet<&str> = included(script).collect();
    let mut needed = Vec::new();
    // A piece includes only pieces above it.
    for piece in PRELUDE.split("\n\n").collect::<Vec<_>>().into_iter().rev() {
        if declared(piece).any(|name| wanted.contains(name)) {
            wanted.extend(included(piece));
            needed.push(piece);
        }
    }
    needed.reverse();
    needed.iter().flat_map(|piece| [piece, "\n\n"]).collect()
}

/// Returns the names in the line `-- include: …` of a script or piece.
fn included(text: &str) -> impl Iterator<Item = &str> {
    let mut lines = text.lines();
    let names = lines.find_map(|line| line.strip_prefix("-- include: "));
    names.into_iter().flat_map(|names| names.split(", "))
}

/// Returns the functions and constants that a text declares.
fn declared(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter_map(|line| line.strip_prefix("local "))
        .flat_map(|declared| match declared.strip_prefix("function ") {
            Some(function) => words(function).take(1).collect::<Vec<_>>(),
            None => words(declared.split('=').next().unwrap_or_default()).collect(),
        })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{PRELUDE, before, declared, included, words};
    use crate::store::redis::scripts;

    /// The words of a text's code: without its header, its comments and its quoted texts.
    fn used(text: &str) -> HashSet<&str> {
        let header = text
            .strip_prefix("--[[")
            .and_then(|text| text.split_once("]]"));
        let code = header.map_or(text, |(_, code)| code).lines();
        code.filter(|line| !line.trim_start().starts_with("--"))
            .flat_map(|line| line.split('\'').step_by(2))
            .flat_map(words)
            .collect()
    }

    #[test]
    fn a_script_begins_with_its_transitive_includes() {
        let before = before("-- include: notify_watchers\nreturn 1");
        let names: Vec<&str> = before.split("\n\n").flat_map(declared).collect();
        assert_eq!(names, ["publish_change", "notify_watchers"]);
        assert_eq!(
            super::before("return notify_watchers(KEYS[1], KEYS[2])"),
            ""
        );
    }

    #[test]
    fn constants_are_included_with_their_users() {
        let before = before("-- include: watch_arrivals");
        assert!(
            before.contains("local WATCHED_S, ARRIVALS_KEPT = "),
            "{before}"
        );
        assert!(
            before.contains("local function watch_arrivals("),
            "{before}"
        );
        assert!(!before.contains("local function log_arrival("), "{before}");
    }

    /// Going through the pieces once from below is then enough.
    #[test]
    fn each_piece_includes_only_pieces_above_it() {
        let mut above: HashSet<&str> = HashSet::new();
        for piece in PRELUDE.split("\n\n") {
            for name in included(piece) {
                assert!(above.contains(name), "{name} is not above: {piece}");
            }
            above.extend(declared(piece));
        }
    }

    #[test]
    fn scripts_and_pieces_include_exactly_the_used_pieces() {
        let scripts = scripts::ALL.iter().map(|script| script.text);
        for text in scripts.chain(PRELUDE.split("\n\n").skip(1)) {
            let own: HashSet<&str> = declared(text).collect();
            let used: HashSet<&str> = used(text).difference(&own).copied().collect();
            let included: HashSet<&str> = included(text).collect();
            let superfluous: Vec<_> = included.difference(&used).collect();
            assert!(superfluous.is_empty(), "unused {superfluous:?}: {text}");
            for piece in PRELUDE.split("\n\n") {
                let is_used = declared(piece).any(|name| used.contains(name));
                let is_included = declared(piece).any(|name| included.contains(name));
                assert_eq!(is_used, is_included, "this piece:\n{piece}\nin: {text}");
            }
        }
    }

    #[test]
    fn every_piece_is_used_by_a_script() {
        let sources: Vec<String> = scripts::ALL.iter().map(|script| script.source()).collect();
        for piece in PRELUDE.split("\n\n").skip(1) {
            let is_used = sources.iter().any(|source| source.contains(piece));
            assert!(is_used, "no script uses: {piece}");
        }
    }
}
