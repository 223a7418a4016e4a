//! Errors of the embedded server, with remedies.

use std::{io, path::PathBuf};

use super::binary::OLDEST;

/// A reason why the embedded server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(
        "no redis-server or valkey-server of version {}.{} or newer was found. Install one \
         (`apt install redis-server`), fetch one (`scripts/fetch-server {}`), name one with \
         --redis-server, or give the REDIS_URL of a Redis that runs already{}",
        OLDEST.0, OLDEST.1, data_dir.display(), rejected_text(rejected)
    )]
    NoServer {
        data_dir: PathBuf,
        rejected: Vec<String>,
    },
    #[error("--redis-server: {0}")]
    Unfit(String),
    #[error("{} cannot be used: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("{} belongs to another user or is accessible to others. Remove it, or set XDG_RUNTIME_DIR", .0.display())]
    NotPrivate(PathBuf),
    #[error(
        "{} belongs to the user with id {owner}. Run this as that user (`runuser -u NAME -- redwing …`): files that another \
         user creates there stop the site at its next start",
        path.display()
    )]
    OtherOwner { path: PathBuf, owner: u32 },
    #[error(
        "{} has data, but not the list of its files (appendonly.aof.manifest). The server would begin an empty site and \
         overwrite the data. Restore the whole directory from a backup, or move it away to begin a new site",
        .0.display()
    )]
    NoManifest(PathBuf),
    #[error("the embedded server {} cannot be started: {source}", program.display())]
    Spawn { program: PathBuf, source: io::Error },
    #[error("the embedded server {} does not start. {remedy} Its log is {}", program.display(), log.display())]
    Died {
        program: PathBuf,
        log: PathBuf,
        remedy: String,
    },
    #[error("the embedded server died {times} times in a row and is not started again. Its log is {}", log.display())]
    KeepsDying { times: u32, log: PathBuf },
    #[error(
        "a server that an earlier Redwing left behind still holds {} and does not end. \
         `fuser` with that path names it; end it and start again",
        .0.display()
    )]
    LeftOver(PathBuf),
    #[error("another Redwing holds {}, but its server does not answer", .0.display())]
    OwnerSilent(PathBuf),
    #[error("the thread that watches the embedded server cannot be started: {0}")]
    Thread(io::Error),
    #[error("the embedded server was stopped while it started")]
    Stopped,
}

impl Error {
    /// Returns whether space on the disk would have prevented the error.
    pub(super) fn is_full_disk(&self) -> bool {
        use io::ErrorKind::{QuotaExceeded, StorageFull};
        matches!(self, Self::File { source, .. } if matches!(source.kind(), StorageFull | QuotaExceeded))
    }
}

fn rejected_text(rejected: &[String]) -> String {
    let lines = rejected.iter();
    lines
        .map(|reason| format!("\n  not used: {reason}"))
        .collect()
}
