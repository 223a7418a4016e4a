//! How much of everything: lengths, sizes, counts, rates.

use clap::Args;

use super::values::{MAX_THREADS, at_least, up_to};

/// How much of everything.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Statuses a home or a list keeps; older ones are merged from profiles as they are read.
    #[arg(
        long,
        env = "REDWING_HOME_SIZE",
        default_value_t = 500,
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

    /// Tags one person can follow.
    #[arg(
        long,
        env = "REDWING_MAX_TAGS",
        default_value_t = 100,
        value_parser = at_least::<usize>(1),
        value_name = "TAGS"
    )]
    pub max_tags: usize,

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

    /// Followers, lists and followers of a tag served by one pass of a fan-out.
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

    /// Memory for statuses and people that were read lately, and up to half as much for each connection's
    /// part in it and what single readers see; Redis tells what changes. 0: none are kept. A cluster has none.
    #[arg(
        long,
        env = "REDWING_CACHE_BYTES",
        default_value_t = 12_582_912,
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

    /// Posts, replies, reposts, quotes and corrections by one person in an hour.
    #[arg(
        long,
        env = "REDWING_POSTS_PER_HOUR",
        default_value_t = 300,
        value_parser = at_least::<u32>(1),
        value_name = "COUNT"
    )]
    pub posts_per_hour: u32,

    /// Follows and unfollows of people and tags, changes of lists, hidden reposts and weights by one person
    /// in an hour.
    #[arg(
        long,
        env = "REDWING_FOLLOWS_PER_HOUR",
        default_value_t = 600,
        value_parser = at_least::<u32>(1),
        value_name = "COUNT"
    )]
    pub follows_per_hour: u32,

    /// Favourites and bookmarks one person can set or take back, and votes, in an hour.
    #[arg(
        long,
        env = "REDWING_KEEPS_PER_HOUR",
        default_value_t = 1200,
        value_parser = at_least::<u32>(1),
        value_name = "COUNT"
    )]
    pub keeps_per_hour: u32,

    /// Searches by one person, or from one address without a log-in, in an hour.
    #[arg(
        long,
        env = "REDWING_SEARCHES_PER_HOUR",
        default_value_t = 1200,
        value_parser = at_least::<u32>(1),
        value_name = "COUNT"
    )]
    pub searches_per_hour: u32,

    /// Pages of what is important that one person can read in an hour.
    #[arg(
        long,
        env = "REDWING_IMPORTANT_PER_HOUR",
        default_value_t = 1200,
        value_parser = at_least::<u32>(1),
        value_name = "PAGES"
    )]
    pub important_per_hour: u32,
}
