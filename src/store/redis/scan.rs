//! Scans of the keys of a primary (SCAN) and of the entries of a key (SSCAN, HSCAN, ZSCAN). A cursor is valid only in
//! the process of Redis that gave it, because each process draws at its start the seed that orders keys and entries.
//! So each reply comes with the run id of its process, and a scan begins again when another process replies.

use redis::{Cmd, FromRedisValue, InfoDict};

use super::{connection::Connection, nodes::Node, scripts::With};
use crate::store::Result;

/// A reply to a scan: the next cursor and the items, then the section `server` of INFO of the same process.
type Reply<T> = ((u64, Vec<T>), InfoDict);

/// The position of a scan. The default is its start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScanPosition {
    cursor: u64,
    /// The run id of the process that gave the cursor.
    run_id: String,
}

impl ScanPosition {
    /// Returns the position of a cursor that the process with this run id gave.
    pub fn of(cursor: u64, run_id: String) -> Self {
        Self { cursor, run_id }
    }

    pub fn cursor(&self) -> u64 {
        self.cursor
    }

    /// Takes over the reply of a process. Returns whether the scan is complete. A scan that another process continued
    /// begins again, because the reply can have skipped items.
    fn advance(&mut self, next: u64, run_id: String) -> bool {
        let is_valid = self.cursor == 0 || self.run_id == run_id;
        self.cursor = if is_valid { next } else { 0 };
        self.run_id = run_id;
        is_valid && next == 0
    }
}

/// Builds the command that reads the run id of a process.
pub fn server_info() -> Cmd {
    redis::cmd("INFO").with("server")
}

/// Returns the run id in a reply to [`server_info`], '' if Redis does not state it.
pub fn run_id_of(info: &InfoDict) -> String {
    info.get("run_id").unwrap_or_default()
}

impl Connection {
    /// Returns the next names of keys of a primary, and whether they are the last. A key that exists throughout is found
    /// at least once.
    pub async fn scan_keys(
        &self,
        node: &Node,
        position: &mut ScanPosition,
        count: usize,
    ) -> Result<(Vec<Vec<u8>>, bool)> {
        let scan = redis::cmd("SCAN").with((position.cursor, "COUNT", count));
        let reply = self.query_one_process(Some(node), [scan, server_info()]);
        Ok(taken_over(position, reply.await?))
    }

    /// Returns the next entries of a key by SSCAN, HSCAN or ZSCAN, and whether they are the last. An entry that exists
    /// throughout is found at least once.
    pub async fn scan_entries<T: FromRedisValue>(
        &self,
        command: &str,
        key: &str,
        position: &mut ScanPosition,
        count: usize,
    ) -> Result<(Vec<T>, bool)> {
        let scan = redis::cmd(command).with((key, position.cursor, "COUNT", count));
        let reply = self.query_one_process(None, [scan, server_info()]);
        Ok(taken_over(position, reply.await?))
    }
}

/// Advances a position by a reply. Returns the items, and whether they are the last.
fn taken_over<T>(position: &mut ScanPosition, reply: Reply<T>) -> (Vec<T>, bool) {
    let ((next, items), info) = reply;
    let is_complete = position.advance(next, run_id_of(&info));
    (items, is_complete)
}

#[cfg(test)]
mod tests {
    use super::ScanPosition;

    #[test]
    fn a_scan_is_complete_when_the_process_that_it_began_with_returns_cursor_0() {
        let mut position = ScanPosition::default();
        assert!(!position.advance(5, "one".to_owned()));
        assert_eq!(position.cursor(), 5);
        assert!(position.advance(0, "one".to_owned()));
        assert!(
            ScanPosition::default().advance(0, "one".to_owned()),
            "one reply had all"
        );
    }

    #[test]
    fn a_scan_that_another_process_continues_begins_again() {
        for next in [0, 7] {
            let mut position = ScanPosition::of(5, "one".to_owned());
            assert!(!position.advance(next, "two".to_owned()));
            assert_eq!(position, ScanPosition::of(0, "two".to_owned()));
            assert!(!position.advance(9, "two".to_owned()));
            assert!(position.advance(0, "two".to_owned()));
        }
    }
}
