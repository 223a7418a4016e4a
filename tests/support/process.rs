//! The built binary in a process of its own: started as an operator does, stopped by SIGTERM or by
//! a crash. It has a data directory, and by default an embedded Redis in it.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpListener,
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Output, Stdio},
};

use tempfile::TempDir;

use super::{
    Person, leftovers, person::name_of, redis::find_program, request::client,
    waiting::eventually_blocking,
};

/// Public URL of a test that names none: the default of the settings.
pub const ORIGIN: &str = "http://127.0.0.1:8080";

/// Data directory for any number of processes.
pub struct Home {
    dir: TempDir,
    path: PathBuf,
}

impl Home {
    pub fn new() -> Self {
        Self::at("data")
    }

    /// Creates a directory with a path too long for a socket in it.
    pub fn deep() -> Self {
        Self::at(&"deep".repeat(30))
    }

    fn at(name: &str) -> Self {
        let dir = leftovers::directory("redwing-");
        Self {
            path: dir.path().join(name),
            dir,
        }
    }

    /// Keeps all files after the test.
    pub fn keep(&mut self) {
        self.dir.disable_cleanup(true);
        File::create(self.dir.path().join("keep")).expect("the directory is writable");
    }

    /// Returns the data directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns a directory beside the data: for logs, sockets and other files of a test.
    pub fn outside(&self) -> &Path {
        self.dir.path()
    }

    /// Returns a command for Redwing with these arguments. No setting of this process's environment
    /// is passed on.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_redwing"));
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("REDWING_") || name == "REDIS_URL" {
                command.env_remove(&*name);
            }
        }
        command
            .args(arguments)
            .arg("--data-dir")
            .arg(self.path())
            .stdin(Stdio::null());
        command.env("REDWING_REDIS_SERVER", find_program());
        command.env("XDG_RUNTIME_DIR", self.outside());
        // On a busy machine a connection may be idle for long. It must not be closed at the moment
        // of reuse.
        command.env("REDWING_REQUEST_HEAD_MS", "60000");
        command.env("REDWING_KEEP_ALIVE_MS", "60000");
        command
    }

    /// Runs a subcommand to its end.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the binary runs")
    }

    /// Starts a server on a free port, and waits until it prints its address.
    pub fn serve(&self, settings: &[&str]) -> Process {
        let mut command = self.command(&[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--threads",
            "1",
            "--page-seconds-per-minute",
            "0",
        ]);
        command.args(settings);
        Process::start(command, &self.outside().join("redwing.log"))
    }

    /// Returns the message of a refused start.
    #[track_caller]
    pub fn refusal(&self, settings: &[&str]) -> String {
        let mut child = self
            .command(&["serve"])
            .args(settings)
            .env("REDWING_LISTEN", "127.0.0.1:0")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut output_text = String::new();
        BufReader::new(child.stdout.take().expect("it is piped"))
            .read_line(&mut output_text)
            .expect("its output is text");
        // Fails only if the process has already ended.
        let _ = child.kill();
        let output = child.wait_with_output().expect("it is a child process");
        assert!(
            output_text.is_empty(),
            "it starts with {settings:?}: {output_text}"
        );
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    /// Sends a command to the embedded server; fails if there is none.
    pub fn ask(&self, words: &str) -> io::Result<String> {
        let mut stream = UnixStream::connect(self.path().join("redis/redis.sock"))?;
        write!(stream, "{words}\r\nQUIT\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }

    /// Returns the process id of the embedded server.
    pub fn server_id(&self) -> Option<u32> {
        let info = self.ask("INFO server").ok()?;
        info.lines()
            .find_map(|line| line.strip_prefix("process_id:"))?
            .trim()
            .parse()
            .ok()
    }
}

/// Running Redwing process. Dropping the value kills it.
pub struct Process {
    child: Child,
    /// Address that it has printed.
    pub base: String,
    log: PathBuf,
}

impl Process {
    pub fn start(mut command: Command, log: &Path) -> Self {
        command
            .stdout(Stdio::piped())
            .stderr(File::create(log).expect("the directory is writable"));
        let mut child = command.spawn().expect("the binary runs");
        leftovers::note(&child, log.with_extension("pid"));
        let mut output_text = String::new();
        let output = child.stdout.take().expect("it is piped");
        BufReader::new(output)
            .read_line(&mut output_text)
            .expect("its output is text");
        let log = log.to_owned();
        let Some(base) = output_text
            .strip_prefix("Redwing is at ")
            .and_then(|rest| rest.split(' ').next())
        else {
            panic!(
                "it does not start:\n{}",
                fs::read_to_string(&log).unwrap_or_default()
            );
        };
        Self {
            base: base.to_owned(),
            child,
            log,
        }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the complete log.
    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).expect("the log is there")
    }

    /// Signs up a user.
    pub async fn sign_up(&self, login: &str) -> Person {
        let mut person = Person::at(client(), &self.base, ORIGIN);
        let answer = person.send_sign_up(login).await;
        assert_eq!(
            answer.status.as_u16(),
            303,
            "{} signs up:\n{}",
            name_of(login),
            answer.html
        );
        login.clone_into(&mut person.login);
        person
    }

    pub fn request_stop(&self) {
        signal("TERM", self.id());
    }

    /// Waits until the process ends by itself.
    pub fn ended(mut self) -> ExitStatus {
        self.child.wait().expect("it is a child process")
    }

    /// Stops the process as an operator does.
    pub fn stop(self) -> ExitStatus {
        self.request_stop();
        self.ended()
    }

    /// Kills the process as a crash would.
    pub fn crash(mut self) {
        self.child.kill().expect("it is a child process");
        self.child.wait().expect("it is a child process");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both calls fail only if the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a signal to a process that this test has started.
pub fn signal(name: &str, process: u32) {
    let sent = Command::new("kill")
        .arg(format!("-{name}"))
        .arg(process.to_string())
        .status();
    assert!(sent.is_ok_and(|status| status.success()), "kill -{name}");
}

/// Waits until the embedded server's socket no longer answers.
pub fn server_is_gone(home: &Home) {
    eventually_blocking("the embedded server has ended", || {
        home.ask("PING").is_err()
    });
}

/// Returns an unused TCP port.
pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    listener.local_addr().expect("it is bound").port()
}
