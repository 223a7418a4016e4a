//! Where the tests put their files: one directory for each run. A guardian ends what still runs and
//! removes it when this process ends, however that happens.

use std::{
    fs,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::LazyLock,
};

use tempfile::TempDir;

/// What the guardian does when its input ends, as it does with us. Processes say in their own
/// directories who they are: by `*.pid`, or by `*.group` with all that they started. A front is told
/// first to end those that it started. What a test wants to be looked at has a file `keep`.
const WATCH: &str = r#"cat >/dev/null
rmdir "$1" && exit
for file in "$1"/*/nginx.pid; do [ -s "$file" ] && kill -s TERM "$(cat "$file")" && sleep 1; done
for file in "$1"/*/*.pid "$1"/*/*/*.pid; do [ -s "$file" ] && kill -s KILL "$(cat "$file")"; done
for file in "$1"/*/*.group; do [ -s "$file" ] && kill -s KILL -- "-$(cat "$file")"; done
sleep 1
for each in "$1"/*; do [ -e "$each/keep" ] || rm -rf "$each"; done
rmdir "$1""#;

struct Run {
    directory: PathBuf,
    /// Open for as long as this process lives.
    _guardian: Option<ChildStdin>,
}

static RUN: LazyLock<Run> = LazyLock::new(|| {
    let directory = tempfile::Builder::new()
        .prefix("redwing-tests-")
        .tempdir()
        .expect("a temporary directory")
        .keep();
    Run {
        _guardian: guard(&directory),
        directory,
    }
});

fn guard(directory: &Path) -> Option<ChildStdin> {
    let guardian = Command::new("sh")
        .args(["-c", WATCH, "sh"])
        .arg(directory)
        // What is typed to end the tests does not end it.
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    guardian.expect("there is a shell").stdin
}

/// A directory of a test, which is removed with the value.
pub fn directory(prefix: &str) -> TempDir {
    tempfile::Builder::new()
        .prefix(prefix)
        .tempdir_in(&RUN.directory)
        .expect("a temporary directory")
}

/// Has a process ended with the run where its owner cannot; the file is in one of the directories
/// above, and ends in `pid`, or in `group` for a process that leads one.
pub fn note(child: &Child, file: PathBuf) {
    fs::write(file, child.id().to_string()).expect("the directory is ours");
}
