//! Rate limits: so many at once, then one an interval (GCRA). Each has its key, with a TTL.

use std::net::IpAddr;

use super::{
    Rate, Result, Store, keys,
    redis::scripts::{self, With},
};
use crate::domain::{Login, UserId};

/// What is limited, and for whom. IPv6 addresses count by their /64.
#[derive(Debug, Clone, Copy)]
pub enum RateLimit<'a> {
    SignUp(IpAddr),
    /// By address; by login and address with half of that, so that a stranger locks nobody out;
    /// by login alone with ten times as many, against guessing from everywhere.
    LogIn {
        from: IpAddr,
        login: &'a str,
    },
    /// Posting, answering, reposting, quoting and correcting.
    Post(UserId),
    /// Following people and tags, and following them no longer; changes of lists, of weights and of whose
    /// reposts are hidden.
    Follow(UserId),
    /// Setting favourites and bookmarks, taking them back, and voting.
    Keep(UserId),
    /// Searching, by the member who does, or by a visitor's address.
    Search(UserId),
    SearchFrom(IpAddr),
    /// Reading home by importance.
    Important(UserId),
    /// Changes of settings, a password's among them: as often as log-ins.
    Settings(UserId),
}

impl RateLimit<'_> {
    /// What only reads goes on where Redis takes no writes.
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
    /// Takes one of what the limit allows. Where Redis takes no writes, nothing is counted, and what
    /// writes is an error.
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
            RateLimit::Keep(who) => {
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

/// What cannot be a login is nobody's, and only its sender is limited.
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

/// The address, or for IPv6 the network that one subscriber has.
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
