//! The functions and constants that several scripts share: the files of `prelude/`, in pieces between blank lines. A
//! script begins with the pieces that its line `-- include: …` names, and with those that these include. Redis creates
//! the functions again at each call of a script, so all of them would cost more than some scripts do.
//!
//! A piece uses only pieces above it in its file, and those of `base.lua`.

use std::collections::HashSet;

/// The files in the order of their names, so `base.lua` is the first.
const PRELUDE: [&str; 11] = [
    include_str!("prelude/base.lua"),
    include_str!("prelude/chats.lua"),
    include_str!("prelude/groups.lua"),
    include_str!("prelude/lists.lua"),
    include_str!("prelude/live.lua"),
    include_str!("prelude/notifications.lua"),
    include_str!("prelude/people.lua"),
    include_str!("prelude/reading.lua"),
    include_str!("prelude/search.lua"),
    include_str!("prelude/statuses.lua"),
    include_str!("prelude/timelines.lua"),
];

/// Returns the pieces that a script includes, directly or through other pieces, in their order.
pub(super) fn before(script: &str) -> String {
    let mut wanted: HashSet<&str> = included(script).collect();
    let mut needed = Vec::new();
    // A piece includes only pieces above it.
    for piece in pieces().collect::<Vec<_>>().into_iter().rev() {
        if declared(piece).any(|name| wanted.contains(name)) {
            wanted.extend(included(piece));
            needed.push(piece);
        }
    }
    needed.reverse();
    needed.iter().flat_map(|piece| [piece, "\n\n"]).collect()
}

/// Returns all pieces, in the order in which scripts include them.
fn pieces<'a>() -> impl Iterator<Item = &'a str> {
    PRELUDE.iter().flat_map(|file| pieces_of(file))
}

/// Returns the pieces of a file, which follow its head.
fn pieces_of(file: &str) -> impl Iterator<Item = &str> {
    file.trim_end().split("\n\n").skip(1)
}

/// Returns the first line of a script with a line `-- flags: …`: it gives Redis the flags. The flag
/// `allow-oom` runs the script with full memory. A script that only frees memory, revokes access or keeps
/// the task queue going has it.
pub(super) fn shebang(script: &str) -> String {
    let flags = header_line(script, "-- flags: ");
    flags.map_or_else(String::new, |flags| format!("#!lua flags={flags}\n"))
}

/// Returns the names in the line `-- include: …` of a script or piece.
fn included(text: &str) -> impl Iterator<Item = &str> {
    let names = header_line(text, "-- include: ");
    names.into_iter().flat_map(|names| names.split(", "))
}

/// Returns the rest of the line that begins with this.
fn header_line<'a>(text: &'a str, beginning: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(beginning))
}

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
    use std::{
        collections::HashSet,
        fs,
        path::{Path, PathBuf},
    };

    use super::{PRELUDE, before, declared, included, pieces, pieces_of, words};

    /// Returns the texts of all scripts: the Lua files of the store's features.
    fn scripts() -> Vec<String> {
        let store = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store");
        let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
        let files = entries(&store).flat_map(|feature| entries(&feature.path()));
        let texts = read_all(files.map(|file| file.path()));
        assert!(!texts.is_empty(), "the store has scripts");
        texts
    }

    /// Returns the texts of the Lua files among these, in the order of their names.
    fn read_all(files: impl Iterator<Item = PathBuf>) -> Vec<String> {
        let is_lua = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "lua");
        let mut paths: Vec<PathBuf> = files.filter(is_lua).collect();
        paths.sort();
        let read = |path| fs::read_to_string(path).expect("readable text");
        paths.into_iter().map(read).collect()
    }

    #[test]
    fn each_file_of_the_prelude_is_a_part_of_it() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store/redis/prelude");
        let entries = fs::read_dir(folder)
            .expect("a readable directory")
            .flatten();
        let files = read_all(entries.map(|file| file.path()));
        let head = |file: &str| file.lines().next().map(str::to_owned);
        let heads: Vec<Option<String>> = files.iter().map(|file| head(file)).collect();
        assert_eq!(heads, PRELUDE.map(head));
    }

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
    fn each_piece_includes_only_pieces_above_it_and_of_the_base() {
        let base: HashSet<&str> = pieces_of(PRELUDE[0]).flat_map(declared).collect();
        for (nth, file) in PRELUDE.iter().enumerate() {
            let mut above = if nth == 0 {
                HashSet::new()
            } else {
                base.clone()
            };
            for piece in pieces_of(file) {
                for name in included(piece) {
                    assert!(above.contains(name), "{name} is not above: {piece}");
                }
                above.extend(declared(piece));
            }
        }
    }

    #[test]
    fn scripts_and_pieces_include_exactly_the_used_pieces() {
        let scripts = scripts();
        let scripts = scripts.iter().map(String::as_str);
        for text in scripts.chain(pieces()) {
            let own: HashSet<&str> = declared(text).collect();
            let used: HashSet<&str> = used(text).difference(&own).copied().collect();
            let included: HashSet<&str> = included(text).collect();
            let superfluous: Vec<_> = included.difference(&used).collect();
            assert!(superfluous.is_empty(), "unused {superfluous:?}: {text}");
            for piece in pieces() {
                let is_used = declared(piece).any(|name| used.contains(name));
                let is_included = declared(piece).any(|name| included.contains(name));
                assert_eq!(is_used, is_included, "this piece:\n{piece}\nin: {text}");
            }
        }
    }

    #[test]
    fn every_piece_is_used_by_a_script() {
        let includes: Vec<String> = scripts().iter().map(|text| before(text)).collect();
        for piece in pieces() {
            let is_used = includes.iter().any(|included| included.contains(piece));
            assert!(is_used, "no script uses: {piece}");
        }
    }
}
