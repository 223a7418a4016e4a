//! Every script states its contract, is registered, takes each key through KEYS, and is called with
//! keys of one owner.

use std::collections::BTreeSet;

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

/// Compares the names of a typed call with the header of its script. A list of any number of words has the
/// last name.
pub fn assert_named_as_in_header(call: &ScriptCall) {
    let (header, _) = header_and_body(call.script);
    for (list, names) in [("KEYS", &call.key_names[..]), ("ARGV", call.argument_names)] {
        let stated = named(&header, list);
        let others = usize::from(section(&header, list).contains("then "));
        let required = &names[..names.len() - others];
        assert_eq!(required, stated, "{list} of {}", call.script);
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

/// Commands that take no key.
const KEYLESS: [&str; 1] = ["TIME"];
/// How functions name the keys that they are given.
const PARAMETERS: [&str; 38] = [
    "case",
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
    "followed_tags",
    "groups",
    "replies",
    "gaps",
    "bounds",
    "chunk",
    "ballots",
    "log",
    "read_marker",
    "reading",
    "following",
    "schedule",
    "muted",
    "muted_texts",
    "muted_conversations",
    "block",
    "blocked",
    "blocked_by",
    "profile",
    "post_bytes",
    "recovery",
    "chat",
    "members",
    "messages",
    "hidden",
    "expiring",
    "tag_uses",
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
    let constructors = keys.split("keys::").skip(1);
    constructors
        .filter_map(|text| {
            let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            let arguments = text.trim_start_matches(is_name).strip_prefix('(')?;
            let end = arguments.find([',', ')']).expect("a call that ends");
            let owner = arguments[..end].trim().trim_start_matches(['&', '*']);
            Some(owner.trim_end_matches(".owner"))
        })
        .collect()
}

/// Returns the names of all typed calls and of their scripts.
fn typed_calls(files: &[(String, String)]) -> Vec<(&str, &str)> {
    let lines = files.iter().flat_map(|(_, text)| text.lines());
    let declared = lines.filter_map(|line| {
        let (name, declaration) = line.strip_prefix("    ")?.split_once(" = \"")?;
        let (script, fields) = declaration.split_once('"')?;
        let is_call = fields.starts_with('(') || fields.starts_with(" over slots(");
        let is_name = name.chars().all(char::is_alphanumeric);
        (is_name && is_call).then_some((name, script))
    });
    declared.collect()
}

/// Returns the text up to the brace that ends it.
fn block(text: &str) -> &str {
    let mut depth = 1;
    let end = text.find(|letter| {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    &text[..end.expect("a block that ends")]
}

#[test]
fn a_script_is_called_with_keys_of_one_owner() {
    let files = store_files();
    for (name, _) in typed_calls(&files) {
        let opening = format!("{name} {{");
        let mut calls = 0;
        for (file, text) in &files {
            for (at, _) in text.match_indices(&opening) {
                let owners = owners(block(&text[at + opening.len()..]));
                assert!(owners.len() <= 1, "{file}: {name} over {owners:?}");
                calls += 1;
            }
        }
        assert!(calls > 0, "the store makes no {name}");
    }
}

#[test]
fn each_script_has_one_typed_call_of_its_own_name() {
    let files = store_files();
    let calls = typed_calls(&files);
    for (name, script) in &calls {
        assert_eq!(name.to_lowercase(), script.replace('_', ""));
    }
    let mut scripts: Vec<&str> = calls.iter().map(|(_, script)| *script).collect();
    scripts.sort_unstable();
    assert_eq!(scripts, names());
    let untyped = |text: &str| text.contains("SCRIPT.on(") || text.contains(".on([");
    for (file, text) in &files {
        assert_eq!(untyped(text), file.ends_with("/script_call.rs"), "{file}");
    }
}
