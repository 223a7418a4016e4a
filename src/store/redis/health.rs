//! The health of the nodes of Redis, as INFO reports it.

use redis::InfoDict;

use super::{clock::skew::ClockSkew, memory::MemoryUse};
use crate::store::{Result, Store};

/// What the operator of a site that is ready should know.
#[derive(Debug, Clone)]
pub struct Readiness {
    pub memory: MemoryUse,
    pub clock_skew: ClockSkew,
}

/// The health of one primary.
#[derive(Debug, Clone)]
pub struct NodeHealth {
    pub version: String,
    pub uptime_s: u64,
    pub memory: MemoryUse,
    pub used_bytes: u64,
    /// 0 without a limit.
    pub limit_bytes: u64,
    pub replica_count: u64,
    /// Whether writes go to an append-only file.
    pub is_append_only: bool,
    /// Whether the last write to that file and its last rewrite succeeded.
    pub are_files_written: bool,
    /// Whether Redis deletes data when its memory is short.
    pub evicts: bool,
}

impl NodeHealth {
    fn of(info: &InfoDict) -> Self {
        let text = |field: &str| info.get::<String>(field).unwrap_or_default();
        let number = |field: &str| info.get::<u64>(field).unwrap_or_default();
        let version = text("redis_version");
        Self {
            version: match version.is_empty() {
                true => "of an unknown version".to_owned(),
                false => version,
            },
            uptime_s: number("uptime_in_seconds"),
            memory: MemoryUse::of(info),
            used_bytes: number("used_memory"),
            limit_bytes: number("maxmemory"),
            replica_count: number("connected_slaves"),
            is_append_only: text("aof_enabled") == "1",
            are_files_written: text("aof_last_write_status") != "err"
                && text("aof_last_bgrewrite_status") != "err",
            evicts: text("maxmemory_policy") != "noeviction",
        }
    }
}

impl Store {
    /// Returns the number of replicas that must confirm a write.
    pub fn wanted_replicas(&self) -> u8 {
        self.connection.replicas()
    }

    /// Returns the health of every primary.
    pub async fn node_health(&self) -> Result<Vec<NodeHealth>> {
        let infos = self.info_of_every_primary("everything").await?;
        Ok(infos.iter().map(NodeHealth::of).collect())
    }
}
