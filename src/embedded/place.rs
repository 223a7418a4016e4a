//! The files of the embedded server: directory, socket, log, and two locks. The owning Redwing holds
//! `owner.lock`. The server holds `server.lock` by an inherited file, so a server that outlived its
//! Redwing is detected without a process id.

use std::{
    env,
    ffi::OsStr,
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io,
    os::unix::{
        ffi::OsStrExt,
        fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};
use url::Url;

use super::{Error, zeros};
use crate::domain::hex;

/// Maximum length of a socket's path: 108 bytes on Linux and 104 on macOS, with the final zero.
const SOCKET_PATH_BYTES: usize = 103;

/// Size above which the log is rotated at the next start. One old log is kept.
const LOG_BYTES: u64 = 1_000_000;

/// Size of a data file up to which it may have no data: an interrupted first start leaves one.
const EMPTY_BYTES: u64 = 4096;

/// Name of the list of the data files.
pub(super) const MANIFEST: &str = "appendonly.aof.manifest";
/// Directory of the data files in that of the server.
const DATA_FILES: &str = "appendonlydir";

/// The files of one embedded server.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) data_dir: PathBuf,
    /// Data of the server, private to this user.
    pub(super) dir: PathBuf,
    pub(super) socket: PathBuf,
}

impl Place {
    /// Creates the directories. The socket goes elsewhere if its path would be too long.
    pub(super) fn prepare(data_dir: &Path) -> Result<Self, Error> {
        make_private(data_dir).map_err(at(data_dir))?;
        let data_dir = data_dir.canonicalize().map_err(at(data_dir))?;
        let dir = data_dir.join("redis");
        make_private(&dir).map_err(at(&dir))?;
        require_owner(&dir, rustix::process::geteuid().as_raw())?;
        require_manifest(&dir.join(DATA_FILES))?;
        let near = dir.join("redis.sock");
        let socket = if is_short_enough(&near) {
            near
        } else {
            short_socket(&dir)?
        };
        Ok(Self {
            data_dir,
            dir,
            socket,
        })
    }

    /// Removes the files that a killed server did not finish. Servers never read them, and they can contain deleted texts.
    /// No server may run.
    pub(super) fn remove_unfinished_files(&self) {
        for dir in [self.dir.clone(), self.dir.join(DATA_FILES)] {
            let entries = fs::read_dir(dir).into_iter().flatten().flatten();
            for path in entries
                .map(|entry| entry.path())
                .filter(|path| is_unfinished(path))
            {
                if let Err(error) = fs::remove_file(&path) {
                    tracing::warn!(%error, "{} cannot be removed", path.display());
                }
            }
        }
    }

    /// Cuts off the zeros that a loss of power left at the end of the data. No server may run.
    pub(super) fn cut_off_zeros(&self) {
        match zeros::cut_off(&self.dir.join(DATA_FILES)) {
            Ok(None) => {}
            Ok(Some((path, count))) => tracing::warn!(
                "{} ended with zeros, which a loss of power can leave. The {count} bytes after its last complete command \
                 were cut off. They held no answered write",
                path.display()
            ),
            Err(error) => tracing::warn!(%error, "the end of the data files was not examined"),
        }
    }

    pub(super) fn url(&self) -> String {
        let path = Url::from_file_path(&self.socket).expect("the socket's path is absolute");
        format!("redis+unix://{}", path.path())
    }

    pub(super) fn log(&self) -> PathBuf {
        self.dir.join("redis.log")
    }

    /// Opens the log for appending and rotates a large one.
    pub(super) fn open_log(&self) -> Result<File, Error> {
        let path = self.log();
        if fs::metadata(&path).is_ok_and(|log| log.len() > LOG_BYTES) {
            fs::rename(&path, path.with_extension("log.1")).map_err(at(&path))?;
        }
        open(&path)
    }

    /// Opens the lock of the Redwing that owns the server.
    pub(super) fn owner_lock(&self) -> Result<Lock, Error> {
        Lock::open(self.dir.join("owner.lock"))
    }

    /// Opens the lock that the server inherits.
    pub(super) fn server_lock(&self) -> Result<Lock, Error> {
        Lock::open(self.dir.join("server.lock"))
    }
}

/// A file that one process locks at a time.
pub(super) struct Lock {
    pub(super) file: File,
    pub(super) path: PathBuf,
}

impl Lock {
    fn open(path: PathBuf) -> Result<Self, Error> {
        let file = open(&path)?;
        Ok(Self { file, path })
    }

    /// Waits until this process has the lock.
    pub(super) fn lock(&self) -> Result<(), Error> {
        self.file.lock().map_err(at(&self.path))
    }

    /// Returns whether this process has the lock now.
    pub(super) fn try_lock(&self) -> Result<bool, Error> {
        match self.file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(source)) => Err(at(&self.path)(source)),
        }
    }
}

fn is_short_enough(socket: &Path) -> bool {
    socket.as_os_str().len() <= SOCKET_PATH_BYTES
}

/// Creates a path in a short private directory, stored beside the data so that every process finds it.
fn short_socket(dir: &Path) -> Result<PathBuf, Error> {
    let record = dir.join("socket-path");
    let socket = match fs::read_to_string(&record) {
        // A full disk leaves an empty record.
        Ok(path) if !path.is_empty() => PathBuf::from(path),
        _ => {
            let digest = Sha256::digest(dir.as_os_str().as_bytes());
            let name = format!("redwing-{}", hex(&digest[..4]));
            runtime_dir().join(name).join("redis.sock")
        }
    };
    let parent = socket.parent().unwrap_or(Path::new("/"));
    make_private(parent).map_err(at(parent))?;
    require_private(parent)?;
    tracing::info!(
        "the path of the data directory is long: the socket is {}",
        socket.display()
    );
    fs::write(&record, socket.as_os_str().as_bytes()).map_err(at(&record))?;
    Ok(socket)
}

/// Returns the user's runtime directory if the system names a short one, else `/tmp`.
#[expect(
    clippy::disallowed_methods,
    reason = "the system says where, it is no setting of ours"
)]
fn runtime_dir() -> PathBuf {
    env::var_os("XDG_RUNTIME_DIR")
        .map(PathBuf::from)
        .filter(|dir| dir.is_absolute() && dir.is_dir() && dir.as_os_str().len() < 64)
        .unwrap_or_else(|| "/tmp".into())
}

/// Creates a directory that only this user can enter. An existing one stays as it is.
fn make_private(dir: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

/// Refuses a directory that another user created or can write to.
fn require_private(dir: &Path) -> Result<(), Error> {
    let found = fs::symlink_metadata(dir).map_err(at(dir))?;
    let me = rustix::process::geteuid().as_raw();
    if found.is_dir() && found.uid() == me && found.mode() & 0o077 == 0 {
        Ok(())
    } else {
        Err(Error::NotPrivate(dir.to_owned()))
    }
}

/// Refuses the data of another user, such as that of the site for a command of root.
fn require_owner(dir: &Path, me: u32) -> Result<(), Error> {
    let owner = fs::metadata(dir).map_err(at(dir))?.uid();
    if owner == me {
        return Ok(());
    }
    let path = dir.to_owned();
    Err(Error::OtherOwner { path, owner })
}

/// Returns whether this is a file that a server writes before it replaces another one.
fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    name.starts_with("temp-") && (name.ends_with(".aof") || name.ends_with(".rdb"))
}

/// Refuses data files without the list of them. A server would begin anew and overwrite them.
fn require_manifest(files: &Path) -> Result<(), Error> {
    let Ok(entries) = fs::read_dir(files) else {
        return Ok(());
    };
    let has_data = |entry: fs::DirEntry| {
        let path = entry.path();
        let is_data = path
            .extension()
            .is_some_and(|kind| kind == "aof" || kind == "rdb");
        is_data && entry.metadata().is_ok_and(|file| file.len() > EMPTY_BYTES)
    };
    match files.join(MANIFEST).exists() || !entries.flatten().any(has_data) {
        true => Ok(()),
        false => Err(Error::NoManifest(files.to_owned())),
    }
}

fn open(path: &Path) -> Result<File, Error> {
    OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(path)
        .map_err(at(path))
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    move |source| Error::File { path, source }
}

#[cfg(test)]
mod tests {
    use super::super::place::*;

    #[test]
    fn a_long_socket_path_moves_to_a_stable_private_directory() {
        let root = tempfile::tempdir().unwrap();
        let deep = root.path().join("d".repeat(120));
        let first = Place::prepare(&deep).unwrap();
        assert!(is_short_enough(&first.socket));
        require_private(first.socket.parent().unwrap()).unwrap();
        assert_eq!(first.socket, Place::prepare(&deep).unwrap().socket);
        fs::remove_dir(first.socket.parent().unwrap()).unwrap();
    }

    #[test]
    fn data_files_without_the_list_of_them_are_refused() {
        let root = tempfile::tempdir().unwrap();
        let files = root.path().join("redis/appendonlydir");
        fs::create_dir_all(&files).unwrap();
        let base = files.join("appendonly.aof.1.base.rdb");
        fs::write(&base, [0; 90]).unwrap();
        Place::prepare(root.path()).unwrap();
        fs::write(&base, [0; 90_000]).unwrap();
        let refused = Place::prepare(root.path());
        assert!(matches!(refused, Err(Error::NoManifest(_))));
        fs::write(files.join("appendonly.aof.manifest"), "file").unwrap();
        Place::prepare(root.path()).unwrap();
    }

    #[test]
    fn only_files_that_a_server_did_not_finish_are_removed() {
        let root = tempfile::tempdir().unwrap();
        let place = Place::prepare(root.path()).unwrap();
        let files = place.dir.join("appendonlydir");
        fs::create_dir(&files).unwrap();
        let unfinished = [
            place.dir.join("temp-rewriteaof-bg-7.aof"),
            place.dir.join("temp-7.rdb"),
            files.join("temp-rewriteaof-7.aof"),
        ];
        let others = [
            place.dir.join("redis.log"),
            files.join("appendonly.aof.1.incr.aof"),
        ];
        for path in unfinished.iter().chain(&others) {
            fs::write(path, "text").unwrap();
        }
        place.remove_unfinished_files();
        assert!(unfinished.iter().all(|path| !path.exists()));
        assert!(others.iter().all(|path| path.exists()));
    }

    #[test]
    fn the_data_of_another_user_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let me = rustix::process::geteuid().as_raw();
        require_owner(root.path(), me).unwrap();
        let refused = require_owner(root.path(), me + 1);
        assert!(matches!(refused, Err(Error::OtherOwner { owner, .. }) if owner == me));
    }

    #[test]
    fn a_path_with_a_space_is_escaped_in_the_url() {
        let root = tempfile::tempdir().unwrap();
        let place = Place::prepare(&root.path().join("my data")).unwrap();
        assert!(place.url().ends_with("/my%20data/redis/redis.sock"));
    }
}
