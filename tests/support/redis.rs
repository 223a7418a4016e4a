//! A private, temporary Redis or Valkey: a unix socket in a temporary directory, no TCP port,
//! append-only so that its data survives a restart. Dropping the value ends it.

use std::{
    io::{Read, Write},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use tempfile::TempDir;

use super::{environment, leftovers, waiting::eventually_blocking};

/// Servers tried if REDWING_TEST_REDIS_SERVER names none: names on PATH, then files that the test
/// command may have fetched.
const CANDIDATES: [&str; 4] = [
    "redis-server",
    "valkey-server",
    "data/server/valkey-server",
    "target/server/valkey-server",
];

pub struct RedisServer {
    program: PathBuf,
    dir: TempDir,
    settings: Vec<String>,
    child: Child,
}

impl RedisServer {
    pub fn start() -> Self {
        Self::with(&[])
    }

    /// Starts a server with additional settings, as on a command line. They override the settings
    /// of all servers here.
    pub fn with(settings: &[&str]) -> Self {
        Self::of(&find_program(), settings)
    }

    /// Starts a server of another program with the same command line.
    pub fn of(program: &Path, settings: &[&str]) -> Self {
        let settings: Vec<String> = settings.iter().map(|&setting| setting.into()).collect();
        let program = program.to_owned();
        let dir = leftovers::directory("redwing-test-");
        let child = launch(&program, dir.path(), &settings);
        Self {
            program,
            dir,
            settings,
            child,
        }
    }

    /// Returns a value for `REDIS_URL`.
    pub fn url(&self) -> String {
        format!("redis+unix://{}", socket(self.dir.path()).display())
    }

    /// Returns the directory of its files.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Returns the path of its socket.
    pub fn socket(&self) -> PathBuf {
        socket(self.dir.path())
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills the server as a crash would; its data stays.
    pub fn kill(&mut self) {
        self.child.kill().expect("the server is a child process");
        self.child.wait().expect("the server is a child process");
    }

    /// Starts the server again on the same data.
    pub fn restart(&mut self) {
        self.child = launch(&self.program, self.dir.path(), &self.settings);
    }

    /// Starts the server again with additional settings. Returns as soon as it answers, while it
    /// still loads its data.
    pub fn restart_slowly(&mut self, settings: &[&str]) {
        self.settings.extend(settings.iter().map(|&s| s.to_owned()));
        self.child = spawn(&self.program, self.dir.path(), &self.settings);
        eventually_blocking("the temporary Redis loads its data", || {
            ask(self.dir.path(), &["PING"]).is_ok_and(|answer| answer.starts_with("-LOADING"))
        });
    }

    /// Freezes the server; its connections stay open.
    pub fn pause(&self) {
        self.signal("STOP");
    }

    /// Resumes the server, which then handles everything sent meanwhile.
    pub fn resume(&self) {
        self.signal("CONT");
    }

    /// Sends a command past the store, as an accident would. Its words contain no blanks.
    pub fn command(&self, words: &[&str]) {
        let answer = ask(self.dir.path(), words).expect("the server answers");
        assert!(!answer.starts_with('-'), "{words:?}: {answer}");
    }

    /// Returns the answer to a command whose words contain no blanks.
    pub fn ask(&self, words: &[&str]) -> String {
        ask(self.dir.path(), words).expect("the server answers")
    }

    /// Sends many commands past the store, one per line. Words with blanks are quoted.
    pub fn pipe(&self, lines: &str) {
        let answers = ask(self.dir.path(), &[lines.trim_end()]).expect("the server answers");
        let refused = answers.lines().find(|answer| answer.starts_with('-'));
        assert_eq!(refused, None);
    }

    /// Returns how often the server has read from sockets, including this command.
    pub fn trips(&self) -> u64 {
        let stats = self.ask(&["INFO", "stats"]);
        let mut lines = stats.lines();
        let found = lines.find_map(|line| line.strip_prefix("total_reads_processed:"));
        let number = found.and_then(|number| number.trim().parse::<u64>().ok());
        number.expect("Redis counts it")
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .arg(format!("-{name}"))
            .arg(self.child.id().to_string())
            .status();
        assert!(sent.is_ok_and(|status| status.success()), "kill -{name}");
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        // Both calls fail only if the server has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the server that tests use, by its name on PATH or its path.
pub fn find_program() -> PathBuf {
    if let Some(program) = environment::variable("REDWING_TEST_REDIS_SERVER") {
        return program.into();
    }
    CANDIDATES
        .iter()
        .map(PathBuf::from)
        .find(|program| {
            Command::new(program)
                .arg("--version")
                .stdout(Stdio::null())
                .status()
                .is_ok()
        })
        .expect(
            "a redis-server or valkey-server on PATH, or one named by REDWING_TEST_REDIS_SERVER",
        )
}

fn launch(program: &Path, dir: &Path, settings: &[String]) -> Child {
    let child = spawn(program, dir, settings);
    eventually_blocking("the temporary Redis answers PING", || {
        ask(dir, &["PING"])
            .is_ok_and(|answer| answer.starts_with("+PONG") || answer.starts_with("-NOAUTH"))
    });
    child
}

fn spawn(program: &Path, dir: &Path, settings: &[String]) -> Child {
    let log = std::fs::File::create(dir.join("server.log")).expect("the directory is writable");
    // A killed server leaves its socket behind. A stale socket must not count as ready.
    let _ = std::fs::remove_file(socket(dir));
    Command::new(program)
        .args(["--port", "0", "--save", "", "--daemonize", "no"])
        .args([
            "--appendonly",
            "yes",
            "--appendfsync",
            "no",
            "--maxmemory-policy",
            "noeviction",
        ])
        .args([
            "--zset-max-listpack-entries",
            "1024",
            "--hash-max-listpack-value",
            "1024",
        ])
        .args(["--unixsocketperm", "700", "--unixsocket"])
        .arg(socket(dir))
        .arg("--dir")
        .arg(dir)
        .arg("--pidfile")
        .arg(dir.join("redis.pid"))
        .args(settings)
        .stdin(Stdio::null())
        .stdout(log)
        .spawn()
        .expect("the server can be started")
}

fn socket(dir: &Path) -> PathBuf {
    dir.join("redis.sock")
}

fn ask(dir: &Path, words: &[&str]) -> std::io::Result<String> {
    let mut stream = UnixStream::connect(socket(dir))?;
    // In one write, so that Redis reads it at once.
    stream.write_all(format!("{}\r\nQUIT\r\n", words.join(" ")).as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}
