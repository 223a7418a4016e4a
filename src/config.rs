//! Every setting, typed, read once: from flags and the environment alike. README's table and
//! `--help` say the same; a test compares them.

mod values;

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::Args;
use ipnet::IpNet;
use url::Url;

pub use values::{Listen, LogFormat, Scrub, Secret};

use values::{MAX_THREADS, at_least, days, loopback, millis, up_to};

/// All that can be set.
#[derive(Debug, Clone, Args)]
pub struct Config {
    /// Where to serve: address and port, or unix:PATH.
    #[arg(
        long,
        env = "REDWING_LISTEN",
        default_value = "127.0.0.1:8080",
        value_name = "ADDRESS"
    )]
    pub listen: Listen,

    /// Where the embedded server and the secret key keep their files.
    #[arg(
        long,
        env = "REDWING_DATA_DIR",
        default_value = "./data",
        value_name = "DIR"
    )]
    pub data_dir: PathBuf,

    /// The Redis to use instead of an embedded one: redis://, rediss://, redis+unix://, or several
    /// nodes of a cluster separated by commas (redis+cluster:// for one of them).
    #[arg(long, env = "REDIS_URL", value_name = "URL", hide_env_values = true)]
    pub redis_url: Option<Secret>,

    /// Go on with a Redis that may lose data (appendonly off, or a policy that evicts).
    #[arg(long, env = "REDWING_ALLOW_LOSSY_REDIS")]
    pub allow_lossy_redis: bool,

    /// Replicas that must have a write before it is answered with success. Not given: 1 on a cluster,
    /// none on one node.
    #[arg(long, env = "REDWING_CONFIRM_REPLICAS", value_name = "COUNT")]
    pub confirm_replicas: Option<u8>,

    /// redis-server or valkey-server (7.0 or newer) to embed; else the one fetched into the data
    /// directory, else the first one on PATH.
    #[arg(long, env = "REDWING_REDIS_SERVER", value_name = "FILE")]
    pub redis_server: Option<PathBuf>,

    /// Where people reach the site; its scheme decides about Secure cookies and HSTS.
    #[arg(
        long,
        env = "REDWING_PUBLIC_URL",
        default_value = "http://127.0.0.1:8080",
        value_name = "URL"
    )]
    pub public_url: Url,

    /// Networks whose X-Forwarded-For is believed, separated by commas (a unix socket's always).
    #[arg(
        long,
        env = "REDWING_TRUSTED_PROXIES",
        value_delimiter = ',',
        value_name = "NETWORKS"
    )]
    pub trusted_proxies: Vec<IpNet>,

    /// Where to serve /metrics and nothing else: a loopback address and port. Off when not given.
    #[arg(
        long,
        env = "REDWING_METRICS_LISTEN",
        value_parser = loopback,
        value_name = "ADDRESS"
    )]
    pub metrics_listen: Option<SocketAddr>,

    /// 64 hexadecimal digits that sign cookies and forms; else kept in the data directory.
    #[arg(
        long,
        env = "REDWING_SECRET_KEY",
        value_name = "HEX",
        hide_env_values = true
    )]
    pub secret_key: Option<Secret>,

    /// Threads that serve pages. 0: one for each core.
    #[arg(
        long,
        env = "REDWING_THREADS",
        default_value_t = 0,
        value_parser = up_to::<usize>(MAX_THREADS),
        value_name = "COUNT"
    )]
    pub threads: usize,

    /// Tasks done at a time by this process; 0 leaves all of them to `redwing work`.
    #[arg(
        long,
        env = "REDWING_WORKERS",
        default_value_t = 1,
        value_parser = up_to::<usize>(MAX_THREADS),
        value_name = "COUNT"
    )]
    pub workers: usize,

    /// Rows a second that the scrub reads, mending copies that disagree with their truth; off: none;
    /// auto: 1000 on a cluster, none on one node.
    #[arg(
        long,
        env = "REDWING_SCRUB",
        default_value = "auto",
        value_name = "ROWS"
    )]
    pub scrub: Scrub,

    /// What is logged: a level (error, warn, info, debug) or directives such as info,redwing=debug.
    #[arg(
        long,
        env = "REDWING_LOG",
        default_value = "info",
        value_name = "FILTER"
    )]
    pub log: String,

    /// How it is logged; auto: for people on a terminal, else JSON.
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

/// How much of everything.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Statuses a home or a list keeps; older ones are merged from profiles as they are read.
    #[arg(
        long,
        env = "REDWING_HOME_SIZE",
        default_value_t = 1000,
        value_parser = at_least::<usize>(1),
        value_name = "STATUSES"
    )]
    pub home_size: usize,

    /// People one person can follow.
    #[arg(
        long,
        env = "REDWING_MAX_FOLLOWING",
        default_value_t = 5000,
        value_parser = at_least::<usize>(1),
        value_name = "PEOPLE"
    )]
    pub max_following: usize,

    /// Lists one person can have.
    #[arg(
        long,
        env = "REDWING_MAX_LISTS",
        default_value_t = 100,
        value_parser = at_least::<usize>(1),
        value_name = "LISTS"
    )]
    pub max_lists: usize,

    /// People who can stand in one list.
    #[arg(
        long,
        env = "REDWING_MAX_LIST_MEMBERS",
        default_value_t = 500,
        value_parser = at_least::<usize>(1),
        value_name = "PEOPLE"
    )]
    pub max_list_members: usize,

    /// Followers and lists served by one pass of a fan-out.
    #[arg(
        long,
        env = "REDWING_PASS_SIZE",
        default_value_t = 1000,
        value_parser = at_least::<usize>(1),
        value_name = "TIMELINES"
    )]
    pub pass_size: usize,

    /// Favourites one person can have; those of deleted posts make room.
    #[arg(
        long,
        env = "REDWING_MAX_FAVOURITES",
        default_value_t = 20_000,
        value_parser = at_least::<usize>(1),
        value_name = "STATUSES"
    )]
    pub max_favourites: usize,

    /// Bookmarks one person can have; those of deleted posts make room.
    #[arg(
        long,
        env = "REDWING_MAX_BOOKMARKS",
        default_value_t = 10_000,
        value_parser = at_least::<usize>(1),
        value_name = "STATUSES"
    )]
    pub max_bookmarks: usize,

    /// Tries of a task before it counts as dead. A worker lost with it is one, Redis being away none.
    #[arg(
        long,
        env = "REDWING_TASK_ATTEMPTS",
        default_value_t = 8,
        value_parser = at_least::<u32>(1),
        value_name = "TRIES"
    )]
    pub task_attempts: u32,

    /// Sessions one person can have; the oldest ends when there is one more.
    #[arg(
        long,
        env = "REDWING_MAX_SESSIONS",
        default_value_t = 50,
        value_parser = at_least::<usize>(1),
        value_name = "SESSIONS"
    )]
    pub max_sessions: usize,

    /// Passwords hashed at a time (19 MiB each). 0: one for each core.
    #[arg(
        long,
        env = "REDWING_CONCURRENT_HASHES",
        default_value_t = 0,
        value_parser = up_to::<usize>(MAX_THREADS),
        value_name = "COUNT"
    )]
    pub concurrent_hashes: usize,

    /// Passwords waiting to be hashed before the next one is told to come back.
    #[arg(
        long,
        env = "REDWING_WAITING_HASHES",
        default_value_t = 64,
        value_parser = at_least::<usize>(0),
        value_name = "COUNT"
    )]
    pub waiting_hashes: usize,

    /// Largest body of a form.
    #[arg(
        long,
        env = "REDWING_MAX_FORM_BYTES",
        default_value_t = 65_536,
        value_parser = at_least::<usize>(1),
        value_name = "BYTES"
    )]
    pub max_form_bytes: usize,

    /// Memory for bodies of forms that arrive, all together; one more is told at once to come back.
    #[arg(
        long,
        env = "REDWING_MAX_ARRIVING_BYTES",
        default_value_t = 33_554_432,
        value_parser = at_least::<usize>(1),
        value_name = "BYTES"
    )]
    pub max_arriving_bytes: usize,

    /// Memory of each thread for statuses and people that were read lately; Redis tells what changes.
    /// 0: none are kept. A cluster has none.
    #[arg(
        long,
        env = "REDWING_CACHE_BYTES",
        default_value_t = 4_194_304,
        value_name = "BYTES"
    )]
    pub cache_bytes: usize,

    /// Connections open at a time. Of more than three quarters of them the longest idle are closed,
    /// then those whose forms arrive slowest.
    #[arg(
        long,
        env = "REDWING_MAX_CONNECTIONS",
        default_value_t = 4096,
        value_parser = at_least::<usize>(1),
        value_name = "COUNT"
    )]
    pub max_connections: usize,

    /// Requests answered at a time; one more is told at once to come back.
    #[arg(
        long,
        env = "REDWING_MAX_REQUESTS",
        default_value_t = 512,
        value_parser = at_least::<usize>(1),
        value_name = "COUNT"
    )]
    pub max_requests: usize,

    /// Streams to open pages at a time, at most half of the connections; one more is told to come back.
    #[arg(
        long,
        env = "REDWING_MAX_STREAMS",
        default_value_t = 2048,
        value_parser = at_least::<usize>(1),
        value_name = "COUNT"
    )]
    pub max_streams: usize,

    /// Streams to open pages of one person; the oldest is closed when there is one more.
    #[arg(
        long,
        env = "REDWING_STREAMS_PER_PERSON",
        default_value_t = 8,
        value_parser = at_least::<usize>(1),
        value_name = "COUNT"
    )]
    pub streams_per_person: usize,

    /// Sign-ups from one address in an hour.
    #[arg(
        long,
        env = "REDWING_SIGN_UPS_PER_HOUR",
        default_value_t = 20,
        value_parser = at_least::<u32>(1),
        value_name = "COUNT"
    )]
    pub sign_ups_per_hour: u32,

    /// Log-ins tried from one address in 15 minutes; half as many for one login from there.
    #[arg(
        long,
        env = "REDWING_LOG_INS_PER_QUARTER",
        default_value_t = 60,
        value_parser = at_least::<u32>(1),
        value_name = "COUNT"
    )]
    pub log_ins_per_quarter: u32,

    /// Statuses one person can post in an hour.
    #[arg(
        long,
        env = "REDWING_POSTS_PER_HOUR",
        default_value_t = 300,
        value_parser = at_least::<u32>(1),
        value_name = "COUNT"
    )]
    pub posts_per_hour: u32,

    /// Follows, unfollows and changes of lists by one person in an hour.
    #[arg(
        long,
        env = "REDWING_FOLLOWS_PER_HOUR",
        default_value_t = 600,
        value_parser = at_least::<u32>(1),
        value_name = "COUNT"
    )]
    pub follows_per_hour: u32,

    /// Favourites and bookmarks one person can set or take back in an hour.
    #[arg(
        long,
        env = "REDWING_KEEPS_PER_HOUR",
        default_value_t = 1200,
        value_parser = at_least::<u32>(1),
        value_name = "COUNT"
    )]
    pub keeps_per_hour: u32,
}

/// How long everything may take.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Time-outs")]
pub struct Timeouts {
    /// Reaching Redis.
    #[arg(long = "redis-connect-ms", env = "REDWING_REDIS_CONNECT_MS", default_value = "1000", value_parser = millis, value_name = "MS")]
    pub redis_connect: Duration,

    /// An answer of Redis.
    #[arg(long = "redis-response-ms", env = "REDWING_REDIS_RESPONSE_MS", default_value = "2000", value_parser = millis, value_name = "MS")]
    pub redis_response: Duration,

    /// After this a write that is still on its way does nothing.
    #[arg(long = "write-deadline-ms", env = "REDWING_WRITE_DEADLINE_MS", default_value = "4000", value_parser = millis, value_name = "MS")]
    pub write_deadline: Duration,

    /// After this the worker finishes what a call has not. More than the write deadline.
    #[arg(long = "reminder-ms", env = "REDWING_REMINDER_MS", default_value = "10000", value_parser = millis, value_name = "MS")]
    pub reminder: Duration,

    /// After this another worker takes over a task that was not acknowledged.
    #[arg(long = "task-claim-ms", env = "REDWING_TASK_CLAIM_MS", default_value = "60000", value_parser = millis, value_name = "MS")]
    pub task_claim: Duration,

    /// The headers of a request.
    #[arg(long = "request-head-ms", env = "REDWING_REQUEST_HEAD_MS", default_value = "5000", value_parser = millis, value_name = "MS")]
    pub request_head: Duration,

    /// A connection between an answer and the next request.
    #[arg(long = "keep-alive-ms", env = "REDWING_KEEP_ALIVE_MS", default_value = "5000", value_parser = millis, value_name = "MS")]
    pub keep_alive: Duration,

    /// A whole request, body and handler.
    #[arg(long = "request-ms", env = "REDWING_REQUEST_MS", default_value = "15000", value_parser = millis, value_name = "MS")]
    pub request: Duration,

    /// Requests and tasks under way when told to stop.
    #[arg(long = "shutdown-ms", env = "REDWING_SHUTDOWN_MS", default_value = "10000", value_parser = millis, value_name = "MS")]
    pub shutdown: Duration,

    /// A session that is not used.
    #[arg(long = "session-days", env = "REDWING_SESSION_DAYS", default_value = "30", value_parser = days, value_name = "DAYS")]
    pub session: Duration,

    /// A home or a list that nobody reads is no longer delivered to.
    #[arg(long = "dormant-days", env = "REDWING_DORMANT_DAYS", default_value = "30", value_parser = days, value_name = "DAYS")]
    pub dormant: Duration,
}

impl Config {
    /// Whether the settings go together. Asked before anything starts.
    ///
    /// # Errors
    ///
    /// A sentence that names the settings which contradict each other, and why.
    pub fn validate(&self) -> Result<(), &'static str> {
        let limits = &self.timeouts;
        let settled = limits.write_deadline + limits.redis_response;
        if limits.reminder <= limits.write_deadline {
            return Err(
                "REDWING_REMINDER_MS must be more than REDWING_WRITE_DEADLINE_MS: else a write \
                 could still arrive after the worker has finished what it began",
            );
        }
        if limits.task_claim <= settled {
            return Err(
                "REDWING_TASK_CLAIM_MS must be more than REDWING_WRITE_DEADLINE_MS and \
                 REDWING_REDIS_RESPONSE_MS together: else two workers do one task at a time",
            );
        }
        if limits.request <= 2 * settled {
            return Err(
                "REDWING_REQUEST_MS must be more than twice REDWING_WRITE_DEADLINE_MS and \
                 REDWING_REDIS_RESPONSE_MS together: half of it is for the body of a form, and an \
                 answer waits until it is certain whether its write happens",
            );
        }
        if self.limits.max_arriving_bytes < self.limits.max_form_bytes {
            return Err(
                "REDWING_MAX_ARRIVING_BYTES must not be less than REDWING_MAX_FORM_BYTES: else the \
                 largest form never finds room",
            );
        }
        Ok(())
    }
}
