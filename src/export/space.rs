//! The space of archives: a limit for all people together, a share of it for each person, and the bytes that archives
//! leave free on their disk.

use std::{
    fs::File,
    io::{self, Seek, SeekFrom, Write},
    path::PathBuf,
};

use super::files::{self, ExportFiles};
use crate::config::Config;

/// Bytes after which a growing archive is checked again.
const CHECK_INTERVAL_BYTES: u64 = 4 * 1024 * 1024;
/// Minimum size of an archive.
pub const LEAST_BYTES: u64 = 4096;
/// The files of one person take at most this part of the limit.
const SHARES: u64 = 8;

/// The limits of the directory of exports.
#[derive(Debug, Clone)]
pub struct ExportSpace {
    root: PathBuf,
    max_bytes: u64,
    free_bytes: u64,
    /// The export that grows, if it has begun.
    export: Option<ExportFiles>,
}

impl ExportSpace {
    pub fn new(config: &Config) -> Self {
        Self {
            root: config.exports_dir(),
            max_bytes: config.limits.exports_bytes,
            free_bytes: config.limits.exports_free_bytes,
            export: None,
        }
    }

    /// Returns the space of an export that has begun.
    pub fn of(config: &Config, export: &ExportFiles) -> Self {
        Self {
            export: Some(export.clone()),
            ..Self::new(config)
        }
    }

    /// Checks that there is space for more bytes.
    ///
    /// # Errors `StorageFull` if there is none.
    pub fn check(&self, more: u64) -> io::Result<()> {
        files::create_private(&self.root)?;
        let used = files::used_bytes(&self.root)?;
        let disk = rustix::fs::statvfs(&self.root)?;
        let free = disk.f_bavail.saturating_mul(disk.f_frsize);
        let export = self.export.as_ref();
        let own = export.map_or(Ok(0), ExportFiles::part_bytes)?;
        let has_space = used.saturating_add(more) <= self.max_bytes
            && own.saturating_add(more) <= self.max_bytes / SHARES
            && self.free_bytes.saturating_add(more) <= free;
        match has_space {
            true => Ok(()),
            false => Err(io::ErrorKind::StorageFull.into()),
        }
    }
}

/// Returns whether a file could not be written because there is no space.
pub fn is_full(error: &io::Error) -> bool {
    use io::ErrorKind::{QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded)
}

/// A file that grows only while there is space.
pub struct LimitedFile {
    file: File,
    space: ExportSpace,
    unchecked: u64,
}

impl LimitedFile {
    pub fn new(file: File, space: ExportSpace) -> Self {
        Self {
            file,
            space,
            unchecked: 0,
        }
    }
}

impl Write for LimitedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len() as u64;
        self.unchecked += count;
        if self.unchecked > CHECK_INTERVAL_BYTES {
            self.space.check(count)?;
            self.unchecked = 0;
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for LimitedFile {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.file.seek(position)
    }
}
