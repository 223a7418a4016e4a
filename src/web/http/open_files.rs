//! The limit of open files and sockets, raised as far as the system allows.

use std::io;

use crate::config::Config;

/// Per connection: its socket, and the handle of the watch.
const PER_CONNECTION: u64 = 2;
/// For everything else: threads, Redis, listeners, the log.
const BESIDE: u64 = 256;

/// Raises the limit to the hard limit, and warns if that is too low for `max_connections`.
pub(in crate::web) fn raise_limit(config: &Config) {
    let connections = u64::try_from(config.limits.max_connections).unwrap_or(u64::MAX);
    let needed = connections
        .saturating_mul(PER_CONNECTION)
        .saturating_add(BESIDE);
    match raise() {
        Ok(limit) if limit >= needed => {}
        Ok(limit) => tracing::warn!(
            limit,
            needed,
            "too few open files are allowed for REDWING_MAX_CONNECTIONS: lower it, or raise \
             LimitNOFILE (systemd) or `ulimit -Hn`"
        ),
        Err(error) => tracing::warn!(%error, "the limit of open files cannot be raised"),
    }
}

/// Raises the soft limit to the hard limit and returns it.
fn raise() -> io::Result<u64> {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: `limit` is valid for writing.
    if unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) } == -1 {
        return Err(io::Error::last_os_error());
    }
    if limit.rlim_cur < limit.rlim_max {
        limit.rlim_cur = limit.rlim_max;
        // SAFETY: `limit` is valid for reading.
        if unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) } == -1 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(limit.rlim_cur)
}
