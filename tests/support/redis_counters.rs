//! The counters of a Redis, for the cost of a request.

use super::redis::RedisServer;

/// What requests cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spent {
    /// Commands, those of scripts included.
    pub commands: u64,
    /// Reads of Redis from sockets.
    pub round_trips: u64,
    /// Bytes to Redis.
    pub input: u64,
    /// Bytes from Redis.
    pub output: u64,
}

/// Redis' counters since its start. Reading them counts as well.
pub struct Counters {
    calls: u64,
    reads: u64,
    input: u64,
    output: u64,
    /// Bytes that Redis has sent to this test since its start.
    own_output: u64,
}

impl Counters {
    /// Reads between two calls: the second question of the first call, and the first question of
    /// the second.
    const OWN_READS: u64 = 2;
    const OWN_INPUT: u64 = "INFO commandstats\r\nQUIT\r\nINFO stats\r\nQUIT\r\n".len() as u64;

    pub fn of(redis: &RedisServer) -> Self {
        let stats = redis.ask(&["INFO", "stats"]);
        let calls = redis.ask(&["INFO", "commandstats"]);
        let number = |name: &str| {
            let mut lines = stats.lines();
            let found = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            let number = found.and_then(|number| number.trim().parse::<u64>().ok());
            number.expect("Redis counts it")
        };
        let ours = ["cmdstat_info:", "cmdstat_quit:"];
        let theirs = calls
            .lines()
            .filter(|line| !ours.iter().any(|name| line.starts_with(name)));
        let theirs = theirs.filter_map(|line| {
            let (_, figures) = line.split_once("calls=")?;
            figures.split(',').next()?.parse::<u64>().ok()
        });
        Self {
            calls: theirs.sum(),
            reads: number("total_reads_processed"),
            input: number("total_net_input_bytes"),
            output: number("total_net_output_bytes"),
            own_output: (stats.len() + calls.len()) as u64,
        }
    }

    /// Returns what was spent since these were read.
    pub fn spent_on(&self, redis: &RedisServer) -> Spent {
        let after = Self::of(redis);
        Spent {
            commands: after.calls - self.calls,
            round_trips: after.reads - self.reads - Self::OWN_READS,
            input: after.input - self.input - Self::OWN_INPUT,
            output: after.output - self.output - self.own_output,
        }
    }
}
