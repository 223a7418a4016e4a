//! Time-outs.

use std::time::Duration;

use clap::Args;

use super::values::{days, millis};

/// Time that a maintenance command waits for Redis, unless the settings allow more.
const MAINTENANCE_CONNECT: Duration = Duration::from_secs(10);
const MAINTENANCE_RESPONSE: Duration = Duration::from_secs(50);
/// Time between the last answer of a maintenance command and the take-over of its task by a worker.
const BEFORE_CLAIM: Duration = Duration::from_secs(1);

/// All time-outs.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Time-outs")]
pub struct Timeouts {
    /// Connecting to Redis.
    #[arg(long = "redis-connect-ms", env = "REDWING_REDIS_CONNECT_MS", default_value = "1000", value_parser = millis(), value_name = "MS")]
    pub redis_connect: Duration,

    /// A response of Redis.
    #[arg(long = "redis-response-ms", env = "REDWING_REDIS_RESPONSE_MS", default_value = "2000", value_parser = millis(), value_name = "MS")]
    pub redis_response: Duration,

    /// Deadline of a write. A write that reaches Redis later has no effect.
    #[arg(long = "write-deadline-ms", env = "REDWING_WRITE_DEADLINE_MS", default_value = "4000", value_parser = millis(), value_name = "MS")]
    pub write_deadline: Duration,

    /// Delay until a worker completes an interrupted write from its outbox entry. More than the write
    /// deadline.
    #[arg(long = "outbox-delay-ms", env = "REDWING_OUTBOX_DELAY_MS", default_value = "10000", value_parser = millis(), value_name = "MS")]
    pub outbox_delay: Duration,

    /// Delay until another worker takes over a task that was not acknowledged.
    #[arg(long = "task-claim-ms", env = "REDWING_TASK_CLAIM_MS", default_value = "60000", value_parser = millis(), value_name = "MS")]
    pub task_claim: Duration,

    /// Receiving the headers of a request.
    #[arg(long = "request-head-ms", env = "REDWING_REQUEST_HEAD_MS", default_value = "5000", value_parser = millis(), value_name = "MS")]
    pub request_head: Duration,

    /// An idle connection between a response and the next request.
    #[arg(long = "keep-alive-ms", env = "REDWING_KEEP_ALIVE_MS", default_value = "5000", value_parser = millis(), value_name = "MS")]
    pub keep_alive: Duration,

    /// A whole request, body and handler.
    #[arg(long = "request-ms", env = "REDWING_REQUEST_MS", default_value = "15000", value_parser = millis(), value_name = "MS")]
    pub request: Duration,

    /// Finishing requests and tasks at shutdown.
    #[arg(long = "shutdown-ms", env = "REDWING_SHUTDOWN_MS", default_value = "10000", value_parser = millis(), value_name = "MS")]
    pub shutdown: Duration,

    /// An unused session.
    #[arg(long = "session-days", env = "REDWING_SESSION_DAYS", default_value = "30", value_parser = days(), value_name = "DAYS")]
    pub session: Duration,

    /// Time from the deactivation of an account by its person to its deletion. The person can return meanwhile. Also
    /// the time that a request to join waits, and that a refused one is kept.
    #[arg(long = "deletion-days", env = "REDWING_DELETION_DAYS", default_value = "30", value_parser = days(), value_name = "DAYS")]
    pub deletion: Duration,

    /// Time between two changes of a person's login.
    #[arg(long = "rename-days", env = "REDWING_RENAME_DAYS", default_value = "30", value_parser = days(), value_name = "DAYS")]
    pub rename: Duration,

    /// Time between two rewrites of Redis' append-only files. Deleted texts stay in these files for that
    /// long.
    #[arg(long = "rewrite-days", env = "REDWING_REWRITE_DAYS", default_value = "1", value_parser = days(), value_name = "DAYS")]
    pub rewrite: Duration,

    /// Time without a visit after which a home or list timeline becomes dormant: it gets no more
    /// deliveries.
    #[arg(long = "dormant-days", env = "REDWING_DORMANT_DAYS", default_value = "30", value_parser = days(), value_name = "DAYS")]
    pub dormant: Duration,
}

impl Timeouts {
    /// Returns the time-outs of a maintenance command, such as `redwing check`. No page waits for it, so it waits longer
    /// for Redis, but not so long that a worker takes over a task that it runs.
    #[must_use]
    pub fn for_maintenance(&self) -> Self {
        let unclaimed = self.task_claim.saturating_sub(self.write_deadline);
        let longest = unclaimed.saturating_sub(BEFORE_CLAIM);
        Self {
            redis_connect: self.redis_connect.max(longest.min(MAINTENANCE_CONNECT)),
            redis_response: self.redis_response.max(longest.min(MAINTENANCE_RESPONSE)),
            ..self.clone()
        }
    }
}
