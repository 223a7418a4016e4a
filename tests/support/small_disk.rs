//! A disk that can be full, without a mount and without root: the server's limit on file sizes
//! makes appends fail with an error instead of a signal.

use std::{
    fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use super::{
    environment::{program, variable},
    redis::find_program,
};

pub struct SmallDisk {
    /// The server that writes to it.
    pub server: PathBuf,
    /// File with the limit for servers that start while the disk is full.
    limit: PathBuf,
}

impl SmallDisk {
    /// Creates a disk with its files in `dir`. Returns `None` on a machine that cannot limit a
    /// process; in CI that fails.
    pub fn make(dir: &Path) -> Option<Self> {
        let Some(prlimit) = program("prlimit") else {
            assert!(
                variable("CI").is_none_or(|ci| ci != "true"),
                "CI needs prlimit"
            );
            // Not eprintln!: the test runner would capture it.
            let _ = writeln!(
                std::io::stderr(),
                "SKIPPED: NO TEST OF A FULL DISK, because prlimit is missing here"
            );
            return None;
        };
        let (server, limit) = (dir.join("server-on-a-small-disk"), dir.join("limit"));
        let script = format!(
            "#!/bin/sh\ntrap '' XFSZ\n[ -e {limit} ] && set -- {prlimit} --fsize=$(cat {limit}):unlimited {real} \"$@\" || set -- {real} \"$@\"\nexec \"$@\"\n",
            limit = limit.display(),
            prlimit = prlimit.display(),
            real = find_program().display(),
        );
        fs::write(&server, script).expect("the directory is writable");
        let runs = fs::Permissions::from_mode(0o700);
        fs::set_permissions(&server, runs).expect("the file is writable");
        Some(Self { server, limit })
    }

    /// Makes all further appends to files in `dir` fail, for the running server and for those that
    /// start.
    pub fn fill(&self, dir: &Path, process: u32) {
        let bytes = appended(dir).to_string();
        fs::write(&self.limit, &bytes).expect("the directory is writable");
        limit(process, &bytes);
    }

    /// Leaves no space for any file of servers that start.
    pub fn fill_before_start(&self) {
        fs::write(&self.limit, "0").expect("the directory is writable");
    }

    /// Makes space available again.
    pub fn make_room(&self, process: Option<u32>) {
        fs::remove_file(&self.limit).expect("the disk was full");
        if let Some(process) = process {
            limit(process, "unlimited");
        }
    }
}

fn limit(process: u32, bytes: &str) {
    let limited = Command::new("prlimit")
        .args(["--pid", &process.to_string()])
        .arg(format!("--fsize={bytes}:unlimited"))
        .status();
    assert!(limited.is_ok_and(|status| status.success()), "prlimit");
}

/// Returns the size of the largest file there.
fn appended(dir: &Path) -> u64 {
    let files = fs::read_dir(dir.join("appendonlydir")).expect("it has written");
    let sizes = files.map(|file| {
        file.and_then(|file| file.metadata())
            .expect("readable")
            .len()
    });
    sizes.max().unwrap_or_default()
}
