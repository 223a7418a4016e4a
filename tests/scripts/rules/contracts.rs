//! Every script states its contract, is registered, takes each key through KEYS, and is called with
//! keys of one owner.

use std::{collections::BTreeSet, path::Path};

use redwing::store::calls::ScriptCall;

use crate::scripts::bench::{self, names, source};

/// Returns the source files of the store.
fn store_files() -> Vec<(String, String)> {
    let rust = bench::store_files("rs").into_iter();
    rust.map(|path| {
        let text = std::fs::read_to_string(&path).expect("readable text");
        (path.display().to_string(), text)
    })
    .collect()
}

fn header_and_body(script: &str) -> (String, String) {
    let text = source(script);
    let (header, body) = text.split_once("]]").expect("a header that ends");
    (header.to_owned(), body.to_owned())
}

/// A section of a header, KEYS, ARGV or Returns, on one line and without remarks in brackets.
fn section(header: &str, name: &str) -> String {
    let is_section = |line: &&str| line.starts_with("     ") && !line.starts_with("      ");
    let mut lines = header.lines().skip_while(|line| {
        let words = line.trim_start();
        !(is_section(line) && words.starts_with(name) && words[name.len()..].starts_with("  "))
    });
    let first = lines.next().unwrap_or_default().trim_start();
    let first = first.strip_prefix(name).unwrap_or_default().to_owned();
    let text = lines
        .take_while(|line| !is_section(line))
        .fold(first, |text, line| text + " " + line.trim());
    let mut depth = 0_usize;
    text.chars()
        .filter(|c| {
            depth += usize::from(*c == '(');
            let kept = depth == 0;
            depth -= usize::from(*c == ')');
            kept
        })
        .collect()
}

/// The names that a header gives to keys or arguments: those that each call has.
fn named(header: &str, list: &str) -> Vec<String> {
    let text = section(header, list).replace("; for a home also", ",");
    let text = text.replace("of each timeline:", "");
    let (text, _) = text.split_once("then ").unwrap_or((&text, ""));
    let names = text.split(',').map(|name| name.trim().to_owned());
    names.filter(|name| !name.is_empty()).collect()
}

/// The names under which a script takes its keys or arguments, and its text below that line. Keys of a
/// timeline come first, as the table `keys`.
fn taken<'a>(body: &'a str, list: &str) -> (Vec<String>, &'a str) {
    let all = format!("unpack({list}");
    let one = format!("{list}[1]");
    let mut taken = (Vec::new(), body);
    for line in body.lines() {
        let names = match line
            .strip_prefix("local ")
            .and_then(|line| line.split_once(" = "))
        {
            Some((names, from)) if from.starts_with(&all) || from == one => names,
            Some((names, "timeline_keys(1)")) if list == "KEYS" => names,
            _ if list == "KEYS" && line.starts_with("local function deliver(") => {
                line.split(['(', ')']).nth(1).expect("parameters")
            }
            _ => continue,
        };
        taken.0.extend(names.split(", ").map(str::to_owned));
        let (_, below) = body.split_once(line).expect("the line is in the text");
        taken.1 = below;
        if names != "keys" {
            break;
        }
    }
    taken
}

/// Compares the names of a typed call with the header of its script. Keys of any number have the last name.
pub fn assert_named_as_in_header(call: &ScriptCall) {
    let (header, _) = header_and_body(call.script);
    for (list, names) in [("KEYS", call.key_names), ("ARGV", call.argument_names)] {
        let stated = named(&header, list);
        let others = usize::from(section(&header, list).contains("then "));
        if !names.is_empty() {
            assert_eq!(
                names[..names.len() - others],
                stated,
                "{list} of {}",
                call.script
            );
        }
    }
}

#[test]
fn every_script_opens_with_its_contract() {
    for script in names() {
        let (header, _) = header_and_body(&script);
        let opening = format!("--[[ {script}.lua: ");
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
        for list in ["KEYS", "ARGV"] {
            let (names, below) = taken(&body, list);
            assert_eq!(named(&header, list), names, "{list} of {script}");
            for name in names {
                let mut words = below.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                assert!(words.any(|word| word == name), "{script} uses no {name}");
            }
        }
    }
}

/// The quoted words of a text.
fn quoted(text: &str) -> BTreeSet<&str> {
    let quoted = text.split('\'').skip(1).step_by(2);
    let is_word = |text: &&str| {
        let mut chars = text.chars();
        !text.is_empty() && chars.all(|c| c.is_ascii_lowercase() || c == '_')
    };
    quoted.filter(is_word).collect()
}

#[test]
fn a_contract_names_each_word_that_the_script_replies_and_no_other() {
    for script in names() {
        let (header, body) = header_and_body(&script);
        let returns = section(&header, "Returns");
        let replied = body.lines().filter_map(|line| line.split_once("return "));
        let replied: BTreeSet<&str> = replied.flat_map(|(_, reply)| quoted(reply)).collect();
        assert_eq!(quoted(&returns), replied, "{script}");
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
/// How functions name the keys that they are given.
const PARAMETERS: [&str; 21] = [
    "key",
    "user",
    "home",
    "active_mark",
    "auth",
    "timeline",
    "sources",
    "excluded",
    "arrivals",
    "channel",
    "status",
    "hidden_reposts",
    "followed_tags",
    "replies",
    "gaps",
    "bounds",
    "chunk",
    "ballots",
    "log",
    "read_marker",
    "reading",
];

#[test]
fn a_script_uses_only_keys_passed_to_it() {
    for script in names().into_iter().chain(["prelude".to_owned()]) {
        let text = source(&script).replace("redis.pcall(", "redis.call(");
        let (names, _) = taken(&text, "KEYS");
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
                || names.iter().any(|name| name == key)
                || key.starts_with("keys.")
                || script == "prelude" && PARAMETERS.contains(&key)
                || script == "place_reply" && key == "key";
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
const KEYS_OF_ONE: [&str; 3] = ["bucket.key", "place.name()", "statuses, mark, existence"];

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
    assert!(calls > 60, "{calls} calls were found");
}

/// Constructors of the keys of one timeline, of one user's lists, of one tag, or of one mentioned
/// user.
const KEYS_OF_A_TIMELINE: [&str; 10] = [
    "call.keys",
    "heading.keys(",
    "keys::timeline(of",
    "keys::timeline_with_sources(of",
    "keys::with_channel(keys::timeline(of",
    "keys::with_channel(keys::timeline_with_sources(of",
    "keys::with_channel([statuses, mark, existence], of",
    "keys::with_channel([statuses], timeline",
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
