//! The errors of the store.

/// Reason why an operation of the store failed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// Redis cannot be reached, is loading, read-only, out of memory, or did not reply in time. A write
    /// fails with this only after its deadline, so it never applies later.
    #[error("Redis is unavailable: {0}")]
    Unavailable(String),
    /// The requesting session has ended. Nothing was written.
    #[error("the session that asks has ended")]
    Ended,
    /// Redis replied with something that no contract allows.
    #[error("unexpected answer of {what}: {answer}")]
    Unexpected { what: &'static str, answer: String },
    /// A failpoint cut the operation off, as a crash would (test builds only).
    #[cfg(feature = "failpoints")]
    #[error("a failpoint stopped the operation")]
    Failpoint,
}

pub type Result<T> = std::result::Result<T, Error>;
