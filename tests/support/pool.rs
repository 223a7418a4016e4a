//! The Redis behind a test: a single node, or a whole cluster if REDWING_TEST_CLUSTER is set. A
//! cluster takes seconds to join, so it is emptied and lent to the next test.

use std::sync::{Mutex, PoisonError};

use super::{
    cluster::{Cluster, Nature},
    environment,
    redis::RedisServer,
};

static IDLE: Mutex<Vec<Cluster>> = Mutex::new(Vec::new());

/// Temporary Redis of one node or several.
pub enum Redis {
    Node(RedisServer),
    Cluster(Loan),
}

/// Cluster lent to a test.
pub struct Loan {
    /// Present until it is given back.
    cluster: Option<Cluster>,
    as_it_was: bool,
}

impl Redis {
    pub fn start() -> Self {
        if environment::variable("REDWING_TEST_CLUSTER").is_none() {
            return Self::Node(RedisServer::start());
        }
        let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Self::Cluster(Loan {
            cluster: Some(idle.unwrap_or_else(|| Cluster::start(Nature::STEADY))),
            as_it_was: true,
        })
    }

    /// Uses a cluster that only one test has.
    pub fn own(cluster: Cluster) -> Self {
        Self::Cluster(Loan {
            cluster: Some(cluster),
            as_it_was: false,
        })
    }

    /// Returns the cluster, for a test about a cluster.
    pub fn cluster(&mut self) -> &mut Cluster {
        match self {
            Self::Cluster(loan) => loan.get_mut(),
            Self::Node(_) => panic!("this test starts its own cluster"),
        }
    }

    /// Returns the node, for a test about one node.
    pub fn one_node(&self) -> &RedisServer {
        match self {
            Self::Node(node) => node,
            Self::Cluster(_) => panic!("this test runs without REDWING_TEST_CLUSTER"),
        }
    }

    pub fn one_node_mut(&mut self) -> &mut RedisServer {
        match self {
            Self::Node(node) => node,
            Self::Cluster(_) => panic!("this test runs without REDWING_TEST_CLUSTER"),
        }
    }

    /// Returns a value for `REDIS_URL`.
    pub fn url(&self) -> String {
        match self {
            Self::Node(node) => node.url(),
            Self::Cluster(loan) => loan.get().url(),
        }
    }

    /// Returns the address of each server that has keys.
    pub fn primary_urls(&self) -> Vec<String> {
        match self {
            Self::Node(node) => vec![node.url()],
            Self::Cluster(loan) => loan.get().primary_urls(),
        }
    }

    /// Kills all servers as a crash would; their data stays.
    pub fn kill(&mut self) {
        match self {
            Self::Node(node) => node.kill(),
            Self::Cluster(loan) => loan.get_mut().kill(),
        }
    }

    /// Starts the servers again on the same data.
    pub fn restart(&mut self) {
        match self {
            Self::Node(node) => node.restart(),
            Self::Cluster(loan) => loan.get_mut().restart(),
        }
    }

    /// Freezes the servers; their connections stay open.
    pub fn pause(&self) {
        match self {
            Self::Node(node) => node.pause(),
            Self::Cluster(loan) => loan.get().pause(),
        }
    }

    /// Resumes the servers, which then handle everything sent meanwhile.
    pub fn resume(&self) {
        match self {
            Self::Node(node) => node.resume(),
            Self::Cluster(loan) => loan.get().resume(),
        }
    }

    /// Returns the time of a server. [`Store::now`](redwing::store::Store::now) estimates it, and can be behind.
    pub fn now_ms(&self) -> u64 {
        const TIME: [&str; 1] = ["TIME"];
        let answer = match self {
            Self::Node(node) => node.ask(&TIME),
            Self::Cluster(loan) => loan.get().ask(0, &TIME).expect("the node answers"),
        };
        let mut numbers = answer.lines().filter_map(|line| line.parse::<u64>().ok());
        let mut next = || numbers.next().expect("a number");
        next() * 1000 + next() / 1000
    }

    /// Sends a command past the store, as an accident would. Its words contain no blanks.
    pub fn command(&self, words: &[&str]) {
        match self {
            Self::Node(node) => node.command(words),
            Self::Cluster(loan) => loan.get().command(words),
        }
    }
}

impl Loan {
    fn get(&self) -> &Cluster {
        self.cluster.as_ref().expect("it is lent until the drop")
    }

    fn get_mut(&mut self) -> &mut Cluster {
        self.as_it_was = false;
        self.cluster.as_mut().expect("it is lent until the drop")
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        let reusable = self.as_it_was && !std::thread::panicking();
        if let Some(cluster) = self.cluster.take().filter(|_| reusable) {
            cluster.command(&["FLUSHALL"]);
            IDLE.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(cluster);
        }
    }
}
