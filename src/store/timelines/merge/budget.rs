//! The budget of a merge: the commands and bytes that one page or one rebuild can take. The keys of a
//! merge are in many slots, so no script can count for it. It sends single commands, and each counts.

use crate::domain::Sources;

/// Commands for a page, beyond the first read of each source.
const PAGE_COMMANDS: usize = 2000;
/// Commands for each status that a rebuild needs, beyond the first read of each source.
const REBUILD_COMMANDS: usize = 10;
/// Bytes of replies for each of these commands.
const BYTES_PER_COMMAND: usize = 512;
/// Minimum number of statuses in the first read of each source.
pub(super) const LEAST_PORTION: usize = 4;
/// Maximum number of statuses in one read of a source.
const LARGEST_PORTION: usize = 1000;
/// Bytes of an id in a reply.
const ID_BYTES: usize = 24;
/// Bytes of a status header with long tags in a reply.
const LARGE_HEADER_BYTES: usize = 4096;

/// The commands and bytes that are left.
#[derive(Debug, Clone, Copy)]
pub struct MergeBudget {
    commands: usize,
    bytes: usize,
}

impl MergeBudget {
    /// Returns the budget of all merges of one page.
    pub fn of_page(sources: &Sources) -> Self {
        Self::new(sources, PAGE_COMMANDS)
    }

    /// Returns the budget of a rebuild.
    pub fn of_rebuild(sources: &Sources, timeline_size: usize) -> Self {
        Self::new(sources, REBUILD_COMMANDS * timeline_size)
    }

    fn new(sources: &Sources, commands: usize) -> Self {
        let source_count = sources.count();
        Self {
            commands: source_count + commands,
            bytes: source_count * LEAST_PORTION * ID_BYTES + commands * BYTES_PER_COMMAND,
        }
    }

    /// Returns the number of statuses that each of these sources can be asked for. 0: too little is left.
    pub(super) fn largest_portion(self, source_count: usize) -> usize {
        if self.commands < source_count {
            return 0;
        }
        let ids = self.bytes / ID_BYTES;
        (ids / source_count.max(1)).min(LARGEST_PORTION)
    }

    /// Returns the number of status headers that can be read.
    pub(super) fn header_count(self) -> usize {
        self.commands.min(self.bytes / LARGE_HEADER_BYTES)
    }

    /// Counts one command with the bytes of its reply.
    pub(super) fn charge(&mut self, bytes: usize) {
        self.commands = self.commands.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(bytes);
    }
}
