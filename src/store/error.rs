//! The errors of the store.

use crate::domain::{BlockedContent, GroupPostRefusal, NewcomerRefusal};

#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// Redis cannot be reached, is loading, read-only, or did not reply in time. A write
    /// fails with this only after its deadline, so it never applies later.
    #[error("Redis is unavailable: {0}")]
    Unavailable(String),
    /// The command reached Redis after its deadline and wrote nothing. Earlier steps of the operation stay.
    #[error("a write reached Redis after its deadline")]
    Late,
    /// The memory of Redis is full. This write was refused; writes that free memory still work.
    #[error("the memory of Redis is full")]
    Full,
    /// The requesting session has ended. Nothing was written.
    #[error("the session of the request has ended")]
    Ended,
    /// The posts of the author would take more bytes than one person can have. Nothing was written.
    #[error("the posts of the author take as many bytes as one person can have")]
    OverQuota,
    /// The text exceeds a limit of the new account of its author. Nothing was written.
    #[error("a limit of new accounts")]
    Newcomer(NewcomerRefusal),
    /// The author may not write in the group of the text.
    #[error("the author may not write in this group")]
    GroupRefused(GroupPostRefusal),
    /// The text has a word or link that the owner of the site has blocked. Nothing was written.
    #[error("a blocked text")]
    Blocked(BlockedContent),
    /// The explanation of a decision is longer than the rest of the memory allows. Nothing was written.
    #[error("the storage of the site is almost full. Write at most {max_characters} characters")]
    LongExplanation { max_characters: usize },
    /// The disk of the embedded server has no space for a rewrite of its files. The old files stay.
    #[error(
        "the disk has {free_mib} MiB free, and the rewritten files may take {needed_mib} MiB. Make room"
    )]
    NoSpace { free_mib: u64, needed_mib: u64 },
    /// An expensive read exceeds its rate limit.
    #[error("over the limit for {retry_after_s} s")]
    TooMany { retry_after_s: u64 },
    /// Another device changed the values of a form during each attempt to save it. Nothing was written.
    #[error("the values of a form changed during each attempt to save it")]
    Contended,
    /// Redis replied with something that no contract allows.
    #[error("unexpected answer of {what}: {answer}")]
    Unexpected { what: &'static str, answer: String },
    /// A failpoint cut the operation off, as a crash would (test builds only).
    #[cfg(feature = "failpoints")]
    #[error("a failpoint stopped the operation")]
    Failpoint,
}

impl Error {
    /// Returns whether Redis is unreachable, slow or full. The same operation can succeed later.
    pub fn is_outage(&self) -> bool {
        matches!(self, Self::Late | Self::Full | Self::Unavailable(_))
    }
}

pub type Result<T> = std::result::Result<T, Error>;
