//! Rate limits: a burst, then one per interval (GCRA). Each limit is a key with a TTL.

use std::net::IpAddr;

use super::{
    Rate, Result, Store, keys,
    redis::scripts::{self, With},
};
use crate::domain::{Login, UserId};

/// A limited action and the person or address it is limited for. IPv6 addresses count by their /64.
#[derive(Debug, Clone, Copy)]
pub enum RateLimit<'a> {
    SignUp(IpAddr),
    /// Per address; per login and address with half of that, so that a stranger cannot lock a member
    /// out; per login with ten times as many, against guessing from many addresses.
    LogIn {
        from: IpAddr,
        login: &'a str,
    },
    /// Posting, replying, reposting, quoting and editing.
    Post(UserId),
    /// Following and unfollowing people and tags, and changes of lists, author preferences and hidden
    /// reposts.
    Follow(UserId),
    /// Setting and removing favourites and bookmarks, and voting.
    Save(UserId),
    /// Searching, by a member or a visitor's address.
    Search(UserId),
    SearchFrom(IpAddr),
    /// Reading home by importance.
    Important(UserId),
    /// Changing settings and passwords. The limit equals that of log-ins.
    Settings(UserId),
}

impl RateLimit<'_> {
    /// Returns whether the action only reads. Such actions continue when Redis refuses writes.
    fn is_of_reading(self) -> bool {
        matches!(
            self,
            Self::Search(_) | Self::SearchFrom(_) | Self::Important(_)
        )
    }
}

struct Bucket {
    key: String,
    burst: u32,
    per_s: u64,
}

impl Store {
    /// Takes one from the allowance. If Redis refuses writes, reading actions are not counted and
    /// writing actions fail.
    pub async fn take(&self, limit: RateLimit<'_>) -> Result<Rate> {
        let commands = self.buckets(limit).into_iter().map(|bucket| {
            let interval_us = bucket.per_s * 1_000_000 / u64::from(bucket.burst.max(1));
            scripts::TAKE_RATE
                .on([bucket.key])
                .with(interval_us)
                .with(bucket.burst.max(1))
                .with(if limit.is_of_reading() {
                    "reading"
                } else {
                    "writing"
                })
        });
        let mut longest_us = 0;
        for answer in self.connection.batch(commands.collect()).await? {
            longest_us = longest_us.max(super::redis::connection::read::<u64>(answer)?);
        }
        Ok(match longest_us {
            0 => Rate::Within,
            us => Rate::Over {
                retry_after_s: us.div_ceil(1_000_000),
            },
        })
    }

    fn buckets(&self, limit: RateLimit<'_>) -> Vec<Bucket> {
        let limits = &self.config.limits;
        match limit {
            RateLimit::SignUp(from) => {
                vec![hourly("signup", network(from), limits.sign_ups_per_hour)]
            }
            RateLimit::LogIn { from, login } => {
                log_ins(&network(from), login, limits.log_ins_per_quarter)
            }
            RateLimit::Post(who) => vec![hourly("post", who.to_string(), limits.posts_per_hour)],
            RateLimit::Follow(who) => {
                vec![hourly("follow", who.to_string(), limits.follows_per_hour)]
            }
            RateLimit::Save(who) => {
                vec![hourly("save", who.to_string(), limits.saves_per_hour)]
            }
            RateLimit::Search(who) => {
                vec![hourly("search", who.to_string(), limits.searches_per_hour)]
            }
            RateLimit::SearchFrom(from) => {
                vec![hourly(
                    "search-from",
                    network(from),
                    limits.searches_per_hour,
                )]
            }
            RateLimit::Important(who) => {
                let who = who.to_string();
                vec![hourly("important", who, limits.important_per_hour)]
            }
            RateLimit::Settings(who) => {
                let who = who.to_string();
                vec![quarterly("settings", who, limits.log_ins_per_quarter)]
            }
        }
    }
}

fn hourly(name: &str, who: String, burst: u32) -> Bucket {
    let key = keys::rate(name, &who);
    Bucket {
        key,
        burst,
        per_s: 3600,
    }
}

fn quarterly(name: &str, who: String, burst: u32) -> Bucket {
    Bucket {
        per_s: 900,
        ..hourly(name, who, burst)
    }
}

/// A text that cannot be a login is limited by its sender alone.
fn log_ins(from: &str, login: &str, limit: u32) -> Vec<Bucket> {
    let mut buckets = vec![quarterly("login-from", from.to_owned(), limit)];
    if let Some(login) = Login::stored(login) {
        let login = login.folded();
        let pair = format!("{login}:{from}");
        buckets.push(quarterly("login-at", pair, limit.div_ceil(2)));
        buckets.push(quarterly("login", login, limit.saturating_mul(10)));
    }
    buckets
}

/// Returns the address, or for IPv6 the network of one subscriber.
fn network(address: IpAddr) -> String {
    match address {
        IpAddr::V4(v4) => v4.to_string(),
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => v4.to_string(),
            None => {
                let [a, b, c, d, ..] = v6.segments();
                format!("{a:x}-{b:x}-{c:x}-{d:x}")
            }
        },
    }
}
