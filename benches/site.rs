//! The real binary as a process of its own, with the Redis that it embeds, in a throwaway directory.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use tempfile::TempDir;

use super::{
    leftovers,
    redis::{Outcome, Redis},
};

/// The longest that anything the bench waits for may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// A machine that is shared may stand still for longer than people would wait for a page.
const PATIENT: [&str; 4] = [
    "--redis-response-ms=10000",
    "--write-deadline-ms=20000",
    "--outbox-delay-ms=30000",
    "--request-ms=65000",
];

/// What a bench must not run into, and nothing that changes how a page is made.
const SETTINGS: [&str; 11] = [
    "--listen=127.0.0.1:0",
    "--log=warn",
    "--sign-ups-per-hour=1000000",
    "--log-ins-per-quarter=1000000",
    "--posts-per-hour=1000000",
    "--follows-per-hour=1000000",
    "--searches-per-hour=1000000000",
    "--max-sessions=1000000",
    "--waiting-hashes=1024",
    "--keep-alive-ms=60000",
    "--request-head-ms=60000",
];

/// A site under way. It ends with the value that owns it.
pub struct Site {
    pub address: SocketAddr,
    child: Child,
    directory: TempDir,
}

impl Site {
    pub fn start() -> Outcome<Self> {
        let directory = leftovers::directory("redwing-bench-");
        let mut command = command(&directory.path().join("data"));
        command.arg("serve").args(PATIENT).args(SETTINGS);
        let log = File::create(directory.path().join("redwing.log"))?;
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn()?;
        leftovers::note(&child, directory.path().join("redwing.pid"));
        let mut said = String::new();
        let output = child.stdout.take().ok_or("its output is not piped")?;
        BufReader::new(output).read_line(&mut said)?;
        let address = said.strip_prefix("Redwing is at http://");
        let address = address.and_then(|rest| rest.split(' ').next()?.parse().ok());
        let Some(address) = address else {
            let log = fs::read_to_string(directory.path().join("redwing.log"))?;
            return Err(format!("the site does not start:\n{log}").into());
        };
        Ok(Self {
            address,
            child,
            directory,
        })
    }

    /// A connection to its Redis.
    pub fn redis(&self) -> Outcome<Redis> {
        Redis::at(&self.data().join("redis/redis.sock"))
    }

    /// Where files may be put that go with the site.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// A line of what the system says of its process, such as VmRSS, in KiB.
    pub fn memory_kib(&self, line: &str) -> Outcome<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let value = status.lines().find_map(|found| {
            found
                .strip_prefix(line)?
                .strip_prefix(':')?
                .split_whitespace()
                .next()
        });
        Ok(value.ok_or("the system does not say")?.parse()?)
    }

    /// Seconds of processor time that its threads have used.
    pub fn processor_s(&self) -> Outcome<f64> {
        let mut nanoseconds = 0.0;
        for thread in fs::read_dir(format!("/proc/{}/task", self.child.id()))? {
            let used = fs::read_to_string(thread?.path().join("schedstat"))?;
            let used = used.split(' ').next().ok_or("the system does not say")?;
            nanoseconds += used.parse::<f64>()?;
        }
        Ok(nanoseconds / 1e9)
    }

    /// Runs `redwing check` beside it, which must find nothing.
    pub fn check(&self) -> Outcome<()> {
        let mut command = command(&self.data());
        let checked = command.arg("check").args(PATIENT).output()?;
        if checked.status.success() {
            return Ok(());
        }
        let found = String::from_utf8_lossy(&checked.stdout);
        let said = String::from_utf8_lossy(&checked.stderr);
        Err(format!("redwing check finds fault with the network:\n{found}{said}").into())
    }

    fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        // Both fail only where it has ended already, which is what is wanted. Its Redis ends with it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Redwing on a data directory. Nothing of this process's own settings reaches it, but for where
/// the server to embed is.
fn command(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_redwing"));
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        let kept = name == "REDWING_REDIS_SERVER";
        if (name.starts_with("REDWING_") && !kept) || name == "REDIS_URL" {
            command.env_remove(&*name);
        }
    }
    command.arg("--data-dir").arg(data).stdin(Stdio::null());
    command
}

/// Looks again and again, with so much time between, until it holds. Gives the time that took.
pub fn until(
    what: &str,
    between: Duration,
    mut holds: impl FnMut() -> Outcome<bool>,
) -> Outcome<Duration> {
    let begun = Instant::now();
    while !holds()? {
        if begun.elapsed() > PATIENCE {
            return Err(format!("waited in vain until {what}").into());
        }
        std::thread::park_timeout(between);
    }
    Ok(begun.elapsed())
}
