//! Failures of the redis crate as the store's own: what passes by itself, and what should not be.

use redis::{ErrorKind, RedisError};

use crate::store::Error;

/// What the log may say of a failure: where an answer could not be read, never the answer.
fn describe(error: &RedisError) -> String {
    match error.kind() {
        ErrorKind::UnexpectedReturnType | ErrorKind::Parse => format!("{:?}", error.kind()),
        _ => error.to_string(),
    }
}

/// Answers that are not server errors of ours are about reaching Redis, or about its state.
pub(super) fn failure(error: &RedisError) -> Error {
    const PASSING: [&str; 17] = [
        "LATE",
        "LOADING",
        "READONLY",
        "CLUSTERDOWN",
        "TRYAGAIN",
        "MOVED",
        "ASK",
        "MASTERDOWN",
        "OOM",
        "MISCONF",
        "NOREPLICAS",
        "BUSY",
        "UNKILLABLE",
        "NOSCRIPT",
        "NOAUTH",
        "WRONGPASS",
        "NOPERM",
    ];
    let text = describe(error);
    let code = error.code().unwrap_or_default();
    // An error raised inside a script keeps its code only in its text.
    let inside = PASSING.iter().any(|code| {
        error
            .detail()
            .is_some_and(|detail| detail.contains(&format!("{code} ")))
    });
    match error.kind() {
        _ if PASSING.contains(&code) || inside => Error::Unavailable(text),
        ErrorKind::Server(_)
        | ErrorKind::Extension
        | ErrorKind::UnexpectedReturnType
        | ErrorKind::Parse => Error::Unexpected {
            what: "Redis",
            answer: text,
        },
        _ => Error::Unavailable(text),
    }
}
