//! The site as processes that can be killed, frozen and started again: Redis, `redwing serve` and
//! `redwing work`, the same on a cluster, or one Redwing with an embedded Redis. Logs and data are
//! in one directory, except those of a cluster.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use super::{nodes::Nodes, restartable_process::RestartableProcess};
use crate::support::{
    process::{Home, free_port, signal},
    redis::find_program,
};

/// The shortest deadlines that fit together, so that effects of a crash are repaired during the
/// test.
pub const WRITE_DEADLINE: Duration = Duration::from_millis(1000);
/// Longest time until a worker completes a write from its outbox entry: the delay of the entry, and the restart of
/// what was killed.
pub const COPY_DELAY: Duration = Duration::from_millis(6000);
const SETTINGS: [[&str; 2]; 25] = [
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
    ["--everybody-per-hour", "100000"],
    ["--follows-per-hour", "100000"],
    ["--saves-per-hour", "100000"],
    ["--searches-per-hour", "1000000"],
    ["--merged-pages-per-hour", "1000000"],
    ["--page-seconds-per-minute", "0"],
    ["--messages-per-hour", "100000"],
    ["--message-requests-per-day", "1000"],
    ["--new-account-days", "0"],
    ["--group-age-days", "0"],
    ["--log", "info"],
    ["--log-format", "json"],
];

/// Processes that can be disrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
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
    redis: Option<RestartableProcess>,
    worker: Option<RestartableProcess>,
    app: RestartableProcess,
    home: Home,
}

impl Network {
    pub fn start(setup: Setup) -> Self {
        let home = Home::new();
        let port = free_port();
        let mut network = match setup {
            Setup::Separate => {
                let redis = RestartableProcess::new("redis", redis(&home), &home);
                Self::of_two(home, port, setup, Some(redis), None)
            }
            Setup::Embedded => Self::of_one(home, port),
            Setup::Cluster => Self::of_two(home, port, setup, None, Some(Nodes::start())),
        };
        for target in [Target::Redis, Target::Worker, Target::App] {
            network.start_again(target);
        }
        network
    }

    /// Returns an app and a worker on the given Redis.
    fn of_two(
        home: Home,
        port: u16,
        setup: Setup,
        redis: Option<RestartableProcess>,
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
            worker: Some(RestartableProcess::new(
                "worker",
                redwing(&home, &worker),
                &home,
            )),
            app: RestartableProcess::new("app", redwing(&home, &app), &home),
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
            app: RestartableProcess::new("app", redwing(&home, &app), &home),
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

    fn process(&mut self, target: Target) -> Option<&mut RestartableProcess> {
        match target {
            Target::App => Some(&mut self.app),
            Target::Worker => self.worker.as_mut(),
            Target::Redis => self.redis.as_mut(),
        }
    }

    /// Sends SIGKILL. An embedded server that does not answer because it is starting is spared.
    pub fn kill(&mut self, target: Target) {
        match self.process(target) {
            Some(process) => process.kill(),
            None if target == Target::Redis => {
                if let Some(process) = self.home.server_id() {
                    signal("KILL", process);
                }
            }
            None => {}
        }
    }

    /// Starts processes that do not run. An embedded server is started by its Redwing.
    pub fn start_again(&mut self, target: Target) {
        if let Some(process) = self.process(target) {
            process.start();
        }
    }

    /// Freezes the target: it stops answering while its connections stay open.
    pub fn freeze(&mut self, target: Target) {
        self.signal(target, "STOP");
    }

    /// Resumes the target, which then handles everything sent to it meanwhile.
    pub fn thaw(&mut self, target: Target) {
        self.signal(target, "CONT");
    }

    fn signal(&mut self, target: Target, name: &str) {
        let process = self.process(target).expect("a process of its own");
        process.signal(name);
    }

    /// Returns whether a process ended without being killed.
    pub fn died_by_itself(&mut self) -> bool {
        let targets = [Target::App, Target::Worker, Target::Redis];
        targets.into_iter().any(|target| {
            self.process(target)
                .is_some_and(RestartableProcess::has_ended)
        })
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
        let output_text = [output.stdout, output.stderr].concat();
        let output_text = String::from_utf8_lossy(&output_text).into_owned();
        (output.status.success(), output_text)
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
