//! A temporary Redis on which a script runs as the store runs it: the prelude, then its text.
//! Commands are lines as redis-cli takes them, and answers have redis-cli's format.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use redwing::store::calls::ScriptCall;

use super::rules::contracts::assert_named_as_in_header;
use crate::support::redis::RedisServer;

/// Prefix of an answer that is an error.
const FAILED: &str = "(error) ";

/// All scripts by name, and the prelude. Thousands of calls need them.
static SOURCES: LazyLock<BTreeMap<String, String>> = LazyLock::new(read_sources);

pub struct Bench {
    wire: redis::Connection,
    /// The hashes of the scripts that were loaded into the server.
    hashes: BTreeMap<&'static str, String>,
    /// `None` if another owner started the server. The server ends with the bench.
    _server: Option<RedisServer>,
}

impl Bench {
    pub fn start() -> Self {
        let server = RedisServer::start();
        let bench = Self::on(&server);
        Self {
            _server: Some(server),
            ..bench
        }
    }

    /// Returns a bench on a server that other code uses as well.
    pub fn on(server: &RedisServer) -> Self {
        Self::at(&server.url())
    }

    /// Returns a bench on a node at this address.
    #[expect(
        clippy::disallowed_types,
        reason = "scripts are tried without the store around them"
    )]
    pub fn at(url: &str) -> Self {
        let client = redis::Client::open(url).expect("a valid address");
        Self {
            wire: client.get_connection().expect("the server answers"),
            hashes: BTreeMap::new(),
            _server: None,
        }
    }

    /// Runs a command. Words are separated by blanks; '' is an empty word, and '…' one with blanks.
    #[expect(
        clippy::disallowed_methods,
        reason = "scripts are tried without the store around them"
    )]
    pub fn run(&mut self, line: &str) -> String {
        let words = words(line);
        let (name, arguments) = words.split_first().expect("a command");
        let answer = redis::cmd(name).arg(arguments).query(&mut self.wire);
        answer.map_or_else(|error| failed(&error), |answer| shown(&answer))
    }

    /// Runs commands that set up a scene, one per line.
    pub fn given(&mut self, lines: &str) {
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let answer = self.run(line);
            assert!(!answer.starts_with(FAILED), "{line}: {answer}");
        }
    }

    /// Runs a typed call of a script.
    pub fn call<'a, C>(&mut self, call: &'a C) -> String
    where
        ScriptCall: From<&'a C>,
    {
        self.run_call(&call.into())
    }

    /// Runs a call of a script. Its names must be those of the header, in their order.
    #[expect(
        clippy::disallowed_methods,
        reason = "scripts are tried without the store around them"
    )]
    pub fn run_call(&mut self, call: &ScriptCall) -> String {
        assert_named_as_in_header(call);
        let hash = match self.hashes.get(call.script) {
            Some(hash) => hash.clone(),
            None => match self.load(call.script) {
                Ok(hash) => hash,
                Err(error) => return failed(&error),
            },
        };
        let answer = redis::cmd("EVALSHA")
            .arg(hash)
            .arg(call.keys.len())
            .arg(&call.keys)
            .arg(&call.arguments)
            .query(&mut self.wire);
        answer.map_or_else(|error| failed(&error), |answer| shown(&answer))
    }

    /// Loads a script into the server. Returns its hash.
    #[expect(
        clippy::disallowed_methods,
        clippy::disallowed_types,
        reason = "scripts are tried without the store around them"
    )]
    fn load(&mut self, script: &'static str) -> Result<String, redis::RedisError> {
        let source = shebang(script) + source("prelude") + source(script);
        let hash: String = redis::cmd("SCRIPT")
            .arg("LOAD")
            .arg(source)
            .query(&mut self.wire)?;
        self.hashes.insert(script, hash.clone());
        Ok(hash)
    }

    /// Returns every key with its content and whether it expires. Tests compare it to show that a
    /// script writes nothing.
    pub fn everything(&mut self) -> BTreeMap<String, (String, bool)> {
        let keys = self.run("KEYS *");
        let keys = list(&keys).map(str::to_owned).collect::<Vec<_>>();
        let content = |key: String| {
            let content = self.content(&key);
            let expires = self.run(&format!("TTL {key}")) != "-1";
            (key, (content, expires))
        };
        keys.into_iter().map(content).collect()
    }

    fn content(&mut self, key: &str) -> String {
        match self.run(&format!("TYPE {key}")).as_str() {
            "string" => self.run(&format!("GET {key}")),
            "hash" => self.run(&format!("HGETALL {key}")),
            "set" => self.run(&format!("SORT {key} ALPHA")),
            "zset" => self.run(&format!("ZRANGE {key} 0 -1 WITHSCORES")),
            "list" => self.run(&format!("LRANGE {key} 0 -1")),
            "stream" => self.run(&format!("XRANGE {key} - +")),
            other => panic!("{key} is a {other}"),
        }
    }

    /// Returns the remaining time of a key in milliseconds.
    pub fn ttl_ms(&mut self, key: &str) -> i64 {
        self.run(&format!("PTTL {key}")).parse().expect("a number")
    }
}

/// Returns the files of the store with this extension, in all its folders, in the order of their names.
pub fn store_files(extension: &str) -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable directory") {
            let path = entry.expect("a readable directory").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Reads all scripts. The files of the prelude are one text, in the order of their names.
fn read_sources() -> BTreeMap<String, String> {
    let mut sources = BTreeMap::<String, String>::new();
    for path in store_files("lua") {
        let text = std::fs::read_to_string(&path).expect("a readable script");
        let name = if is_prelude(&path) {
            "prelude".into()
        } else {
            stem(&path)
        };
        *sources.entry(name).or_default() += &format!("{text}\n");
    }
    sources
}

fn is_prelude(path: &Path) -> bool {
    path.parent()
        .is_some_and(|folder| folder.ends_with("prelude"))
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().expect("a file has a name");
    stem.to_string_lossy().into_owned()
}

/// Returns the text of a script.
pub fn source(script: &str) -> &'static str {
    let source = SOURCES.get(script);
    source.unwrap_or_else(|| panic!("no file of {script}"))
}

/// Returns the flags of a script, by its line `-- flags: …`.
pub fn flags(script: &str) -> Option<String> {
    let line = source(script)
        .lines()
        .find_map(|line| line.strip_prefix("-- flags: "));
    line.map(str::to_owned)
}

/// Returns the first line with which the store sends a script that has flags.
fn shebang(script: &str) -> String {
    let line = |flags| format!("#!lua flags={flags}\n");
    flags(script).map_or_else(String::new, line)
}

/// Returns the names of all scripts, without the prelude.
pub fn names() -> Vec<String> {
    let mut scripts = store_files("lua");
    scripts.retain(|path| !is_prelude(path));
    let mut names: Vec<String> = scripts.iter().map(|path| stem(path)).collect();
    names.sort();
    names
}

/// Returns the items of a displayed list.
fn list(shown: &str) -> impl Iterator<Item = &str> {
    let items = shown.trim_start_matches('[').trim_end_matches(']');
    items.split(", ").filter(|item| !item.is_empty())
}

#[expect(
    clippy::disallowed_types,
    reason = "scripts are tried without the store around them"
)]
fn failed(error: &redis::RedisError) -> String {
    format!("{FAILED}{error}")
}

fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in line.split('\'').enumerate() {
        if at % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

#[expect(
    clippy::disallowed_types,
    reason = "scripts are tried without the store around them"
)]
fn shown(answer: &redis::Value) -> String {
    use redis::Value;

    match answer {
        Value::Nil => "nil".into(),
        Value::Int(number) => number.to_string(),
        Value::BulkString(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Value::SimpleString(text) => text.clone(),
        Value::Okay => "OK".into(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(shown).collect();
            format!("[{}]", items.join(", "))
        }
        other => format!("{other:?}"),
    }
}
