//! Opening of the store, and checks that the Redis behind it keeps what people write.

use std::sync::Arc;

use futures_util::future::try_join_all;
use redis::InfoDict;

use super::{clock::Clock, connection::Connection, health::Readiness, servers::Servers};
use crate::{
    config::Config,
    store::{Error, Result, Store, cache::shared_rows::SharedRows},
};

/// A line of CLUSTER INFO that is present while every slot has a working primary.
const ALL_SLOTS_SERVED: &str = "cluster_slots_ok:16384\r";

impl Store {
    /// Opens a handle to the Redis at `url`: `redis://`, `rediss://`, `redis+unix://`, or nodes of a
    /// cluster (several, separated by commas, or one with `redis+cluster://`). It connects at first use,
    /// so Redis may start later. An invalid address is an error.
    pub fn open(url: &str, config: Arc<Config>) -> Result<Self> {
        let servers = Servers::at(url, &config.timeouts).map_err(|error| Error::Unexpected {
            what: "REDIS_URL",
            answer: error.to_string(),
        })?;
        let usual = u8::from(servers.is_cluster());
        let replicas = config.confirm_replicas.unwrap_or(usual);
        let own_bytes = config.limits.cache_bytes / 2;
        let rows = SharedRows::of(config.limits.row_cache_bytes());
        let connection = Connection::new(servers, &config.timeouts, replicas, own_bytes);
        Ok(Self {
            connection,
            config,
            clock: Arc::new(Clock::new()),
            shared_rows: Arc::new(rows),
            folded_bytes: Arc::default(),
            throttle: Arc::default(),
            memory: Arc::default(),
            site: Arc::default(),
            activity: Arc::default(),
            staff_state: Arc::default(),
            gives_way: false,
            is_in_background: false,
            holds_writes: Arc::default(),
        })
    }

    /// Checks that the site can serve: every slot has a primary, and each primary answers, has loaded
    /// its data, can persist, and has the replicas that confirm its writes. With full memory it still serves
    /// pages, log-ins and deletions. So it does with clocks that differ.
    pub async fn ready(&self) -> Result<Readiness> {
        if self.connection.is_cluster() {
            let command = redis::cmd("CLUSTER").arg("INFO").take();
            let info: String = self.connection.query(command).await?;
            require(
                info.contains("cluster_state:ok") && info.contains(ALL_SLOTS_SERVED),
                "the cluster does not serve all slots",
            )?;
        }
        let infos = self.info_of_every_primary("everything").await?;
        for info in &infos {
            self.node_is_ready(info)?;
        }
        Ok(Readiness {
            memory: self.memory.record(&infos),
            clock_skew: self.measure_clock_skew().await?,
        })
    }

    fn node_is_ready(&self, info: &InfoDict) -> Result<()> {
        let text = |field: &str| info.get::<String>(field).unwrap_or_default();
        require(text("role") == "master", "Redis is a replica")?;
        require(text("loading") != "1", "Redis is loading its data")?;
        require(
            text("aof_last_write_status") != "err",
            "Redis cannot write its append-only file",
        )?;
        let replicas = info.get::<u64>("connected_slaves").unwrap_or_default();
        require(
            replicas >= u64::from(self.connection.replicas()),
            "Redis has too few replicas to confirm writes",
        )
    }

    /// Returns durability warnings, each a sentence for the operator: settings that lose or refuse data.
    /// Empty if on every primary the append-only file is on and nothing is evicted, and a cluster is
    /// treated as one. While Redis loads its data, it reports the file as off; that is ignored.
    pub async fn durability_warnings(&self) -> Result<Vec<&'static str>> {
        let mut durability_warnings = Vec::new();
        let infos = self.info_of_every_primary("everything").await?;
        self.memory.record(&infos);
        for info in infos {
            let text = |field: &str| info.get::<String>(field).unwrap_or_default();
            require(text("loading") != "1", "Redis is loading its data")?;
            if text("aof_enabled") != "1" {
                durability_warnings.push("appendonly is off: all data is lost when Redis stops");
            }
            if text("cluster_enabled") == "1" && !self.connection.is_cluster() {
                durability_warnings.push(
                    "REDIS_URL names one node of a cluster, which refuses the rest: write redis+cluster://",
                );
            }
            if text("maxmemory_policy") != "noeviction" {
                durability_warnings
                    .push("maxmemory-policy evicts: Redis deletes data when memory is short");
            }
        }
        durability_warnings.sort_unstable();
        durability_warnings.dedup();
        Ok(durability_warnings)
    }

    /// Returns this section of INFO of every primary.
    pub(super) async fn info_of_every_primary(&self, section: &str) -> Result<Vec<InfoDict>> {
        let nodes = self.connection.primaries().await?;
        let info = |node| {
            let command = redis::cmd("INFO").arg(section).take();
            self.connection.query_on(node, command)
        };
        try_join_all(nodes.iter().map(info)).await
    }
}

fn require(holds: bool, otherwise: &str) -> Result<()> {
    if holds {
        Ok(())
    } else {
        Err(Error::Unavailable(otherwise.to_owned()))
    }
}
