//! Errors of the redis crate as errors of the store: temporary ones and unexpected ones.

use redis::{ErrorKind, RedisError};

use crate::store::Error;

/// Returns the part of an error that the log may show. It never contains a reply.
fn describe(error: &RedisError) -> String {
    match error.kind() {
        ErrorKind::UnexpectedReturnType | ErrorKind::Parse => format!("{:?}", error.kind()),
        _ => error.to_string(),
    }
}

/// Errors that are not replies of a server of ours concern the connection or the state of Redis.
pub(in crate::store) fn failure(error: &RedisError) -> Error {
    const PASSING: [&str; 16] = [
        "LOADING",
        "READONLY",
        "CLUSTERDOWN",
        "TRYAGAIN",
        "MOVED",
        "ASK",
        "MASTERDOWN",
        "MISCONF",
        "NOREPLICAS",
        "BUSY",
        "UNKILLABLE",
        "NOSCRIPT",
        "NOAUTH",
        "WRONGPASS",
        "NOPERM",
        // A primary that becomes a replica ends WAIT.
        "UNBLOCKED",
    ];
    let text = describe(error);
    let code = error.code().unwrap_or_default();
    // An error raised inside a script keeps its code only in its text.
    let is_inside = |code: &str| {
        error
            .detail()
            .is_some_and(|detail| detail.contains(&format!("{code} ")))
    };
    let inside = PASSING.iter().any(|code| is_inside(code));
    match error.kind() {
        _ if code == "OOM" || is_inside("OOM") => Error::Full,
        _ if code == "LATE" || is_inside("LATE") => Error::Late,
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
