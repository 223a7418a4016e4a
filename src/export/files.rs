//! The files of exports. Each export has a directory while its passes write, and then an archive:
//! `<user id>-<token>` and `<user id>-<token>.zip` in the directory of exports. A file appears whole, by a rename. The
//! parts are compressed, because an archive can be many times smaller than its texts.

use std::{
    fs,
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};

use crate::{
    config::Config,
    domain::{ExportToken, UserId},
};

/// The files of one export.
#[derive(Debug, Clone)]
pub struct ExportFiles {
    root: PathBuf,
    name: String,
}

/// A part of the archive that passes write, a file for each pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArchivePart {
    Outbox,
    Page,
    Likes,
    Bookmarks,
    Messages,
}

impl ArchivePart {
    fn as_str(self) -> &'static str {
        match self {
            Self::Outbox => "outbox",
            Self::Page => "page",
            Self::Likes => "likes",
            Self::Bookmarks => "bookmarks",
            Self::Messages => "messages",
        }
    }
}

impl ExportFiles {
    pub fn new(config: &Config, person: UserId, token: &ExportToken) -> Self {
        Self {
            root: config.exports_dir(),
            name: format!("{person}-{token}"),
        }
    }

    /// Returns the path of the finished archive.
    pub fn archive(&self) -> PathBuf {
        self.root.join(format!("{}.zip", self.name))
    }

    fn directory(&self) -> PathBuf {
        self.root.join(&self.name)
    }

    fn part(&self, part: ArchivePart, step: u32) -> PathBuf {
        self.directory()
            .join(format!("{}-{step:06}", part.as_str()))
    }

    /// Writes a compressed part of a pass. A repeated pass writes the same part.
    pub fn write_part(&self, part: ArchivePart, step: u32, content: &[u8]) -> io::Result<()> {
        create_private(&self.directory())?;
        replace(&self.part(part, step), content)
    }

    /// Returns the file that marks the end of the pass before this one. It is missing on another machine.
    pub fn last_step(&self, step: u32) -> Option<PathBuf> {
        step.checked_sub(1).map(|last| self.step(last))
    }

    fn step(&self, step: u32) -> PathBuf {
        self.directory().join(format!("step-{step:06}"))
    }

    /// Notes that all parts of a pass are written.
    pub fn finish_step(&self, step: u32) -> io::Result<()> {
        create_private(&self.directory())?;
        replace(&self.step(step), b"")
    }

    /// Returns the files of a part, in the order of the passes.
    pub fn parts(&self, part: ArchivePart) -> io::Result<Vec<PathBuf>> {
        let beginning = format!("{}-", part.as_str());
        let mut found = Vec::new();
        for entry in fs::read_dir(self.directory())? {
            let entry = entry?;
            let name = entry.file_name();
            let is_part = name.to_str().is_some_and(|name| {
                let number = name.strip_prefix(&beginning);
                number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
            });
            if is_part {
                found.push(entry.path());
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    /// Returns the bytes that the parts and the drafts of the archive take.
    pub fn part_bytes(&self) -> io::Result<u64> {
        bytes_at(&self.directory())
    }

    /// Removes the parts. Without them an export cannot continue.
    pub fn remove_parts(&self) -> io::Result<()> {
        remove(&self.directory())
    }

    /// Removes the files of all other exports of the same person. A new export replaces them.
    pub fn remove_others(&self) -> io::Result<()> {
        let person = self.name.split('-').next();
        for (name, path) in all(&self.root)? {
            let is_own = name.strip_suffix(".zip").unwrap_or(&name) == self.name;
            if !is_own && parse_name(&name).is_some() && name.split('-').next() == person {
                remove(&path)?;
            }
        }
        Ok(())
    }

    /// Returns a path at which the archive is written before it is complete. Each call returns another one, because
    /// two workers can write the same archive after a pause of the first.
    pub fn draft(&self) -> PathBuf {
        let name = format!("archive-{:016x}.zip", rand::random::<u64>());
        self.directory().join(name)
    }

    /// Puts the complete archive in its place and removes the parts.
    pub fn publish(&self, draft: &Path) -> io::Result<u64> {
        let archive = self.archive();
        fs::File::open(draft)?.sync_all()?;
        fs::rename(draft, &archive)?;
        self.remove_parts()?;
        Ok(fs::metadata(&archive)?.len())
    }
}

/// Compresses a part.
pub fn compress(text: &str) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes())?;
    encoder.finish()
}

/// Opens a compressed part.
pub fn open_part(path: &Path) -> io::Result<impl BufRead> {
    Ok(BufReader::new(GzDecoder::new(fs::File::open(path)?)))
}

/// Creates a file that only the user of the process can read.
pub fn create_private_file(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Parses the name of a file or directory of an export.
pub fn parse_name(name: &str) -> Option<(UserId, ExportToken)> {
    let name = name.strip_suffix(".zip").unwrap_or(name);
    let (person, token) = name.split_once('-')?;
    Some((person.parse().ok()?, token.parse().ok()?))
}

/// Returns the files and directories of exports, with their names.
pub fn all(root: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let entries = match fs::read_dir(root) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let named = entries.filter_map(|entry| {
        let entry = entry.ok()?;
        Some((entry.file_name().into_string().ok()?, entry.path()))
    });
    Ok(named.collect())
}

/// Returns the bytes that the files of all exports take.
pub fn used_bytes(root: &Path) -> io::Result<u64> {
    let mut used = 0;
    for (name, path) in all(root)? {
        if parse_name(&name).is_some() {
            used += bytes_at(&path)?;
        }
    }
    Ok(used)
}

/// Returns the bytes of a file, or of the files in a directory. A file that is gone takes none.
fn bytes_at(path: &Path) -> io::Result<u64> {
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        found => found?,
    };
    if !found.is_dir() {
        return Ok(found.len());
    }
    let mut bytes = 0;
    for (_, path) in all(path)? {
        bytes += bytes_at(&path)?;
    }
    Ok(bytes)
}

/// Removes a file or a directory. One that is gone is no error.
pub fn remove(path: &Path) -> io::Result<()> {
    let removed = match path.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Creates a directory that only the user of the process can read.
pub fn create_private(directory: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
}

fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let draft = path.with_extension(format!("{:08x}.draft", rand::random::<u32>()));
    fs::write(&draft, content)?;
    fs::rename(&draft, path)
}
