//! Limits: sizes, counts, rates.

use clap::Args;

use super::values::{MAX_RATE, MAX_THREADS, at_least, between, up_to};

/// Declares the fields of [`Limits`]: name, type, default, unit, range and variable. The flag follows from
/// the name.
macro_rules! limits {
    ($($(#[$help:meta])+ $name:ident: $type:ty = $default:literal $unit:literal,
       $range:ident($($bound:expr),+), $variable:literal;)+) => {
        /// All limits.
        #[derive(Debug, Clone, Args)]
        #[command(next_help_heading = "Limits")]
        pub struct Limits {
            $($(#[$help])+
            #[arg(
                long,
                env = $variable,
                default_value_t = $default,
                value_parser = $range::<$type>($($bound),+),
                value_name = $unit
            )]
            pub $name: $type,)+
        }
    };
}

// The bounds of settings that reach scripts keep the slowest of these below the time in which a person
// waits. Lists times members are counted in one script, and the oldest sessions beyond the limit are passed
// to `unpack`.
limits! {
    /// Statuses kept in a home or list timeline. Older pages are merged from profiles.
    home_size: usize = 500 "STATUSES", between(1, 2000), "REDWING_HOME_SIZE";
    /// People that one person can follow.
    max_following: usize = 5000 "PEOPLE", between(1, 50_000), "REDWING_MAX_FOLLOWING";
    /// People that one person can mute.
    max_muted: usize = 1000 "PEOPLE", between(1, 10_000), "REDWING_MAX_MUTED";
    /// People that one person can block.
    max_blocked: usize = 5000 "PEOPLE", between(1, 50_000), "REDWING_MAX_BLOCKED";
    /// Tags that one person can follow.
    max_tags: usize = 100 "TAGS", between(1, 1000), "REDWING_MAX_TAGS";
    /// Lists per person.
    max_lists: usize = 100 "LISTS", between(1, 200), "REDWING_MAX_LISTS";
    /// Members per list.
    max_list_members: usize = 500 "PEOPLE", between(1, 1000), "REDWING_MAX_LIST_MEMBERS";
    /// Groups that one person can belong to.
    max_groups: usize = 50 "GROUPS", between(1, 500), "REDWING_MAX_GROUPS";
    /// Members per group.
    max_group_members: usize = 10_000 "PEOPLE", between(1, 1_000_000), "REDWING_MAX_GROUP_MEMBERS";
    /// Timelines served by one pass of a fan-out.
    pass_size: usize = 1000 "TIMELINES", between(1, 5000), "REDWING_PASS_SIZE";
    /// Time that fan-outs of one person take before further ones get fewer turns while others wait. The limit ends after ten
    /// seconds without a fan-out of that person.
    author_fan_out_ms: u64 = 1000 "MS", up_to(60_000), "REDWING_AUTHOR_FAN_OUT_MS";
    /// Favourites per person. Favourites of deleted posts make room.
    max_favourites: usize = 20_000 "STATUSES", at_least(1), "REDWING_MAX_FAVOURITES";
    /// Bookmarks per person. Bookmarks of deleted posts make room.
    max_bookmarks: usize = 10_000 "STATUSES", at_least(1), "REDWING_MAX_BOOKMARKS";
    /// Attempts of a task before it is given up. A lost worker counts as an attempt, an unreachable or full Redis does
    /// not. A task whose writes come after their deadline, because Redis is slow, has 288 more, five minutes apart.
    task_attempts: u32 = 8 "TRIES", between(1, 100), "REDWING_TASK_ATTEMPTS";
    /// Sessions per person. A new one ends the oldest.
    max_sessions: usize = 50 "SESSIONS", between(1, 1000), "REDWING_MAX_SESSIONS";
    /// Memory that the hash of a password takes while it is computed. Less than the default is too weak for people's
    /// passwords, and for tests only. With a higher number a password is hashed again at its next log-in.
    hash_memory_bytes: u32 = 19_922_944 "BYTES", between(262_144, 1_073_741_824), "REDWING_HASH_MEMORY_BYTES";
    /// Passwords hashed at the same time. 0: one per core.
    concurrent_hashes: usize = 0 "COUNT", up_to(MAX_THREADS), "REDWING_CONCURRENT_HASHES";
    /// Passwords waiting to be hashed. Beyond it, a log-in, sign-up or password change is answered 503.
    waiting_hashes: usize = 64 "COUNT", up_to(10_000), "REDWING_WAITING_HASHES";
    /// Largest body of a form.
    max_form_bytes: usize = 65_536 "BYTES", between(1, 16_777_216), "REDWING_MAX_FORM_BYTES";
    /// Memory for the bodies of all forms that are arriving. Beyond it, a form is answered 503 at once.
    max_arriving_bytes: usize = 33_554_432 "BYTES", between(1, 1_073_741_824), "REDWING_MAX_ARRIVING_BYTES";
    /// Memory for the statuses and people cached for all threads (one half), their HTML (a sixth) and whole homes (a
    /// third). Each thread's own cache takes up to half as much. On a cluster, the primaries share it equally. 0: no cache.
    cache_bytes: usize = 12_582_912 "BYTES", up_to(1_099_511_627_776), "REDWING_CACHE_BYTES";
    /// Memory limit of the embedded Redis. 0: half of the memory of the machine or container. At 95 % of it
    /// posting is closed.
    embedded_redis_bytes: u64 = 0 "BYTES", up_to(1_099_511_627_776), "REDWING_EMBEDDED_REDIS_BYTES";
    /// Open connections. Above three quarters of them, those idle for longest are closed, then those
    /// with the slowest forms. An eighth at most for one IPv4 address or IPv6 /48.
    max_connections: usize = 4096 "COUNT", at_least(1), "REDWING_MAX_CONNECTIONS";
    /// Requests answered at the same time. Beyond it, a request is answered 503 at once, also beyond an eighth of it
    /// from one IPv4 address or IPv6 /48.
    max_requests: usize = 512 "COUNT", at_least(1), "REDWING_MAX_REQUESTS";
    /// Open live streams, at most half of the connections. Beyond it, a stream is answered 503.
    max_streams: usize = 2048 "COUNT", at_least(1), "REDWING_MAX_STREAMS";
    /// Open live streams per person. A new one closes the oldest.
    streams_per_person: usize = 8 "COUNT", at_least(1), "REDWING_STREAMS_PER_PERSON";
    /// Open live streams per address. Beyond it, a stream is answered 429.
    streams_per_address: usize = 128 "COUNT", at_least(1), "REDWING_STREAMS_PER_ADDRESS";
    /// Sign-ups per address and hour.
    sign_ups_per_hour: u32 = 20 "COUNT", between(1, MAX_RATE), "REDWING_SIGN_UPS_PER_HOUR";
    /// Unused invitations per person. Owners and moderators can have 1000.
    max_invitations: usize = 5 "COUNT", up_to(1000), "REDWING_MAX_INVITATIONS";
    /// Age of an account that can invite people. 0: any age.
    invitation_age_days: u64 = 7 "DAYS", up_to(3650), "REDWING_INVITATION_AGE_DAYS";
    /// Time for which an invitation is valid.
    invitation_days: u64 = 14 "DAYS", between(1, 365), "REDWING_INVITATION_DAYS";
    /// Age of an account that can create a group. 0: any age.
    group_age_days: u64 = 7 "DAYS", up_to(3650), "REDWING_GROUP_AGE_DAYS";
    /// Time for which the limits of new accounts apply, unless a person who runs the site vouches. 0: no limits.
    new_account_days: u64 = 7 "DAYS", up_to(3650), "REDWING_NEW_ACCOUNT_DAYS";
    /// Log-in attempts per address in 15 minutes. Half as many for one login from that address.
    log_ins_per_quarter: u32 = 60 "COUNT", between(1, MAX_RATE), "REDWING_LOG_INS_PER_QUARTER";
    /// Posts, replies, reposts, quotes and edits per person and hour, and four times as many deletions.
    posts_per_hour: u32 = 300 "COUNT", between(1, MAX_RATE), "REDWING_POSTS_PER_HOUR";
    /// Posts of one person per hour in the timeline of everybody. Further ones reach followers and the profile only.
    everybody_per_hour: u32 = 12 "POSTS", between(1, MAX_RATE), "REDWING_EVERYBODY_PER_HOUR";
    /// Direct messages and changes of conversations per person and hour.
    messages_per_hour: u32 = 1200 "COUNT", between(1, MAX_RATE), "REDWING_MESSAGES_PER_HOUR";
    /// Conversations per person and day that begin as a request, because the other person does not follow them.
    message_requests_per_day: usize = 10 "COUNT", up_to(1000), "REDWING_MESSAGE_REQUESTS_PER_DAY";
    /// Bytes that the posts of one person can take, with their search index. Each post counts as at least
    /// 2048. 0: a 20th of the memory limit of Redis, at most 268435456.
    post_bytes: u64 = 0 "BYTES", up_to(1_099_511_627_776), "REDWING_POST_BYTES";
    /// Bytes that the direct messages of one person can take. Each message counts as 128 more than its text, and each
    /// conversation as 256 for each of its people. 0: an 80th of the memory limit of Redis, at most 67108864.
    message_bytes: u64 = 0 "BYTES", up_to(1_099_511_627_776), "REDWING_MESSAGE_BYTES";
    /// Bytes that the archives of all people can take on disk, one person's at most an eighth of them. Beyond it, no
    /// archive is made. 0: none.
    exports_bytes: u64 = 10_737_418_240 "BYTES", up_to(1_099_511_627_776), "REDWING_EXPORTS_BYTES";
    /// Bytes that archives leave free on their disk.
    exports_free_bytes: u64 = 1_073_741_824 "BYTES", up_to(1_099_511_627_776), "REDWING_EXPORTS_FREE_BYTES";
    /// Changes of follows, tag follows, lists, mutes, hidden reposts and see more / see less per person and
    /// hour. One imported part of a file counts in a limit of its own, a 25th of this.
    follows_per_hour: u32 = 600 "COUNT", between(1, MAX_RATE), "REDWING_FOLLOWS_PER_HOUR";
    /// Favourites and bookmarks set or removed, and votes, per person and hour.
    saves_per_hour: u32 = 1200 "COUNT", between(1, MAX_RATE), "REDWING_SAVES_PER_HOUR";
    /// Searches per person and hour, or per address without a log-in. Names are completed four times as often.
    searches_per_hour: u32 = 1200 "COUNT", between(1, MAX_RATE), "REDWING_SEARCHES_PER_HOUR";
    /// Pages of Important per person and hour. As many files of people can be exported.
    important_per_hour: u32 = 1200 "PAGES", between(1, MAX_RATE), "REDWING_IMPORTANT_PER_HOUR";
    /// Processor time that pages and live streams of one person take in a minute, or pages of one address without a log-in
    /// (an IPv6 /48). Cheap pages take a millisecond, costly ones up to a hundred. 0: no limit.
    page_seconds_per_minute: u64 = 3 "SECONDS", up_to(60), "REDWING_PAGE_SECONDS_PER_MINUTE";
    /// Pages of a home or list below its stored part per person and hour. They are merged from profiles.
    merged_pages_per_hour: u32 = 1200 "PAGES", between(1, MAX_RATE), "REDWING_MERGED_PAGES_PER_HOUR";
}

impl Limits {
    /// Returns the memory for cached statuses and people.
    pub fn row_cache_bytes(&self) -> usize {
        self.cache_bytes / 2
    }

    /// Returns the memory for the cached HTML of statuses and people. A missing row costs a read of Redis, missing HTML
    /// only its rendering, so the rows do not get less.
    pub fn fragment_cache_bytes(&self) -> usize {
        self.cache_bytes / 6
    }

    /// Returns the memory for the cached pages.
    pub fn page_cache_bytes(&self) -> usize {
        self.cache_bytes / 3
    }
}
