//! The site as processes that can be killed, frozen and started again: Redis, `redwing serve` and
//! `redwing work`, the same on a cluster, or one Redwing with an embedded Redis. Logs and data are
//! in one directory, except those of a cluster.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use super::{nodes::Nodes, part::Part};
use crate::support::{
    process::{Home, free_port, signal},
    redis::find_program,
};

/// The shortest deadlines that fit together, so that effects of a crash are repaired during the
/// test.
pub const WRITE_DEADLINE: Duration = Duration::from_millis(1000);
const SETTINGS: [[&str; 2]; 16] = [
    ["--redis-connect-ms", "300"],
    ["--redis-response-ms", "500"],
    ["--write-deadline-ms", "1000"],
    ["--outbox-delay-ms", "1600"],
    ["--task-claim-ms", "2000"],
    ["--request-ms", "6000"],
    ["--shutdown-ms", "1000"],
    ["--threads", "2"],
    // Small, so that homes are trimmed, rebuilt and merged below the floor, and tasks fan out.
    ["--home-size", "50"],
    ["--pass-size", "3"],
    ["--sign-ups-per-hour", "100000"],
    ["--log-ins-per-quarter", "100000"],
    ["--posts-per-hour", "100000"],
    ["--follows-per-hour", "100000"],
    ["--log", "info"],
    ["--log-format", "json"],
];

/// Processes that can be struck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Victim {
    App,
    Worker,
    Redis,
}

/// Where Redis runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setup {
    /// In a process of its own, like the worker.
    Separate,
    /// As a child of the one Redwing process, which also runs the worker.
    Embedded,
    /// On six nodes: three primaries with one replica each.
    Cluster,
}

pub struct Network {
    pub setup: Setup,
    pub base: String,
    nodes: Option<Nodes>,
    redis: Option<Part>,
    worker: Option<Part>,
    app: Part,
    home: Home,
}

impl Network {
    pub fn start(setup: Setup) -> Self {
        let home = Home::new();
        let port = free_port();
        let mut network = match setup {
            Setup::Separate => {
                let redis = Part::new("redis", redis(&home), &home);
                Self::of_two(home, port, setup, Some(redis), None)
            }
            Setup::Embedded => Self::of_one(home, port),
            Setup::Cluster => Self::of_two(home, port, setup, None, Some(Nodes::start())),
        };
        for victim in [Victim::Redis, Victim::Worker, Victim::App] {
            network.start_again(victim);
        }
        network
    }

    /// Returns an app and a worker on the given Redis.
    fn of_two(
        home: Home,
        port: u16,
        setup: Setup,
        redis: Option<Part>,
        nodes: Option<Nodes>,
    ) -> Self {
        let url = match &nodes {
            Some(nodes) => nodes.url(),
            None => socket(&home.outside().join("redis.sock")),
        };
        let listen = format!("127.0.0.1:{port}");
        let app = [
            "serve",
            "--workers",
            "0",
            "--listen",
            &listen,
            "--redis-url",
            &url,
        ];
        let worker = ["work", "--workers", "2", "--redis-url", &url];
        Self {
            setup,
            base: format!("http://{listen}"),
            nodes,
            redis,
            worker: Some(Part::new("worker", redwing(&home, &worker), &home)),
            app: Part::new("app", redwing(&home, &app), &home),
            home,
        }
    }

    fn of_one(home: Home, port: u16) -> Self {
        let listen = format!("127.0.0.1:{port}");
        let app = ["serve", "--workers", "2", "--listen", &listen];
        Self {
            setup: Setup::Embedded,
            base: format!("http://{listen}"),
            nodes: None,
            redis: None,
            worker: None,
            app: Part::new("app", redwing(&home, &app), &home),
            home,
        }
    }

    pub fn redis_url(&self) -> String {
        match self.setup {
            Setup::Separate => socket(&self.home.outside().join("redis.sock")),
            Setup::Embedded => socket(&self.home.path().join("redis/redis.sock")),
            Setup::Cluster => self.nodes().url(),
        }
    }

    /// Returns the cluster's nodes. Panics without a cluster.
    pub fn nodes(&self) -> &Nodes {
        self.nodes.as_ref().expect("the site is on a cluster")
    }

    /// Returns the directory of data and logs.
    pub fn place(&self) -> PathBuf {
        self.home.outside().to_owned()
    }

    fn part(&mut self, victim: Victim) -> Option<&mut Part> {
        match victim {
            Victim::App => Some(&mut self.app),
            Victim::Worker => self.worker.as_mut(),
            Victim::Redis => self.redis.as_mut(),
        }
    }

    /// Sends SIGKILL. An embedded server that does not answer because it is starting is spared.
    pub fn kill(&mut self, victim: Victim) {
        match self.part(victim) {
            Some(part) => part.kill(),
            None if victim == Victim::Redis => {
                if let Some(process) = self.home.server_id() {
                    signal("KILL", process);
                }
            }
            None => {}
        }
    }

    /// Starts processes that do not run. An embedded server is started by its Redwing.
    pub fn start_again(&mut self, victim: Victim) {
        if let Some(part) = self.part(victim) {
            part.start();
        }
    }

    /// Freezes the victim: it stops answering while its connections stay open.
    pub fn freeze(&mut self, victim: Victim) {
        self.signal(victim, "STOP");
    }

    /// Resumes the victim, which then handles everything sent to it meanwhile.
    pub fn thaw(&mut self, victim: Victim) {
        self.signal(victim, "CONT");
    }

    fn signal(&mut self, victim: Victim, name: &str) {
        let part = self.part(victim).expect("a process of its own");
        part.signal(name);
    }

    /// Returns whether a process ended without being killed.
    pub fn died_by_itself(&mut self) -> bool {
        let victims = [Victim::App, Victim::Worker, Victim::Redis];
        victims
            .into_iter()
            .any(|victim| self.part(victim).is_some_and(Part::has_ended))
    }

    /// Runs `redwing check`. Returns whether it found no fault, and its output.
    pub fn check(&self, how: &[&str]) -> (bool, String) {
        let url = self.redis_url();
        let redis = ["--redis-url", &url];
        let arguments = match self.setup {
            Setup::Separate | Setup::Cluster => [&["check"], how, &redis].concat(),
            Setup::Embedded => [&["check"], how].concat(),
        };
        let output = self.home.run(&arguments);
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        (output.status.success(), said)
    }
}

/// Keeps data and logs after a failure, for finding the cause.
impl Drop for Network {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.home.keep();
            eprintln!("logs and data stay in {}", self.place().display());
        }
    }
}

fn redwing(home: &Home, arguments: &[&str]) -> Command {
    let mut command = home.command(arguments);
    command.args(SETTINGS.as_flattened());
    command
}

fn socket(path: &Path) -> String {
    format!("redis+unix://{}", path.display())
}

fn redis(home: &Home) -> Command {
    let mut command = Command::new(find_program());
    command
        .args(["--port", "0", "--save", "", "--daemonize", "no"])
        .args(["--appendonly", "yes", "--appendfsync", "always"])
        .args(["--maxmemory-policy", "noeviction"])
        .args(["--unixsocketperm", "700", "--unixsocket"])
        .arg(home.outside().join("redis.sock"))
        .arg("--dir")
        .arg(home.outside());
    command
}
