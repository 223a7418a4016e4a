//! Every setting, typed, read once from flags and the environment. A test compares the table in
//! docs/configuration.md and the settings in README with this code.

mod limits;
mod timeouts;
mod values;

use std::{net::SocketAddr, path::PathBuf};

use clap::Args;
use ipnet::IpNet;
use url::{Host, Url};

pub use limits::Limits;
pub use timeouts::Timeouts;
pub use values::{Listen, LogFormat, Scrub, Secret};

use crate::domain::Entrance;
use values::{MAX_THREADS, loopback, up_to};

/// The smallest quota of one person.
const MIN_QUOTA_BYTES: u64 = 65_536;
/// The smallest memory limit of an embedded Redis.
const MIN_REDIS_BYTES: u64 = 4_194_304;

/// All settings.
#[derive(Debug, Clone, Args)]
pub struct Config {
    /// Address to serve on: address and port, or unix:PATH.
    #[arg(
        long,
        env = "REDWING_LISTEN",
        default_value = "127.0.0.1:8080",
        value_name = "ADDRESS"
    )]
    pub listen: Listen,

    /// Directory for the files of the embedded Redis and for the secret key.
    #[arg(
        long,
        env = "REDWING_DATA_DIR",
        default_value = "./data",
        value_name = "DIR"
    )]
    pub data_dir: PathBuf,

    /// Directory for the archives that people download. Several machines of one site need a shared one. Default:
    /// `exports` in the data directory.
    #[arg(long, env = "REDWING_EXPORTS_DIR", value_name = "DIR")]
    pub exports_dir: Option<PathBuf>,

    /// Redis to use instead of the embedded one: redis://, rediss://, redis+unix://, or several nodes
    /// of a cluster separated by commas (redis+cluster:// for a single one of them).
    #[arg(long, env = "REDIS_URL", value_name = "URL", hide_env_values = true)]
    pub redis_url: Option<Secret>,

    /// Accept a Redis that can lose data (appendonly off, or a policy that evicts).
    #[arg(long, env = "REDWING_ALLOW_LOSSY_REDIS")]
    pub allow_lossy_redis: bool,

    /// Replicas that must confirm a write before it is answered with success. Default: 1 on a cluster,
    /// 0 on one node.
    #[arg(long, env = "REDWING_CONFIRM_REPLICAS", value_parser = up_to::<u8>(16), value_name = "COUNT")]
    pub confirm_replicas: Option<u8>,

    /// Program to embed: redis-server or valkey-server, 7.0 or newer. Default: the one fetched into the
    /// data directory, else the first one on PATH.
    #[arg(long, env = "REDWING_REDIS_SERVER", value_name = "FILE")]
    pub redis_server: Option<PathBuf>,

    /// Address under which people reach the site. Its scheme decides about Secure cookies and HSTS.
    /// Over plain http, forms from any other address are refused.
    #[arg(
        long,
        env = "REDWING_PUBLIC_URL",
        default_value = "http://127.0.0.1:8080",
        value_name = "URL"
    )]
    pub public_url: Url,

    /// Networks whose X-Forwarded-For is trusted, separated by commas. A unix socket is always trusted.
    #[arg(
        long,
        env = "REDWING_TRUSTED_PROXIES",
        value_delimiter = ',',
        value_name = "NETWORKS"
    )]
    pub trusted_proxies: Vec<IpNet>,

    /// Loopback address and port for /metrics and nothing else. Default: no metrics.
    #[arg(long, env = "REDWING_METRICS_LISTEN", value_parser = loopback, value_name = "ADDRESS")]
    pub metrics_listen: Option<SocketAddr>,

    /// 64 hexadecimal digits that sign cookies and forms. Default: a key kept in the data directory.
    #[arg(
        long,
        env = "REDWING_SECRET_KEY",
        value_name = "HEX",
        hide_env_values = true
    )]
    pub secret_key: Option<Secret>,

    /// Threads that serve pages. 0: one per core.
    #[arg(long, env = "REDWING_THREADS", default_value_t = 0, value_parser = up_to::<usize>(MAX_THREADS), value_name = "COUNT")]
    pub threads: usize,

    /// Tasks that this process runs at the same time. 0 leaves all tasks to `redwing work`.
    #[arg(long, env = "REDWING_WORKERS", default_value_t = 1, value_parser = up_to::<usize>(MAX_THREADS), value_name = "COUNT")]
    pub workers: usize,

    /// Who can sign up: open, approval, invitation or closed. Default: the choice of the owner, at first open while
    /// the public URL and the address to serve on are those of this machine, else invitation.
    #[arg(
        long,
        env = "REDWING_SIGN_UP",
        value_name = "ENTRANCE",
        hide_possible_values = true
    )]
    pub sign_up: Option<Entrance>,

    /// Rows per second that the scrub reads to repair derived copies; off: no scrub; auto: 1000 on a
    /// cluster, off on one node.
    #[arg(
        long,
        env = "REDWING_SCRUB",
        default_value = "auto",
        value_name = "ROWS"
    )]
    pub scrub: Scrub,

    /// Log filter: a level (error, warn, info, debug) or directives such as info,redwing=debug.
    #[arg(
        long,
        env = "REDWING_LOG",
        default_value = "info",
        value_name = "FILTER"
    )]
    pub log: String,

    /// Log format. auto: text on a terminal, else JSON.
    #[arg(
        long,
        env = "REDWING_LOG_FORMAT",
        default_value = "auto",
        value_name = "FORMAT"
    )]
    pub log_format: LogFormat,

    #[command(flatten)]
    pub limits: Limits,

    #[command(flatten)]
    pub timeouts: Timeouts,
}

impl Config {
    /// Returns who can sign up until the owner chooses: everybody if only this machine reaches the site.
    pub fn default_entrance(&self) -> Entrance {
        let is_local = match self.public_url.host() {
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        };
        match is_local && !self.listen.is_of_the_network() {
            true => Entrance::Open,
            false => Entrance::Invitation,
        }
    }

    /// Returns the directory for the archives that people download.
    pub fn exports_dir(&self) -> PathBuf {
        let default = || self.data_dir.join("exports");
        self.exports_dir.clone().unwrap_or_else(default)
    }

    /// Checks that the settings do not contradict each other, before anything starts. The error names the
    /// settings and the reason.
    pub fn validate(&self) -> Result<(), &'static str> {
        let times = &self.timeouts;
        let settled = times.write_deadline + times.redis_response;
        let rules = [
            (
                times.outbox_delay > times.write_deadline,
                "REDWING_OUTBOX_DELAY_MS must be more than REDWING_WRITE_DEADLINE_MS: else a write \
                 could still arrive after the worker has finished what it began",
            ),
            (
                times.task_claim > settled,
                "REDWING_TASK_CLAIM_MS must be more than REDWING_WRITE_DEADLINE_MS and \
                 REDWING_REDIS_RESPONSE_MS together: else two workers do one task at a time",
            ),
            (
                times.request > 2 * settled,
                "REDWING_REQUEST_MS must be more than twice REDWING_WRITE_DEADLINE_MS and \
                 REDWING_REDIS_RESPONSE_MS together: half of it is for the body of a form, and an \
                 answer waits until it is certain whether its write happens",
            ),
            (
                self.limits.max_arriving_bytes >= self.limits.max_form_bytes,
                "REDWING_MAX_ARRIVING_BYTES must not be less than REDWING_MAX_FORM_BYTES: else the \
                 largest form never finds room",
            ),
            (
                !(1..MIN_REDIS_BYTES).contains(&self.limits.embedded_redis_bytes),
                "REDWING_EMBEDDED_REDIS_BYTES must be 0 or at least 4194304: an empty Redis already \
                 takes more than a megabyte",
            ),
            (
                !(1..MIN_QUOTA_BYTES).contains(&self.limits.post_bytes),
                "REDWING_POST_BYTES must be 0 or at least 65536: else 32 posts are too many",
            ),
            (
                !(1..MIN_QUOTA_BYTES).contains(&self.limits.message_bytes),
                "REDWING_MESSAGE_BYTES must be 0 or at least 65536: else 31 messages can be too many",
            ),
        ];
        let broken = rules.into_iter().find(|(holds, _)| !holds);
        broken.map_or(Ok(()), |(_, reason)| Err(reason))
    }
}
