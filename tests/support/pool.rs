//! The Redis behind a test: a single node, or where REDWING_TEST_CLUSTER is set a whole cluster. A
//! cluster takes seconds to join, so one is emptied and lent to the next test.

use std::sync::{Mutex, PoisonError};

use super::{
    cluster::{Cluster, Nature},
    environment,
    redis::RedisServer,
};

static IDLE: Mutex<Vec<Cluster>> = Mutex::new(Vec::new());

/// A throwaway Redis, of one node or of several.
pub enum Redis {
    Node(RedisServer),
    Cluster(Loan),
}

/// A cluster for as long as a test takes.
pub struct Loan {
    /// There until it is given back.
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

    /// A cluster that one test has for itself.
    pub fn own(cluster: Cluster) -> Self {
        Self::Cluster(Loan {
            cluster: Some(cluster),
            as_it_was: false,
        })
    }

    /// For a test that is about a cluster.
    pub fn cluster(&mut self) -> &mut Cluster {
        match self {
            Self::Cluster(loan) => loan.get_mut(),
            Self::Node(_) => panic!("this test starts its own cluster"),
        }
    }

    /// For a test that is about one node.
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

    /// What `REDIS_URL` takes.
    pub fn url(&self) -> String {
        match self {
            Self::Node(node) => node.url(),
            Self::Cluster(loan) => loan.get().url(),
        }
    }

    /// Ends all servers as a crash would; their data stays.
    pub fn kill(&mut self) {
        match self {
            Self::Node(node) => node.kill(),
            Self::Cluster(loan) => loan.get_mut().kill(),
        }
    }

    /// Starts them again on the same data.
    pub fn restart(&mut self) {
        match self {
            Self::Node(node) => node.restart(),
            Self::Cluster(loan) => loan.get_mut().restart(),
        }
    }

    /// Stops them from answering, while their connections stay open.
    pub fn pause(&self) {
        match self {
            Self::Node(node) => node.pause(),
            Self::Cluster(loan) => loan.get().pause(),
        }
    }

    /// Lets them go on, with all that was sent to them meanwhile.
    pub fn resume(&self) {
        match self {
            Self::Node(node) => node.resume(),
            Self::Cluster(loan) => loan.get().resume(),
        }
    }

    /// Sends a command past the store, as an accident would. Its words hold no blanks.
    pub fn command(&self, words: &[&str]) {
        match self {
            Self::Node(node) => node.command(words),
            Self::Cluster(loan) => loan.get().command(words),
        }
    }
}

impl Loan {
    fn get(&self) -> &Cluster {
        self.cluster
            .as_ref()
            .expect("it is lent until it is dropped")
    }

    fn get_mut(&mut self) -> &mut Cluster {
        self.as_it_was = false;
        self.cluster
            .as_mut()
            .expect("it is lent until it is dropped")
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
