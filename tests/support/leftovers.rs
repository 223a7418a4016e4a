//! The files of the tests: one directory for each run. When this process ends for any reason, a
//! guardian process ends what still runs and removes the directory.

use std::{
    fs,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::LazyLock,
};

use tempfile::TempDir;

/// Script of the guardian, run when its input ends together with this process. Processes write
/// their ids into their directories: `*.pid` for one process, `*.group` for a process group. nginx
/// is asked first, so that it ends its own workers. A directory with a file `keep` is not removed.
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
        // An interrupt typed in the terminal does not end it.
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    guardian.expect("there is a shell").stdin
}

/// Returns a directory for a test. It is removed when the value is dropped.
pub fn directory(prefix: &str) -> TempDir {
    tempfile::Builder::new()
        .prefix(prefix)
        .tempdir_in(&RUN.directory)
        .expect("a temporary directory")
}

/// Makes the guardian end a process if its owner cannot. The file is in one of the directories
/// above. Its name ends in `pid`, or in `group` for a process group leader.
pub fn note(child: &Child, file: PathBuf) {
    fs::write(file, child.id().to_string()).expect("the directory is writable");
}
