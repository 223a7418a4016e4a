//! Limits: sizes, counts, rates.

use clap::Args;

use super::values::{MAX_THREADS, at_least, up_to};

/// All limits.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Statuses kept in a home or list timeline. Older pages are merged from profiles.
    #[arg(
        long,
        env = "REDWING_HOME_SIZE",
        default_value_t = 500,
        value_parser = at_least::<usize>(1),
        value_name = "STATUSES"
    )]
    pub home_size: usize,

    /// People that one person can follow.
    #[arg(
        long,
        env = "REDWING_MAX_FOLLOWING",
        default_value_t = 5000,
        value_parser = at_least::<usize>(1),
        value_name = "PEOPLE"
    )]
    pub max_following: usize,

    /// Tags that one person can follow.
    #[arg(
        long,
        env = "REDWING_MAX_TAGS",
        default_value_t = 100,
        value_parser = at_least::<usize>(1),
        value_name = "TAGS"
    )]
    pub max_tags: usize,

    /// Lists per person.
    #[arg(
        long,
        env = "REDWING_MAX_LISTS",
        default_value_t = 100,
        value_parser = at_least::<usize>(1),
        value_name = "LISTS"
    )]
    pub max_lists: usize,

    /// Members per list.
    #[arg(
        long,
        env = "REDWING_MAX_LIST_MEMBERS",
        default_value_t = 500,
        value_parser = at_least::<usize>(1),
        value_name = "PEOPLE"
    )]
    pub max_list_members: usize,

    /// Timelines served by one pass of a fan-out.
    #[arg(
        long,
        env = "REDWING_PASS_SIZE",
        default_value_t = 1000,
        value_parser = at_least::<usize>(1),
        value_name = "TIMELINES"
    )]
    pub pass_size: usize,

    /// Favourites per person. Favourites of deleted posts make room.
    #[arg(
        long,
        env = "REDWING_MAX_FAVOURITES",
        default_value_t = 20_000,
        value_parser = at_least::<usize>(1),
        value_name = "STATUSES"
    )]
    pub max_favourites: usize,

    /// Bookmarks per person. Bookmarks of deleted posts make room.
    #[arg(
        long,
        env = "REDWING_MAX_BOOKMARKS",
        default_value_t = 10_000,
        value_parser = at_least::<usize>(1),
        value_name = "STATUSES"
    )]
    pub max_bookmarks: usize,

    /// Attempts of a task before it is given up. A lost worker counts as an attempt, an unreachable
    /// Redis does not.
    #[arg(
        long,
        env = "REDWING_TASK_ATTEMPTS",
        default_value_t = 8,
        value_parser = at_least::<u32>(1),
        value_name = "TRIES"
    )]
    pub task_attempts: u32,

    /// Sessions per person. A new one ends the oldest.
    #[arg(
        long,
        env = "REDWING_MAX_SESSIONS",
        default_value_t = 50,
        value_parser = at_least::<usize>(1),
        value_name = "SESSIONS"
    )]
    pub max_sessions: usize,

    /// Passwords hashed at the same time (19 MiB each). 0: one per core.
    #[arg(
        long,
        env = "REDWING_CONCURRENT_HASHES",
        default_value_t = 0,
        value_parser = up_to::<usize>(MAX_THREADS),
        value_name = "COUNT"
    )]
    pub concurrent_hashes: usize,

    /// Passwords waiting to be hashed. Beyond it, a log-in, sign-up or password change is answered 503.
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

    /// Memory for the bodies of all forms that are arriving. Beyond it, a form is answered 503 at once.
    #[arg(
        long,
        env = "REDWING_MAX_ARRIVING_BYTES",
        default_value_t = 33_554_432,
        value_parser = at_least::<usize>(1),
        value_name = "BYTES"
    )]
    pub max_arriving_bytes: usize,

    /// Memory for the statuses and people cached for all threads (a quarter) and their HTML (the rest).
    /// Each thread's own cache takes up to half as much. 0: no cache. A cluster has none.
    #[arg(
        long,
        env = "REDWING_CACHE_BYTES",
        default_value_t = 12_582_912,
        value_name = "BYTES"
    )]
    pub cache_bytes: usize,

    /// Open connections. Above three quarters of them, those idle for longest are closed, then those
    /// with the slowest forms.
    #[arg(
        long,
        env = "REDWING_MAX_CONNECTIONS",
        default_value_t = 4096,
        value_parser = at_least::<usize>(1),
        value_name = "COUNT"
    )]
    pub max_connections: usize,

    /// Requests answered at the same time. Beyond it, a request is answered 503 at once.
    #[arg(
        long,
        env = "REDWING_MAX_REQUESTS",
        default_value_t = 512,
        value_parser = at_least::<usize>(1),
        value_name = "COUNT"
    )]
    pub max_requests: usize,

    /// Open live streams, at most half of the connections. Beyond it, a stream is answered 503.
    #[arg(
        long,
        env = "REDWING_MAX_STREAMS",
        default_value_t = 2048,
        value_parser = at_least::<usize>(1),
        value_name = "COUNT"
    )]
    pub max_streams: usize,

    /// Open live streams per person. A new one closes the oldest.
    #[arg(
        long,
        env = "REDWING_STREAMS_PER_PERSON",
        default_value_t = 8,
        value_parser = at_least::<usize>(1),
        value_name = "COUNT"
    )]
    pub streams_per_person: usize,

    /// Sign-ups per address and hour.
    #[arg(
        long,
        env = "REDWING_SIGN_UPS_PER_HOUR",
        default_value_t = 20,
        value_parser = at_least::<u32>(1),
        value_name = "COUNT"
    )]
    pub sign_ups_per_hour: u32,

    /// Log-in attempts per address in 15 minutes. Half as many for one login from that address.
    #[arg(
        long,
        env = "REDWING_LOG_INS_PER_QUARTER",
        default_value_t = 60,
        value_parser = at_least::<u32>(1),
        value_name = "COUNT"
    )]
    pub log_ins_per_quarter: u32,

    /// Posts, replies, reposts, quotes and edits per person and hour.
    #[arg(
        long,
        env = "REDWING_POSTS_PER_HOUR",
        default_value_t = 300,
        value_parser = at_least::<u32>(1),
        value_name = "COUNT"
    )]
    pub posts_per_hour: u32,

    /// Changes of follows, tag follows, lists, hidden reposts and see more / see less per person and
    /// hour.
    #[arg(
        long,
        env = "REDWING_FOLLOWS_PER_HOUR",
        default_value_t = 600,
        value_parser = at_least::<u32>(1),
        value_name = "COUNT"
    )]
    pub follows_per_hour: u32,

    /// Favourites and bookmarks set or removed, and votes, per person and hour.
    #[arg(
        long,
        env = "REDWING_SAVES_PER_HOUR",
        default_value_t = 1200,
        value_parser = at_least::<u32>(1),
        value_name = "COUNT"
    )]
    pub saves_per_hour: u32,

    /// Searches per person and hour, or per address without a log-in.
    #[arg(
        long,
        env = "REDWING_SEARCHES_PER_HOUR",
        default_value_t = 1200,
        value_parser = at_least::<u32>(1),
        value_name = "COUNT"
    )]
    pub searches_per_hour: u32,

    /// Pages of Important per person and hour.
    #[arg(
        long,
        env = "REDWING_IMPORTANT_PER_HOUR",
        default_value_t = 1200,
        value_parser = at_least::<u32>(1),
        value_name = "PAGES"
    )]
    pub important_per_hour: u32,
}

impl Limits {
    /// Returns the memory for cached statuses and people.
    #[must_use]
    pub fn row_cache_bytes(&self) -> usize {
        self.cache_bytes / 4
    }

    /// Returns the memory for the cached HTML of statuses and people. Their HTML takes about three times
    /// as much as they do.
    #[must_use]
    pub fn fragment_cache_bytes(&self) -> usize {
        self.cache_bytes - self.row_cache_bytes()
    }
}
