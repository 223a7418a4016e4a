//! Search for a server to embed: the configured one, the one in the data directory, or the first on PATH
//! that is new enough.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::Error;

/// The oldest supported version (major, minor).
pub(super) const OLDEST: (u32, u32) = (7, 0);

const NAMES: [&str; 2] = ["redis-server", "valkey-server"];

/// Returns the server to start. The one fetched by `scripts/fetch-server` comes before PATH, because its
/// data may have a newer format than a server installed later can read.
pub(super) fn find(named: Option<&Path>, data_dir: &Path) -> Result<PathBuf, Error> {
    if let Some(path) = named {
        check_version(path).map_err(Error::Unfit)?;
        return Ok(path.to_owned());
    }
    let fetched = data_dir.join("server").join("valkey-server");
    let mut rejected = Vec::new();
    let found = std::iter::once(fetched).chain(on_path());
    for path in found.filter(|path| path.is_file()) {
        match check_version(&path) {
            Ok(()) => return Ok(path),
            Err(reason) => rejected.push(reason),
        }
    }
    Err(Error::NoServer {
        data_dir: data_dir.to_owned(),
        rejected,
    })
}

#[expect(
    clippy::disallowed_methods,
    reason = "PATH is the system's, no setting of ours"
)]
fn on_path() -> impl Iterator<Item = PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let directories: Vec<PathBuf> = env::split_paths(&path).collect();
    let in_each = move |name| {
        directories
            .clone()
            .into_iter()
            .map(move |dir| dir.join(name))
    };
    NAMES.into_iter().flat_map(in_each)
}

fn check_version(path: &Path) -> Result<(), String> {
    let output = Command::new(path)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{} does not run: {error}", path.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let path = path.display();
    match version(&text) {
        Some(found) if found >= OLDEST => Ok(()),
        Some((major, minor)) => Err(format!("{path} is version {major}.{minor}, too old")),
        None => Err(format!("{path} is neither Redis nor Valkey")),
    }
}

/// Parses major and minor version of `Redis server v=7.0.15 sha=…` or `Valkey server v=9.1.2 sha=…`.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split_once(" v=")?.1.split(['.', ' ']).map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::super::binary::*;

    #[test]
    fn the_server_version_is_parsed_for_redis_and_valkey() {
        for (text, expected) in [
            ("Redis server v=7.0.15 sha=0:0 bits=64", Some((7, 0))),
            ("Valkey server v=9.1.2 sha=0:0", Some((9, 1))),
            ("GNU bash, version 5.2", None),
        ] {
            assert_eq!(version(text), expected);
        }
    }

    #[test]
    fn a_program_that_is_not_a_server_is_refused_by_name() {
        let refusal = find(Some(Path::new("/bin/true")), Path::new("/nowhere"));
        assert!(matches!(refusal, Err(Error::Unfit(reason)) if reason.contains("/bin/true")));
    }
}
