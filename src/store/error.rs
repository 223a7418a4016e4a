//! The failures of the store: what cannot be reached, and what should not be there.

/// Why the store did not answer.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// Redis is away, loading, read-only, out of memory, or did not answer in time. For a write
    /// this is answered only after its deadline has passed: nothing of it happens later.
    #[error("Redis is unavailable: {0}")]
    Unavailable(String),
    /// The session that asks is over, and so nothing was written.
    #[error("the session that asks has ended")]
    Ended,
    /// Redis answered with what no documented contract allows.
    #[error("unexpected answer of {what}: {answer}")]
    Unexpected { what: &'static str, answer: String },
    /// A failpoint cut the operation off, as a crash would (test builds only).
    #[cfg(feature = "failpoints")]
    #[error("a failpoint stopped the operation")]
    Failpoint,
}

pub type Result<T> = std::result::Result<T, Error>;
