//! Rewrites of Redis' append-only files. A deleted text stays in them until they are rewritten, and they grow with every
//! write. A lease says when the next rewrite is due. The embedded server begins none by itself.

use std::{path::Path, time::Duration};

use ::redis::InfoDict;
use futures_util::future::try_join_all;
use tokio::time::sleep;

use super::{leases::LeaseTime, prelude::*, redis::nodes::Node};

/// Time after which a failed attempt is repeated, in seconds.
const RETRY_S: u64 = 3600;
/// Size of the embedded server's files from which they are rewritten when they have doubled. Redis' default.
const DOUBLED_BYTES: u64 = 64 * MIB;
/// Interval at which a running rewrite is checked.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);
/// Bytes of a disk that a rewrite leaves for the writes meanwhile.
const RESERVE_BYTES: u64 = 16 * MIB;
const MIB: u64 = 1024 * 1024;

impl Store {
    /// Rewrites the files of every primary, if the last rewrite was longer ago than the setting says, or if the files of
    /// the embedded server have doubled since. Returns whether it did. One process at a time does it.
    ///
    /// A lease of at most [`RETRY_S`] belongs to an attempt, or to a backup that copies the files. So a failed attempt is
    /// not repeated sooner. A longer lease only says when the next rewrite is due, and files that have doubled do not
    /// wait for its end.
    pub async fn rewrite_files_if_due(&self) -> Result<bool> {
        self.begin().await?;
        let token = format!("{:032x}", rand::random::<u128>());
        let seconds = self.config.timeouts.rewrite.as_secs();
        let longest_s = seconds.max(RETRY_S);
        let time = LeaseTime {
            ttl_s: RETRY_S,
            longest_s: match self.have_files_doubled().await? {
                true => RETRY_S,
                false => longest_s,
            },
        };
        if !self.take_lease(keys::REWRITE, &token, time).await? {
            return Ok(false);
        }
        self.rewrite_files().await?;
        let until_next = LeaseTime {
            ttl_s: seconds,
            longest_s,
        };
        // A backup may have taken the lease meanwhile, and keeps it.
        self.take_lease(keys::REWRITE, &token, until_next).await?;
        Ok(true)
    }

    /// Returns whether the files of the embedded server have doubled since the last rewrite. Any other Redis follows its
    /// own configuration. One round trip.
    async fn have_files_doubled(&self) -> Result<bool> {
        if self.config.redis_url.is_some() {
            return Ok(false);
        }
        let nodes = self.connection.primaries().await?;
        let Some(node) = nodes.first() else {
            return Ok(false);
        };
        let command = redis::cmd("INFO").with("persistence");
        let info: InfoDict = self.connection.query_on(node, command).await?;
        Ok(have_doubled(&info))
    }

    /// Rewrites the append-only files of every primary, and waits for the end.
    ///
    /// # Errors `NoSpace` if the disk of the embedded server has no space for new files.
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
        if self.config.redis_url.is_none() {
            check_space(&self.config.data_dir, &before)?;
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
            let command = redis::cmd("INFO").with(("persistence", "memory"));
            let info: InfoDict = self.connection.query_on(node, command).await?;
            let runs = |field: &str| info.get::<u64>(field).unwrap_or_default() > 0;
            if !runs("aof_rewrite_in_progress") && !runs("aof_rewrite_scheduled") {
                return Ok(info);
            }
            sleep(CHECK_INTERVAL).await;
        }
    }
}

/// Returns whether files are large enough and have doubled since the last rewrite.
fn have_doubled(info: &InfoDict) -> bool {
    let bytes = |field: &str| info.get::<u64>(field).unwrap_or_default();
    let (present, before) = (bytes("aof_current_size"), bytes("aof_base_size"));
    present >= DOUBLED_BYTES.max(before.saturating_mul(2))
}

/// Checks that a disk has space for new append-only files. On a full disk Redis cannot write, and ends.
fn check_space(directory: &Path, info: &InfoDict) -> Result<()> {
    let Ok(disk) = rustix::fs::statvfs(directory) else {
        return Ok(());
    };
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    let bytes = |field: &str| info.get::<u64>(field).unwrap_or_default();
    let needed = needed_bytes(bytes("aof_current_size"), bytes("used_memory"));
    match needed <= free {
        true => Ok(()),
        false => Err(Error::NoSpace {
            free_mib: free / MIB,
            needed_mib: needed.div_ceil(MIB),
        }),
    }
}

/// Returns the free bytes that a rewrite needs. New files take less than the present ones, and less than the data takes
/// in memory.
fn needed_bytes(file_bytes: u64, memory_bytes: u64) -> u64 {
    file_bytes.min(memory_bytes).saturating_add(RESERVE_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rewrite_needs_space_for_the_smaller_of_files_and_data() {
        assert_eq!(needed_bytes(300 * MIB, 200 * MIB), 216 * MIB);
        assert_eq!(needed_bytes(40 * MIB, 200 * MIB), 56 * MIB);
        assert_eq!(needed_bytes(u64::MAX, u64::MAX), u64::MAX);
    }

    #[test]
    fn large_files_are_rewritten_when_they_have_doubled() {
        let info = |present: u64, before: u64| -> InfoDict {
            InfoDict::new(&format!(
                "aof_current_size:{present}\r\naof_base_size:{before}\r\n"
            ))
        };
        for (present, before, expected) in [
            (64 * MIB, 32 * MIB, true),
            (64 * MIB, 0, true),
            (64 * MIB - 1, 0, false),
            (64 * MIB, 32 * MIB + 1, false),
            (300 * MIB, 150 * MIB, true),
        ] {
            assert_eq!(have_doubled(&info(present, before)), expected, "{present}");
        }
        assert!(!have_doubled(&InfoDict::new("aof_enabled:0\r\n")));
    }

    #[test]
    fn no_rewrite_begins_without_space() {
        let directory = tempfile::tempdir().unwrap();
        let info = |bytes: u64| -> InfoDict {
            InfoDict::new(&format!(
                "aof_current_size:{bytes}\r\nused_memory:{bytes}\r\n"
            ))
        };
        assert!(check_space(directory.path(), &info(MIB)).is_ok());
        let refused = check_space(directory.path(), &info(1 << 60));
        assert!(matches!(refused, Err(Error::NoSpace { .. })));
        let missing = directory.path().join("missing");
        assert!(check_space(&missing, &info(1 << 60)).is_ok());
    }
}
