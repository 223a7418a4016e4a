//! A private, temporary Redis Cluster on loopback: three primaries with replicas, joined by CLUSTER
//! commands. Dropping the value ends it.

pub mod clock_proxy;
mod resharding;

use std::{
    fs::File,
    io::{Read, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    ops::Range,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use tempfile::TempDir;

use super::{leftovers, process::signal, redis::find_program, waiting::eventually_blocking};

pub const PRIMARIES: usize = 3;
pub const SLOTS: usize = 16_384;
/// Offset from a node's port to its bus port.
const BUS: u16 = 10_000;

/// Settings of the nodes.
#[derive(Clone, Copy)]
pub struct Nature {
    /// Number of replicas, given to the primaries in turn. With one more than the primaries, one is a
    /// spare, which moves to a primary that lost its replica.
    pub replicas: usize,
    /// Time after which an unresponsive primary is replaced by its replica.
    pub node_timeout: Duration,
    pub appendfsync: &'static str,
}

impl Nature {
    /// No failover happens while tests stop and kill nodes for other purposes.
    pub const STEADY: Self = Self {
        replicas: PRIMARIES,
        node_timeout: Duration::from_secs(30),
        appendfsync: "no",
    };
}

pub struct Cluster {
    program: PathBuf,
    dir: TempDir,
    nature: Nature,
    ports: Vec<u16>,
    children: Vec<Option<Child>>,
}

impl Cluster {
    /// Starts a cluster with evenly distributed slots.
    pub fn start(nature: Nature) -> Self {
        let cluster = Self::launched(nature);
        for node in 0..PRIMARIES {
            cluster.give_slots(
                node,
                node * SLOTS / PRIMARIES,
                (node + 1) * SLOTS / PRIMARIES,
            );
        }
        cluster.join();
        cluster
    }

    /// Starts a cluster. Its first primary has all slots and the append-only files of a stopped
    /// single node.
    pub fn grown_from(files: &Path, nature: Nature) -> Self {
        const FILES: &str = "appendonlydir";
        let mut cluster = Self::launched(nature);
        cluster.give_slots(0, 0, SLOTS);
        cluster.kill_node(0);
        let its_own = cluster.dir_of(0).join(FILES);
        std::fs::remove_dir_all(&its_own).expect("the directory is writable");
        std::fs::create_dir(&its_own).expect("the directory is writable");
        for file in std::fs::read_dir(files.join(FILES)).expect("the node had some") {
            let file = file.expect("a readable directory");
            std::fs::copy(file.path(), its_own.join(file.file_name())).expect("there is room");
        }
        cluster.start_node(0);
        cluster.join();
        cluster
    }

    fn launched(nature: Nature) -> Self {
        let dir = leftovers::directory("redwing-cluster-");
        let nodes = PRIMARIES + nature.replicas;
        let mut cluster = Self {
            program: find_program(),
            nature,
            ports: free_ports(nodes),
            children: (0..nodes).map(|_| None).collect(),
            dir,
        };
        for node in 0..nodes {
            cluster.start_node(node);
        }
        cluster
    }

    /// Returns a value for `REDIS_URL`.
    pub fn url(&self) -> String {
        let node = |port: &u16| format!("redis://127.0.0.1:{port}");
        self.ports.iter().map(node).collect::<Vec<_>>().join(",")
    }

    /// Returns the address of each node that serves slots now, as a URL.
    pub fn primary_urls(&self) -> Vec<String> {
        let url = |node| format!("redis://{}", self.address(node));
        self.primaries().into_iter().map(url).collect()
    }

    /// Returns the address of a node, as the cluster states it.
    pub fn address(&self, node: usize) -> String {
        format!("127.0.0.1:{}", self.ports[node])
    }

    /// Returns the answer of one node to a command, or an error if the node is down. Words contain
    /// no blanks.
    pub fn ask(&self, node: usize, words: &[&str]) -> std::io::Result<String> {
        ask(self.ports[node], words)
    }

    /// Sends a command past the store: to the primary of its key, or without a key to every
    /// primary.
    pub fn command(&self, words: &[&str]) {
        const KEYLESS: [&str; 6] = ["CONFIG", "SCRIPT", "CLIENT", "FLUSHALL", "DEBUG", "ACL"];
        if KEYLESS.contains(&words[0]) {
            for node in self.primaries() {
                let answer = self.ask(node, words).expect("the node answers");
                assert!(!answer.starts_with('-'), "{words:?}: {answer}");
            }
            return;
        }
        let mut answer = self.ask(0, words).expect("the node answers");
        if let Some(address) = moved_to(&answer) {
            let node = self.node_at(&address);
            answer = self.ask(node, words).expect("the node answers");
        }
        assert!(!answer.starts_with('-'), "{words:?}: {answer}");
    }

    fn nodes(&self) -> Range<usize> {
        0..self.ports.len()
    }

    /// Returns the nodes that serve slots now.
    pub fn primaries(&self) -> Vec<usize> {
        let is_primary = |node: &usize| {
            self.ask(*node, &["ROLE"])
                .is_ok_and(|answer| answer.contains("master"))
        };
        self.nodes().filter(is_primary).collect()
    }

    /// Returns a replica of a primary.
    pub fn replica_of(&self, primary: usize) -> usize {
        let followed = format!("master_port:{}\r", self.ports[primary]);
        let follows = |node: &usize| {
            self.ask(*node, &["INFO", "replication"])
                .is_ok_and(|answer| answer.contains(&followed))
        };
        self.nodes()
            .find(follows)
            .unwrap_or_else(|| panic!("node {primary} has a replica"))
    }

    /// Returns whether a primary has a replica that receives its writes.
    pub fn has_replica(&self, primary: usize) -> bool {
        self.ask(primary, &["INFO", "replication"])
            .is_ok_and(|answer| answer.contains("state=online"))
    }

    /// Waits until a replica serves the slots of its former primary.
    pub fn wait_until_promoted(&self, replica: usize) {
        eventually_blocking("the replica takes over", || {
            self.ask(replica, &["ROLE"])
                .is_ok_and(|answer| answer.contains("master"))
        });
    }

    /// Waits until all other nodes know that a paused node serves no slots.
    pub fn wait_until_left_out(&self, paused: usize) {
        let port = format!(":{}\r", self.ports[paused]);
        let knows = |node: usize| {
            let slots = self.ask(node, &["CLUSTER", "SLOTS"]);
            slots.is_ok_and(|slots| !slots.contains(&port))
        };
        eventually_blocking("all nodes know the new primary", || {
            self.nodes().filter(|node| *node != paused).all(knows)
        });
    }

    /// Returns the node at an address, such as one from a redirection.
    pub fn node_at(&self, address: &str) -> usize {
        self.nodes()
            .find(|node| self.address(*node) == address)
            .unwrap_or_else(|| panic!("{address} is one of the nodes"))
    }

    /// Returns the cluster's id of a node.
    pub fn id(&self, node: usize) -> String {
        let answer = self.ask(node, &["CLUSTER", "MYID"]);
        bulk(&answer.expect("the node answers"))
    }

    /// Starts a node, either empty or on its existing data.
    pub fn start_node(&mut self, node: usize) {
        self.launch(node);
        let port = self.ports[node];
        eventually_blocking("a node answers PING", || {
            ask(port, &["PING"]).is_ok_and(|answer| answer.starts_with("+PONG"))
        });
    }

    /// Kills a node as a crash would; its data stays.
    pub fn kill_node(&mut self, node: usize) {
        if let Some(mut child) = self.children[node].take() {
            child.kill().expect("the node is a child process");
            child.wait().expect("the node is a child process");
            // The process id may be reused from now on.
            let _ = std::fs::remove_file(self.dir_of(node).join("pid"));
        }
    }

    pub fn kill(&mut self) {
        for node in self.nodes() {
            self.kill_node(node);
        }
    }

    /// Starts all nodes again on the same data, and waits until they serve.
    pub fn restart(&mut self) {
        for node in self.nodes() {
            self.launch(node);
        }
        self.wait_until_whole();
    }

    /// Freezes the nodes; their connections stay open.
    pub fn pause(&self) {
        self.signal_all("STOP");
    }

    pub fn resume(&self) {
        self.signal_all("CONT");
    }

    pub fn pause_node(&self, node: usize) {
        self.signal_node("STOP", node);
    }

    pub fn resume_node(&self, node: usize) {
        self.signal_node("CONT", node);
    }

    fn signal_node(&self, name: &str, node: usize) {
        let child = self.children[node].as_ref().expect("the node is running");
        signal(name, child.id());
    }

    fn signal_all(&self, name: &str) {
        for child in self.children.iter().flatten() {
            signal(name, child.id());
        }
    }

    /// Waits until every slot is served and every primary has a connected replica.
    pub fn wait_until_whole(&self) {
        let whole = |node: usize| {
            let state = self.ask(node, &["CLUSTER", "INFO"]).unwrap_or_default();
            let role = self.ask(node, &["INFO", "replication"]).unwrap_or_default();
            state.contains("cluster_state:ok")
                && state.contains("cluster_slots_ok:16384")
                && state.contains(&format!("cluster_known_nodes:{}", self.ports.len()))
                && (role.contains("state=online") || role.contains("master_link_status:up"))
        };
        eventually_blocking("the cluster is complete", || self.nodes().all(whole));
    }

    fn join(&self) {
        let said_ok = |node: usize, words: &[&str]| {
            self.ask(node, words)
                .is_ok_and(|answer| answer.starts_with("+OK"))
        };
        for node in 0..PRIMARIES {
            let epoch = (node + 1).to_string();
            assert!(said_ok(node, &["CLUSTER", "SET-CONFIG-EPOCH", &epoch]));
        }
        for node in self.nodes().skip(1) {
            let port = self.ports[node].to_string();
            assert!(said_ok(0, &["CLUSTER", "MEET", "127.0.0.1", &port]));
        }
        for node in self.nodes().skip(PRIMARIES) {
            let primary = self.id(node % PRIMARIES);
            eventually_blocking("a replica knows its primary", || {
                said_ok(node, &["CLUSTER", "REPLICATE", &primary])
            });
        }
        self.wait_until_whole();
    }

    fn give_slots(&self, node: usize, first: usize, behind: usize) {
        let (first, last) = (first.to_string(), (behind - 1).to_string());
        let words = ["CLUSTER", "ADDSLOTSRANGE", &first, &last];
        let answer = self.ask(node, &words).expect("the node answers");
        assert!(answer.starts_with("+OK"), "{answer}");
    }

    fn launch(&mut self, node: usize) {
        let dir = self.dir_of(node);
        std::fs::create_dir_all(&dir).expect("the directory is writable");
        let log = File::options()
            .create(true)
            .append(true)
            .open(dir.join("log"))
            .expect("the directory is writable");
        let timeout = self.nature.node_timeout.as_millis().to_string();
        let child = Command::new(&self.program)
            .args(["--port", &self.ports[node].to_string()])
            .args(["--bind", "127.0.0.1", "--save", "", "--daemonize", "no"])
            .args([
                "--cluster-enabled",
                "yes",
                "--cluster-node-timeout",
                &timeout,
            ])
            .args(["--cluster-require-full-coverage", "no"])
            .args(["--repl-diskless-sync-delay", "0"])
            .args(["--min-replicas-to-write", "1"])
            .args([
                "--appendonly",
                "yes",
                "--appendfsync",
                self.nature.appendfsync,
            ])
            .args(["--maxmemory-policy", "noeviction"])
            .args(["--zset-max-listpack-entries", "1024"])
            .args(["--hash-max-listpack-value", "1024"])
            .arg("--dir")
            .arg(&dir)
            .arg("--pidfile")
            .arg(dir.join("node.pid"))
            .stdin(Stdio::null())
            .stdout(log)
            .spawn()
            .expect("the server can be started");
        self.children[node] = Some(child);
    }

    fn dir_of(&self, node: usize) -> PathBuf {
        self.dir.path().join(node.to_string())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Returns unused ports below the range of ephemeral ports.
fn free_ports(nodes: usize) -> Vec<u16> {
    let is_free = |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok();
    loop {
        let first: u16 = rand::random_range(11_000..22_000);
        let ports: Vec<u16> = (first..).take(nodes).collect();
        if ports
            .iter()
            .all(|port| is_free(*port) && is_free(port + BUS))
        {
            return ports;
        }
    }
}

fn ask(port: u16, words: &[&str]) -> std::io::Result<String> {
    const PATIENCE: Duration = Duration::from_secs(10);
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(stream, "{}\r\nQUIT\r\n", words.join(" "))?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

/// Returns the address in a redirection.
pub fn moved_to(answer: &str) -> Option<String> {
    let mut words = answer.strip_prefix("-MOVED ")?.split_whitespace();
    words.nth(1).map(str::to_owned)
}

/// Returns the text of an answer that is one string.
pub fn bulk(answer: &str) -> String {
    answer.lines().nth(1).unwrap_or_default().to_owned()
}
