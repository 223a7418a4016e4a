//! The files of exports. Each export has a directory while its passes write, and then an archive:
//! `<user id>-<token>` and `<user id>-<token>.zip` in the directory of exports. A file appears whole, by a rename.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

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

    /// Writes a part of a pass. A pass that is made twice replaces it by the same.
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
        match fs::remove_dir_all(self.directory()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        Ok(fs::metadata(&archive)?.len())
    }
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
fn create_private(directory: &Path) -> io::Result<()> {
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
