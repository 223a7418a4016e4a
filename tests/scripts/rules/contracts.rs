//! Every script states its contract, is registered, takes each key through KEYS, and is called with
//! keys of one owner.

use std::{collections::BTreeSet, path::Path};

use crate::scripts::bench::{self, names, source, stated_path};

/// Returns the source files of the store.
fn store_files() -> Vec<(String, String)> {
    let rust = bench::store_files("rs").into_iter();
    rust.map(|path| {
        let text = std::fs::read_to_string(&path).expect("readable text");
        (path.display().to_string(), text)
    })
    .collect()
}

/// Returns the numbers in `NAME[…]`, without an ellipsis.
fn indices(text: &str, name: &str) -> BTreeSet<usize> {
    let opening = format!("{name}[");
    let parts = text.split(&opening).skip(1);
    let number = |part: &str| {
        let digits = part.split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse().ok()
    };
    parts.filter_map(number).collect()
}

fn header_and_body(script: &str) -> (String, String) {
    let text = source(script);
    let (header, body) = text.split_once("]]").expect("a header that ends");
    (header.to_owned(), body.to_owned())
}

#[test]
fn every_script_opens_with_its_contract() {
    for script in names() {
        let (header, _) = header_and_body(&script);
        let opening = format!("--[[ {} — ", stated_path(&script));
        assert!(header.starts_with(&opening), "{script}: {header}");
        assert!(
            header.contains("\n     Returns "),
            "{script} says what it returns"
        );
    }
}

#[test]
fn a_contract_names_each_key_and_argument_that_the_script_uses_and_no_other() {
    for script in names() {
        let (header, body) = header_and_body(&script);
        assert_eq!(
            indices(&header, "KEYS"),
            indices(&body, "KEYS"),
            "keys of {script}"
        );
        let (named, used) = (indices(&header, "ARGV"), indices(&body, "ARGV"));
        assert!(
            named.is_superset(&used),
            "{script} uses {used:?} and names {named:?}"
        );
        let all: BTreeSet<usize> = (1..=named.len()).collect();
        assert_eq!(named, all, "arguments of {script}");
    }
}

#[test]
fn every_script_is_registered_under_its_own_name() {
    let registry = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store/redis/scripts.rs");
    let registry = std::fs::read_to_string(registry).expect("readable text");
    for script in names() {
        let line = format!("    {} = \"{script}\",", script.to_uppercase());
        assert!(registry.contains(&line), "{line}");
    }
    let registered = registry.matches(" = \"").count();
    assert_eq!(registered, names().len(), "nothing else is registered");
}

/// Commands that take no key.
const KEYLESS: [&str; 1] = ["TIME"];
/// Names of key parameters of functions: those of the prelude, and the name for one of several
/// timelines.
const PRELUDE_KEYS: [&str; 20] = [
    "key", "home", "active", "auth", "timeline", "sources", "excluded", "arrivals", "live",
    "status", "quiet", "tags", "answers", "gaps", "bounds", "chunk", "ballots", "log", "noticed",
    "reading",
];

#[test]
fn a_script_uses_only_keys_passed_to_it() {
    for script in names().into_iter().chain(["prelude".to_owned()]) {
        let text = source(&script).replace("redis.pcall(", "redis.call(");
        for call in text.split("redis.call(").skip(1) {
            let command = call.split('\'').nth(1).expect("a command in quotes");
            let first = call.split([',', ')']).nth(1).unwrap_or_default().trim();
            // XGROUP has a subcommand before the key.
            let key = if command == "XGROUP" {
                call.split(',').nth(2).unwrap_or_default().trim()
            } else {
                first
            };
            let given = key.starts_with("KEYS[")
                || KEYLESS.contains(&command)
                || ["prelude", "deliver"].contains(&script.as_str())
                    && PRELUDE_KEYS.contains(&first);
            assert!(given, "{script}: {command} on {first}");
        }
    }
}

/// Returns the owners of keys: the first arguments of their constructors.
fn owners(keys: &str) -> BTreeSet<&str> {
    let calls = keys.split("keys::").skip(1);
    calls
        .map(|call| {
            let (_, arguments) = call.split_once('(').expect("a key is made by a function");
            let end = arguments.find([',', ')']).expect("a call that ends");
            let owner = arguments[..end].trim().trim_start_matches(['&', '*']);
            owner.trim_end_matches(".owner")
        })
        .collect()
}

/// Lists of keys of one owner that are built elsewhere.
const KEYS_OF_ONE: [&str; 4] = [
    "bucket.key",
    "place.key()",
    "statuses, mark, existence",
    "side.place, side.original",
];

#[test]
fn a_script_is_called_with_keys_of_one_owner() {
    let mut calls = 0;
    for (file, text) in store_files() {
        calls += text.matches(".on(keys").count();
        for call in text.split(".on([").skip(1) {
            let keys = call.split("])").next().expect("a list that ends");
            let owners = owners(keys);
            let one = owners.len() == 1 || owners.is_empty() && KEYS_OF_ONE.contains(&keys);
            assert!(one, "{file}: {keys}");
            calls += 1;
        }
    }
    assert!(calls >= names().len(), "{calls} calls were found");
}

/// Constructors of the keys of one timeline, of one user's lists, of one tag, or of one mentioned
/// user.
const KEYS_OF_A_TIMELINE: [&str; 9] = [
    "heading.keys(",
    "keys::timeline(of",
    "keys::timeline_with_sources(of",
    "keys::told(keys::timeline(of",
    "keys::told(keys::timeline_with_sources(of",
    "keys::told([statuses, mark, existence], of",
    "keys::told([statuses], timeline",
    "keys",
    "keys: impl AsRef<[String]>",
];

#[test]
fn keys_that_are_made_elsewhere_are_those_of_one_timeline() {
    for (file, text) in store_files() {
        for call in text
            .split(".on(")
            .skip(1)
            .filter(|call| !call.starts_with('['))
        {
            let keys = call.split(')').next().expect("a call that ends");
            assert!(KEYS_OF_A_TIMELINE.contains(&keys), "{file}: {keys}");
        }
    }
}
