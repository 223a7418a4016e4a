//! The real binary in a process of its own, with its embedded Redis, in a temporary directory.

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

/// Time limit for anything that the bench waits for.
const PATIENCE: Duration = Duration::from_secs(300);

/// Generous timeouts: a shared machine may pause for longer than people would wait for a page.
const PATIENT: [&str; 4] = [
    "--redis-response-ms=10000",
    "--write-deadline-ms=20000",
    "--outbox-delay-ms=30000",
    "--request-ms=65000",
];

/// Raised limits that the bench must not reach. They do not change how a page is made.
const SETTINGS: [&str; 18] = [
    "--listen=127.0.0.1:0",
    "--log=warn",
    "--sign-ups-per-hour=1000000",
    "--log-ins-per-quarter=1000000",
    "--posts-per-hour=1000000",
    "--everybody-per-hour=1000000",
    "--messages-per-hour=1000000",
    "--follows-per-hour=1000000",
    "--searches-per-hour=1000000000",
    "--important-per-hour=1000000000",
    "--merged-pages-per-hour=1000000000",
    "--page-seconds-per-minute=0",
    "--streams-per-address=100000",
    "--max-requests=2048",
    "--max-sessions=1000",
    "--waiting-hashes=1024",
    "--keep-alive-ms=60000",
    "--request-head-ms=60000",
];

/// Running site. Dropping the value ends it.
pub struct Site {
    pub address: SocketAddr,
    binary: PathBuf,
    child: Child,
    directory: TempDir,
}

impl Site {
    /// Starts the binary that was built with this bench.
    pub fn start() -> Outcome<Self> {
        Self::start_with(Path::new(env!("CARGO_BIN_EXE_redwing")))
    }

    pub fn start_with(binary: &Path) -> Outcome<Self> {
        let directory = leftovers::directory("redwing-bench-");
        let mut command = command(binary, &directory.path().join("data"));
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
            binary: binary.to_owned(),
            child,
            directory,
        })
    }

    /// Opens a connection to the site's Redis.
    pub fn redis(&self) -> Outcome<Redis> {
        Redis::at(&self.data().join("redis/redis.sock"))
    }

    /// Returns the address of the site's Redis.
    pub fn redis_url(&self) -> String {
        format!(
            "redis+unix://{}",
            self.data().join("redis/redis.sock").display()
        )
    }

    /// Returns a directory for files of the bench.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Returns a value of the process status, such as VmRSS, in KiB.
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

    /// Returns the processor time of the app and of its Redis so far, in seconds.
    pub fn processors_s(&self, redis: &mut Redis) -> Outcome<(f64, f64)> {
        let mut used = |name: &str| redis.gauge("cpu", &format!("used_cpu_{name}"));
        Ok((self.app_s()?, used("user")? + used("sys")?))
    }

    /// Returns the processor time of all threads of the app in seconds.
    fn app_s(&self) -> Outcome<f64> {
        let mut nanoseconds = 0.0;
        for thread in fs::read_dir(format!("/proc/{}/task", self.child.id()))? {
            let used = fs::read_to_string(thread?.path().join("schedstat"))?;
            let used = used.split(' ').next().ok_or("the system does not say")?;
            nanoseconds += used.parse::<f64>()?;
        }
        Ok(nanoseconds / 1e9)
    }

    /// Runs `redwing check` on the running site. Fails if it finds a fault.
    pub fn check(&self) -> Outcome<()> {
        self.run(&["check"])
    }

    /// Runs a subcommand on the running site. Fails if the subcommand does.
    pub fn run(&self, arguments: &[&str]) -> Outcome<()> {
        let mut command = command(&self.binary, &self.data());
        let output = command.args(arguments).args(PATIENT).output()?;
        if output.status.success() {
            return Ok(());
        }
        let printed = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        Err(format!("redwing {} fails:\n{printed}{errors}", arguments[0]).into())
    }

    fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        // Both calls fail only if the process has already ended. Its Redis ends with it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns a command that runs Redwing on a data directory. No setting of this process's
/// environment is passed on, except the path of the Redis server.
fn command(binary: &Path, data: &Path) -> Command {
    let mut command = Command::new(binary);
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

/// Polls until the condition holds, with a pause between attempts. Returns the time that took.
pub fn until(
    condition: &str,
    between: Duration,
    mut holds: impl FnMut() -> Outcome<bool>,
) -> Outcome<Duration> {
    let begun = Instant::now();
    while !holds()? {
        if begun.elapsed() > PATIENCE {
            return Err(format!("timed out while waiting until {condition}").into());
        }
        std::thread::park_timeout(between);
    }
    Ok(begun.elapsed())
}
