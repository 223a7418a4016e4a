//! The table of keys against its own parser and against docs/keys.md.

use std::{fmt::Write as _, fs, path::Path};

use proptest::prelude::*;

use super::{Entry, Key, KeyOwner, table::PATTERNS};
use crate::{domain::UserId, store::redis::cluster::slot_of};

/// Returns one key of every entry, in the order of the table, with this number or this word in its name.
fn examples_of(number: u64, word: &str) -> Vec<Key> {
    let owners = [
        ("{uid}:<token>", format!("{{{number}}}:{number:032x}")),
        (
            "{chat}:<uid>:<key>",
            format!("{{{number:032x}}}:{number}:{number:032x}"),
        ),
        ("{chat}", format!("{{{number:032x}}}")),
        ("{gid}", format!("{{{number}}}")),
        ("{slug}", format!("{{slug-{word}}}")),
        ("{uid}:<n>", format!("{{{number}}}:{}", number % 97 + 1)),
        ("{uid}", format!("{{{number}}}")),
        ("{id}", format!("{{{number}}}")),
        ("{login}", format!("{{{word}}}")),
        ("{tag}", format!("{{{word}}}")),
        ("{term}:<bound>", format!("{{{word}}}:{}", number - 1)),
        ("{term}", format!("{{{word}}}")),
        ("{letter}", format!("{{{}}}", &word[..1])),
        ("{partition}", format!("{{{}}}", number % 16)),
        ("{limit:who}", format!("{{{word}:{number}}}")),
    ];
    let example = |pattern: &&str| {
        let owner = owners.iter().find(|(owner, _)| pattern.contains(owner));
        let name = owner.map_or(pattern.to_string(), |(owner, text)| {
            pattern.replace(owner, text)
        });
        let key = Key::parse(&name).expect("the name of a key");
        assert_eq!((key.name(), key.entry().pattern), (name, *pattern));
        key
    };
    PATTERNS.iter().map(example).collect()
}

proptest! {
    #[test]
    fn every_key_round_trips_through_its_name(number in 1..1_u64 << 53, word in "[a-z]{1,20}") {
        for key in examples_of(number, &word) {
            prop_assert_eq!(Key::parse(&key.name()), Some(key));
        }
    }

    #[test]
    fn parsing_a_key_never_panics_and_round_trips(
        name in r"(user|list|postings|tasks|names|session|rate|login|x)?:?[{}]?[a-z0-9:{}#é]{0,12}"
    ) {
        if let Some(key) = Key::parse(&name) {
            prop_assert_eq!(key.name(), name);
        }
    }
}

#[test]
fn key_names_match_their_patterns() {
    for key in examples_of(7, "birds") {
        let entry = key.entry();
        let pattern = entry.pattern;
        let prefix = pattern.split('{').next().unwrap_or(pattern);
        assert!(key.name().starts_with(prefix), "{key:?} is named {pattern}");
    }
}

#[test]
fn malformed_key_names_are_refused() {
    let malformed = "user:{0} user:{7}:x user:7 followers:{07} login:{Robin} tag_index:{Birds} list:{7}:3 \
        list:{7}:03:members postings:{word}: postings:{word}:07 names:{ab} tasks:{+1} session:{7}: \
        sessions:{7}:x live:{7} rate:";
    for name in malformed.split(' ') {
        assert_eq!(Key::parse(name), None, "{name}");
    }
}

#[test]
fn all_keys_of_a_user_are_distinct_and_in_one_slot() {
    let user = UserId::new(7).expect("in range");
    let names: Vec<String> = Key::all_of(&KeyOwner::User(user))
        .iter()
        .map(Key::name)
        .collect();
    assert!(names.contains(&"following:{7}".to_owned()));
    assert!(names.iter().all(|name| name.contains("{7}")), "{names:?}");
    let mut sorted = names.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted.len(), names.len());
}

#[test]
fn keys_that_one_script_reads_are_cached_under_one_key() {
    let user = UserId::new(7).expect("in range");
    for (names, main) in [
        ("home active reading profile arrivals", Key::Home(user)),
        (
            "auth session notifications read_marker unread_chats",
            Key::Auth(user),
        ),
    ] {
        for name in names.split(' ') {
            let token = if name == "session" { ":0123" } else { "" };
            let key = Key::parse(&format!("{name}:{{7}}{token}")).expect("a key");
            assert_eq!(key.cached_under(), main, "{name}");
        }
    }
    let following = Key::Following(user);
    assert_eq!(following.clone().cached_under(), following);
}

const HEAD: &str = "# Keys\n\n\
    Every key that Redwing stores in Redis. This file is generated from the schema in\n\
    `src/store/schema/table.rs`: change that, then run `REDWING_KEYS=write cargo test --lib schema`.\n\n\
    The text in braces is the hash tag: all keys of a user lie in one slot of a cluster, and all keys of a\n\
    status or of a chat in one slot. `uid` is a user id, `id` a status id, `n` the number of a list. `a → b` is a member\n\
    and its score, or a field and its value. A time in \"µs, unique\" is in microseconds since 1970, and no\n\
    other member of the same key has it.\n\n\
    A *source of truth* is stored nowhere else. A *derived* key is built from sources of truth, and\n\
    `redwing check --repair` builds it again. An *ephemeral* key expires.\n\n\
    | key | type | class | lifetime | contents |\n|---|---|---|---|---|\n";

fn table() -> String {
    let mut table = HEAD.to_owned();
    for key in examples_of(7, "birds") {
        let Entry {
            pattern,
            redis_type,
            class,
            lifetime,
            contents,
        } = key.entry();
        let redis_type = redis_type.as_str().to_uppercase();
        let contents = contents.trim();
        writeln!(
            table,
            "| `{pattern}` | {redis_type} | {class} | {lifetime} | {contents} |"
        )
        .expect("a String takes any text");
    }
    table
}

#[test]
fn the_docs_contain_the_current_key_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/keys.md");
    if std::env::var_os("REDWING_KEYS").is_some_and(|what| what == "write") {
        fs::write(&path, table()).expect("docs/keys.md is writable");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == table(),
        "docs/keys.md is out of date: run REDWING_KEYS=write cargo test --lib schema"
    );
}

#[test]
fn an_absent_key_has_the_slot_of_its_neighbour() {
    for key in examples_of(7, "birds") {
        let name = key.name();
        let absent = super::keys::absent_beside(&name);
        assert_eq!(
            slot_of(absent.as_bytes()),
            slot_of(name.as_bytes()),
            "{name}"
        );
        assert_eq!(Key::parse(&absent), None, "{absent} is no key");
    }
}
