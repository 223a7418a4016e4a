//! Rewrites of Redis' append-only files. A deleted text stays in them until they are rewritten. A lease
//! says when the next rewrite is due.

use std::time::Duration;

use ::redis::InfoDict;
use futures_util::future::try_join_all;
use tokio::time::sleep;

use super::{leases::LeaseTime, prelude::*, redis::nodes::Node};

/// Time after which a failed attempt is repeated, in seconds.
const RETRY_S: u64 = 3600;
/// Interval at which a running rewrite is checked.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);

impl Store {
    /// Rewrites the files of every primary, if the last rewrite was longer ago than the setting says.
    /// Returns whether it did. One process at a time does it.
    pub async fn rewrite_files_if_due(&self) -> Result<bool> {
        self.begin().await?;
        let token = format!("{:032x}", rand::random::<u128>());
        let seconds = self.config.timeouts.rewrite.as_secs();
        let time = LeaseTime {
            ttl_s: RETRY_S,
            longest_s: seconds.max(RETRY_S),
        };
        if !self.take_lease(keys::REWRITE, &token, time).await? {
            return Ok(false);
        }
        self.rewrite_files().await?;
        let until_next = redis::cmd("EXPIRE").with((keys::REWRITE, seconds));
        self.connection.query::<i64>(until_next).await?;
        Ok(true)
    }

    /// Rewrites the append-only files of every primary, and waits for the end.
    pub async fn rewrite_files(&self) -> Result<()> {
        let nodes = self.connection.primaries().await?;
        try_join_all(nodes.iter().map(|node| self.rewrite_on(node))).await?;
        Ok(())
    }

    async fn rewrite_on(&self, node: &Node) -> Result<()> {
        // A rewrite that runs already may have begun before a deletion.
        let before = self.wait_for_rewrite(node).await?;
        if before.get::<String>("aof_enabled").as_deref() != Some("1") {
            return Ok(());
        }
        let command = redis::cmd("BGREWRITEAOF");
        let _started: String = self.connection.query_on(node, command).await?;
        let after = self.wait_for_rewrite(node).await?;
        match after.get::<String>("aof_last_bgrewrite_status") {
            Some(status) if status != "ok" => Err(Error::Unexpected {
                what: "the rewrite of the append-only files",
                answer: status,
            }),
            _ => Ok(()),
        }
    }

    /// Waits until no rewrite runs on a node. Returns the node's state.
    async fn wait_for_rewrite(&self, node: &Node) -> Result<InfoDict> {
        loop {
            let command = redis::cmd("INFO").arg("persistence").take();
            let info: InfoDict = self.connection.query_on(node, command).await?;
            let runs = |field: &str| info.get::<u64>(field).unwrap_or_default() > 0;
            if !runs("aof_rewrite_in_progress") && !runs("aof_rewrite_scheduled") {
                return Ok(info);
            }
            sleep(CHECK_INTERVAL).await;
        }
    }
}
