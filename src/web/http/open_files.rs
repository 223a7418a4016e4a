//! The limit of open files and sockets, raised as far as the system allows.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::config::Config;

/// Per connection: its socket, and the handle of the watch.
const PER_CONNECTION: u64 = 2;
/// For everything else: threads, Redis, listeners, the log.
const BESIDE: u64 = 256;

/// Raises the limit to the hard limit, and warns if that is too low for `max_connections`.
pub fn raise_limit(config: &Config) {
    let connections = u64::try_from(config.limits.max_connections).unwrap_or(u64::MAX);
    let needed = connections
        .saturating_mul(PER_CONNECTION)
        .saturating_add(BESIDE);
    let hard = getrlimit(Resource::Nofile).maximum;
    let all_allowed = Rlimit {
        current: hard,
        maximum: hard,
    };
    match setrlimit(Resource::Nofile, all_allowed) {
        Ok(()) if hard.is_none_or(|limit| limit >= needed) => {}
        Ok(()) => tracing::warn!(
            limit = hard,
            needed,
            "too few open files are allowed for REDWING_MAX_CONNECTIONS: lower it, or raise \
             LimitNOFILE (systemd) or `ulimit -Hn`"
        ),
        Err(error) => tracing::warn!(%error, "the limit of open files cannot be raised"),
    }
}
