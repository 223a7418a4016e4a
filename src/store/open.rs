//! Opening the store, and whether the Redis behind it may be trusted with what people write.

use std::{collections::HashMap, sync::Arc};

use redis::{Client, InfoDict, IntoConnectionInfo, cluster::ClusterClient, io::tcp::TcpSettings};

use super::{
    Error, Result, Store,
    call::Clock,
    connection::{Connection, Target},
};
use crate::config::Config;

impl Store {
    /// A handle to the Redis at `url`: `redis://`, `rediss://`, `redis+unix://`, or nodes of a
    /// cluster (several, separated by commas, or one with `redis+cluster://`). Connects at first
    /// use, so that Redis may come later than we do. An address that cannot be parsed is an error.
    pub fn open(url: &str, config: Arc<Config>) -> Result<Self> {
        let target = target(url, &config).map_err(|error| Error::Unexpected {
            what: "REDIS_URL",
            answer: error.to_string(),
        })?;
        let connection = Connection::new(target, config.timeouts.clone());
        Ok(Self {
            connection,
            config,
            clock: Arc::new(Clock::new()),
        })
    }

    /// Ready to serve: Redis answers, is a primary, has its data loaded and can persist.
    pub async fn ready(&self) -> Result<()> {
        if self.connection.is_cluster() {
            let info: String = self
                .connection
                .query(redis::cmd("CLUSTER").arg("INFO").take())
                .await?;
            return require(info.contains("cluster_state:ok"), "the cluster is not ok");
        }
        let info: InfoDict = self
            .connection
            .query(redis::cmd("INFO").arg("everything").take())
            .await?;
        let text = |field: &str| info.get::<String>(field).unwrap_or_default();
        require(text("role") == "master", "Redis is a replica")?;
        require(text("loading") != "1", "Redis is loading its data")?;
        require(
            text("aof_last_write_status") != "err",
            "Redis cannot write its append-only file",
        )?;
        let number = |field: &str| info.get::<u64>(field).unwrap_or_default();
        let limit = number("maxmemory");
        let full = limit > 0 && number("used_memory") > limit;
        require(!full, "Redis' memory is full")
    }

    /// What would lose data: each a sentence for the one who runs the site. Empty where the
    /// append-only file is on and nothing is evicted, on every primary.
    pub async fn hazards(&self) -> Result<Vec<&'static str>> {
        let mut hazards = Vec::new();
        for info in self.info_of_every_node().await? {
            let text = |field: &str| info.get::<String>(field).unwrap_or_default();
            if text("aof_enabled") != "1" {
                hazards.push("appendonly is off: what people write is lost when Redis stops");
            }
            if text("maxmemory_policy") != "noeviction" {
                hazards.push("maxmemory-policy evicts: Redis throws away what people wrote");
            }
        }
        hazards.sort_unstable();
        hazards.dedup();
        Ok(hazards)
    }

    async fn info_of_every_node(&self) -> Result<Vec<InfoDict>> {
        let command = redis::cmd("INFO").arg("everything").take();
        if self.connection.is_cluster() {
            let by_node: HashMap<String, InfoDict> = self.connection.query(command).await?;
            return Ok(by_node.into_values().collect());
        }
        Ok(vec![self.connection.query(command).await?])
    }
}

fn require(holds: bool, otherwise: &str) -> Result<()> {
    if holds {
        Ok(())
    } else {
        Err(Error::Unavailable(otherwise.to_owned()))
    }
}

fn target(url: &str, config: &Config) -> redis::RedisResult<Target> {
    let cluster = url.contains(',') || url.contains("+cluster://");
    let nodes = url.split(',').map(|node| {
        node.trim()
            .replace("redis+cluster://", "redis://")
            .replace("rediss+cluster://", "rediss://")
    });
    if cluster {
        let client = ClusterClient::builder(nodes)
            .connection_timeout(config.timeouts.redis_connect)
            .response_timeout(config.timeouts.redis_response)
            .tcp_settings(TcpSettings::default().set_nodelay(true))
            .build()?;
        return Ok(Target::Cluster(Box::new(client)));
    }
    let info = url.into_connection_info()?;
    let info = info.set_tcp_settings(TcpSettings::default().set_nodelay(true));
    Ok(Target::Node(Box::new(Client::open(info)?)))
}
