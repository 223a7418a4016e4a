//! Errors of the seed, with remedies.

use std::{io, path::PathBuf};

use crate::{actions::passwords::HashError, domain::PasswordError, store};

/// Each error names its remedy. Completed work stays, and another run continues.
#[derive(Debug, thiserror::Error)]
pub enum SeedError {
    #[error("cannot read {}: {source}. Give the path of a text file that you may read.", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{} is larger than {max} bytes. Give a smaller file.", path.display())]
    TooLarge { path: PathBuf, max: u64 },
    #[error(
        "line {line} of {} is not an edge. Each line needs two numbers, separated by a blank or a comma. \
         Comments begin with % or #.",
        path.display()
    )]
    NotAnEdge { path: PathBuf, line: usize },
    #[error("{} contains no edges. Each line needs two numbers, such as `1 2`.", path.display())]
    NoEdges { path: PathBuf },
    #[error("{} contains no messages. Each line is one message.", path.display())]
    NoMessages { path: PathBuf },
    #[error("--password: {0}")]
    Password(#[from] PasswordError),
    #[error("cannot hash the password: {0}. Try again.")]
    Hash(#[from] HashError),
    #[error("{0}. Check Redis and run the same command again to continue.")]
    Store(#[from] store::Error),
}
