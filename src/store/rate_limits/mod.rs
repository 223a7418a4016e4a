//! Rate limits: a burst, then one per interval (GCRA). Each limit is a key with a TTL.
//!
//! The burst is the share of a few minutes, so that an hour's actions cannot be sent at once.

pub(super) mod networks;

use std::{fmt::Display, net::IpAddr};

use futures_util::try_join;

use self::networks::{networks, sparing_networks};
use super::{Rate, prelude::*};
use crate::domain::NEWCOMER_RATE_DIVISOR;

script_calls! {
    ChargeRateLimit = "charge_rate_limit"(schedule; interval_us: u64, burst: u32);
    ChargeReading = "charge_reading"(schedule; interval_us: u64, burst: u32);
}

/// The time whose share of a limit can be used at once, for writing and for reading actions. Reads cost Redis
/// more.
const WRITING_BURST_S: u64 = 300;
const READING_BURST_S: u64 = 60;
/// The smallest burst of a limit that allows as many.
const LEAST_BURST: u32 = 20;

/// A limited action and the person or address it is limited for. IPv6 addresses count by their /64, and by
/// their /48 with four times the limit.
#[derive(Debug, Clone, Copy)]
pub enum RateLimit<'a> {
    SignUp(IpAddr),
    /// Per address; per login and address with half of that, so that a stranger cannot lock a member out; per login
    /// with ten times as many, against guessing from many addresses. Spare attempts, if these are used up: two a day
    /// for each IPv4 address or IPv6 /48, eight for a /24, 32 for a /32. All spare attempts of a login together have
    /// ten times the limit of an address. From a network in which the person has logged in before, per login and
    /// network instead of per login. An empty login is limited by its address alone.
    LogIn {
        from: IpAddr,
        login: &'a str,
        /// The mark of the network of the address. See [`Store::note_network`].
        network: &'a str,
    },
    /// Log-ins on a device that the person has logged in on before: per device with half of the limit of an address,
    /// and per person with four times that limit, so that the cookie of one device does not lock out the others.
    /// Attempts on unknown devices do not use them up.
    LogInOnKnownDevice(UserId, &'a str),
    /// Using a secret that no one can guess: a recovery code, a link that sets a new password, a link for another
    /// device. Per owner, with the limit of an address. Only an owner of valid secrets uses it up.
    Secret(UserId),
    /// Posting, replying, reposting, quoting and editing.
    Post(UserId),
    /// Placing a post in the timeline of everybody.
    Everybody(UserId),
    /// Writing direct messages.
    Message(UserId),
    /// Changing conversations of direct messages: accepting, leaving, muting. As often as writing.
    ChatChange(UserId),
    /// Deleting posts, four times as often as posting.
    Delete(UserId),
    /// Following and unfollowing people and tags, and changes of lists, author preferences and hidden
    /// reposts.
    Follow(UserId),
    /// Founding groups: a sixtieth of the limit of follows.
    Found(UserId),
    /// Inviting one person to groups: three times a day.
    Invite {
        by: UserId,
        person: UserId,
    },
    /// Setting and removing favourites and bookmarks, and voting.
    Save(UserId),
    /// Searching, by a member or a visitor's address.
    Search(UserId),
    SearchFrom(IpAddr),
    /// Completing the names of people while writing, four times as often as searching.
    Complete(UserId),
    /// Reading home by importance.
    Important(UserId),
    /// Reading pages of a home or list that are merged from profiles.
    MergedPage(UserId),
    /// Importing a part of a file of people, which has up to a hundred lines.
    Import(UserId),
    /// Exporting a file of people.
    Export(UserId),
    /// Making an archive of one's account.
    Archive(UserId),
    /// Reporting people and posts, and appealing: a tenth of the limit of posts.
    Report(UserId),
    /// Reporting messages, which stores copies of them. Counted with other reports.
    ReportMessages(UserId),
    /// Changing settings and passwords. The limit equals that of log-ins.
    Settings(UserId),
}

impl RateLimit<'_> {
    /// Returns whether the action stores something that stays. Such actions end before the memory of Redis
    /// is full.
    fn needs_room(self) -> bool {
        matches!(
            self,
            Self::SignUp(_)
                | Self::Post(_)
                | Self::Message(_)
                | Self::Found(_)
                | Self::ReportMessages(_)
        )
    }

    /// Returns the person who acts, if the limit is lower for newcomers.
    fn person_with_lower_limit(self) -> Option<UserId> {
        match self {
            Self::Post(who)
            | Self::Message(who)
            | Self::Follow(who)
            | Self::Import(who)
            | Self::Save(who) => Some(who),
            _ => None,
        }
    }

    /// Returns whether the action only reads. Such actions continue when Redis refuses writes.
    fn only_reads(self) -> bool {
        matches!(
            self,
            Self::Search(_)
                | Self::SearchFrom(_)
                | Self::Complete(_)
                | Self::Important(_)
                | Self::MergedPage(_)
                | Self::Export(_)
        )
    }
}

/// Attempts a day for each address of a login that has no other attempts left.
const SPARE_TRIES_PER_DAY: u32 = 2;

/// Invitations to groups by one person to another in a day.
const INVITATIONS_PER_DAY: u32 = 3;

/// Maximum number of archives of an account per hour.
const ARCHIVES_PER_HOUR: u32 = 6;

/// At most `limit` actions in `per_s` seconds.
struct Bucket {
    name: &'static str,
    who: String,
    limit: u32,
    per_s: u64,
}

/// The buckets of a log-in, beside those of its address.
#[derive(Default)]
struct BucketsOfLogin {
    /// Buckets of the login for each network.
    own: Vec<Bucket>,
    /// Bucket of the login for all addresses, or for a known network.
    of_all: Vec<Bucket>,
    /// Buckets that are charged if `of_all` refuses.
    spare: Vec<Bucket>,
}

impl Bucket {
    fn interval_us(&self) -> u64 {
        let interval_us = self.per_s * 1_000_000 / u64::from(self.limit.max(1));
        interval_us.max(1)
    }

    /// Returns the command that counts one action of this limit.
    fn charge(self, limit: RateLimit<'_>) -> Cmd {
        let interval_us = self.interval_us();
        let schedule = keys::rate(self.name, &self.who);
        if limit.only_reads() {
            let charge = ChargeReading {
                interval_us,
                burst: self.burst(READING_BURST_S),
                schedule,
            };
            return charge.command();
        }
        let charge = ChargeRateLimit {
            interval_us,
            burst: self.burst(WRITING_BURST_S),
            schedule,
        };
        charge.command()
    }

    /// Returns the bucket of the lower limit of newcomers.
    fn for_newcomer(self) -> Self {
        Self {
            who: format!("{}:new", self.who),
            limit: self.limit.div_ceil(NEWCOMER_RATE_DIVISOR),
            ..self
        }
    }

    /// Returns the number of actions that are allowed at once.
    fn burst(&self, burst_s: u64) -> u32 {
        let limit = self.limit.max(1);
        let share = u64::from(limit) * burst_s / self.per_s;
        let share = u32::try_from(share).unwrap_or(limit);
        share.max(LEAST_BURST).min(limit)
    }
}

impl Store {
    /// Counts one action against the limit. The buckets are charged one after another, and the first that
    /// refuses ends it. So a refused log-in of a stranger does not use up the limit of the login. If Redis
    /// refuses writes, reading actions are not counted and writing actions fail. A newcomer has a lower limit beside
    /// the usual one. The state of the account is read in the same round trip, if it is not cached.
    pub async fn charge_rate_limit(&self, limit: RateLimit<'_>) -> Result<Rate> {
        let charge = self.charge_each(limit, self.buckets(limit));
        let (rate, newcomer_until) = try_join!(charge, self.known_newcomer_until(limit))?;
        if rate != Rate::Within {
            return Ok(rate);
        }
        match (limit, newcomer_until) {
            // In this order: an attempt that its network refuses reads nothing.
            (
                RateLimit::LogIn {
                    from,
                    login,
                    network,
                },
                _,
            ) => {
                let buckets = self.buckets_of_login(from, login, network).await?;
                match self.charge_each(limit, buckets.own).await? {
                    Rate::Within => {
                        self.charge_login(limit, buckets.of_all, buckets.spare)
                            .await
                    }
                    over => Ok(over),
                }
            }
            (_, Some(until)) => self.charge_newcomer(limit, until).await,
            _ => Ok(rate),
        }
    }

    async fn known_newcomer_until(&self, limit: RateLimit<'_>) -> Result<Option<UnixMs>> {
        match limit.person_with_lower_limit() {
            Some(person) => self.newcomer_until(person).await,
            None => Ok(None),
        }
    }

    /// Returns whether there is room for what the action stores. Neither newcomers nor sign-ups fill the last fifth of the
    /// memory. No round trip if there is much room.
    pub async fn has_room_for(&self, limit: RateLimit<'_>) -> Result<bool> {
        if !limit.needs_room() {
            return Ok(true);
        }
        if self.is_almost_full().await? {
            return Ok(false);
        }
        if !self.memory_use().is_high() {
            return Ok(true);
        }
        let is_sign_up = matches!(limit, RateLimit::SignUp(_));
        Ok(!is_sign_up && self.known_newcomer_until(limit).await?.is_none())
    }

    /// Returns the time at which the limits of a new account end for a person, if they apply. One round trip, none if
    /// the state of the account is cached.
    pub(in crate::store) async fn newcomer_until(&self, person: UserId) -> Result<Option<UnixMs>> {
        let days = self.config.limits.new_account_days;
        if days == 0 {
            return Ok(None);
        }
        let (user, now) = try_join!(self.known_user(person), self.now())?;
        Ok(user.and_then(|user| user.newcomer_until(days, now)))
    }

    async fn charge_newcomer(&self, limit: RateLimit<'_>, until: UnixMs) -> Result<Rate> {
        let buckets = self.buckets(limit).into_iter().map(Bucket::for_newcomer);
        let rate = self.charge_each(limit, buckets.collect()).await?;
        Ok(match rate {
            Rate::Over { retry_after_s } => Rate::OverForNewcomer {
                retry_after_s,
                until,
            },
            within => within,
        })
    }

    async fn charge_each(&self, limit: RateLimit<'_>, buckets: Vec<Bucket>) -> Result<Rate> {
        for bucket in buckets {
            let wait_us: u64 = self.connection.query(bucket.charge(limit)).await?;
            if wait_us > 0 {
                let retry_after_s = wait_us.div_ceil(1_000_000);
                return Ok(Rate::Over { retry_after_s });
            }
        }
        Ok(Rate::Within)
    }

    /// Charges the bucket of a login for all addresses. If it refuses, charges the spare ones. So their keys exist only
    /// while the attempts of the login are used up.
    async fn charge_login(
        &self,
        limit: RateLimit<'_>,
        of_all: Vec<Bucket>,
        spare: Vec<Bucket>,
    ) -> Result<Rate> {
        let rate = self.charge_each(limit, of_all).await?;
        if rate == Rate::Within || spare.is_empty() {
            return Ok(rate);
        }
        match self.charge_each(limit, spare).await? {
            Rate::Within => Ok(Rate::Within),
            _ => Ok(rate),
        }
    }

    /// Returns the buckets of a login from an address. A login counts for its holder, so that a person has one limit
    /// and not one for each former login. A text that cannot be a login is limited by its sender alone.
    async fn buckets_of_login(
        &self,
        from: IpAddr,
        login: &str,
        network: &str,
    ) -> Result<BucketsOfLogin> {
        let Some(login) = Login::stored(login) else {
            return Ok(BucketsOfLogin::default());
        };
        let limit = self.config.limits.log_ins_per_quarter;
        let holder = self.holder(&login).await?;
        let who = match holder {
            Some(id) => format!("id:{id}"),
            None => login.folded().to_string(),
        };
        let own = log_ins(&networks(from), &who, limit);
        if let Some(id) = holder
            && self.is_known_network(id, network).await?
        {
            let of_network = quarterly("login-network", format!("{network}:{id}"), limit);
            return Ok(BucketsOfLogin {
                own,
                of_all: vec![of_network],
                spare: Vec::new(),
            });
        }
        let of_all = limit.saturating_mul(10);
        Ok(BucketsOfLogin {
            own,
            spare: spare_attempts(from, &who, of_all),
            of_all: vec![quarterly("login", who, of_all)],
        })
    }

    fn buckets(&self, limit: RateLimit<'_>) -> Vec<Bucket> {
        let limits = &self.config.limits;
        let bucket = match limit {
            RateLimit::SignUp(from) => {
                return hourly_per_network("signup", from, limits.sign_ups_per_hour);
            }
            RateLimit::SearchFrom(from) => {
                return hourly_per_network("search-from", from, limits.searches_per_hour);
            }
            RateLimit::LogIn { from, .. } => {
                return log_ins_from(&networks(from), limits.log_ins_per_quarter);
            }
            RateLimit::LogInOnKnownDevice(owner, device_id) => {
                let limit = limits.log_ins_per_quarter;
                let device = quarterly("login-device", device_id, limit.div_ceil(2));
                let of_all = quarterly("login-known", owner, limit.saturating_mul(4));
                return vec![device, of_all];
            }
            RateLimit::Secret(owner) => quarterly("secret", owner, limits.log_ins_per_quarter),
            RateLimit::Post(who) => hourly("post", who, limits.posts_per_hour),
            RateLimit::Everybody(who) => hourly("everybody", who, limits.everybody_per_hour),
            RateLimit::Message(who) => hourly("message", who, limits.messages_per_hour),
            RateLimit::ChatChange(who) => hourly("chat", who, limits.messages_per_hour),
            RateLimit::Delete(who) => {
                hourly("delete", who, limits.posts_per_hour.saturating_mul(4))
            }
            RateLimit::Follow(who) => hourly("follow", who, limits.follows_per_hour),
            RateLimit::Invite { by, person } => Bucket {
                name: "invite",
                who: format!("{by}:{person}"),
                limit: INVITATIONS_PER_DAY,
                per_s: keys::DAY_S,
            },
            RateLimit::Found(who) => hourly("found", who, limits.follows_per_hour.div_ceil(60)),
            // Four times as many people as one by one.
            RateLimit::Import(who) => hourly("import", who, limits.follows_per_hour.div_ceil(25)),
            RateLimit::Export(who) => hourly("export", who, limits.important_per_hour),
            RateLimit::Archive(who) => hourly("archive", who, ARCHIVES_PER_HOUR),
            RateLimit::Save(who) => hourly("save", who, limits.saves_per_hour),
            RateLimit::Search(who) => hourly("search", who, limits.searches_per_hour),
            RateLimit::Complete(who) => {
                hourly("complete", who, limits.searches_per_hour.saturating_mul(4))
            }
            RateLimit::Important(who) => hourly("important", who, limits.important_per_hour),
            RateLimit::MergedPage(who) => hourly("merged", who, limits.merged_pages_per_hour),
            RateLimit::Report(who) | RateLimit::ReportMessages(who) => {
                hourly("report", who, limits.posts_per_hour.div_ceil(10))
            }
            RateLimit::Settings(who) => quarterly("settings", who, limits.log_ins_per_quarter),
        };
        vec![bucket]
    }
}

fn hourly(name: &'static str, who: impl Display, limit: u32) -> Bucket {
    Bucket {
        name,
        who: who.to_string(),
        limit,
        per_s: 3600,
    }
}

fn quarterly(name: &'static str, who: impl Display, limit: u32) -> Bucket {
    Bucket {
        per_s: 900,
        ..hourly(name, who, limit)
    }
}

fn hourly_per_network(name: &'static str, from: IpAddr, limit: u32) -> Vec<Bucket> {
    let per_network = |(network, factor)| hourly(name, network, limit.saturating_mul(factor));
    networks(from).into_iter().map(per_network).collect()
}

fn log_ins_from(networks: &[(String, u32)], limit: u32) -> Vec<Bucket> {
    let per_network = |(network, factor): &(String, u32)| {
        quarterly("login-from", network, limit.saturating_mul(*factor))
    };
    networks.iter().map(per_network).collect()
}

/// Returns the buckets of a login with each network.
fn log_ins(networks: &[(String, u32)], who: &str, limit: u32) -> Vec<Bucket> {
    let pair = |(network, factor): &(String, u32)| {
        let limit = limit.div_ceil(2).saturating_mul(*factor);
        quarterly("login-at", format!("{who}:{network}"), limit)
    };
    networks.iter().map(pair).collect()
}

/// Returns the buckets of the spare attempts of a login: a few a day for each network of an address, then those of all
/// addresses.
fn spare_attempts(from: IpAddr, who: &str, of_all: u32) -> Vec<Bucket> {
    let of_network = |(network, factor): (String, u32)| Bucket {
        name: "login-spare-at",
        who: format!("{who}:{network}"),
        limit: SPARE_TRIES_PER_DAY * factor,
        per_s: keys::DAY_S,
    };
    let networks = sparing_networks(from).into_iter().map(of_network);
    let of_all = quarterly("login-spare", who, of_all);
    networks.chain([of_all]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::rate_limits::*;

    #[test]
    fn a_burst_is_the_share_of_a_few_minutes_with_a_floor() {
        for (limit, burst_s, burst) in [
            (1, 300, 1),
            (20, 300, 20),
            (200, 300, 20),
            (300, 300, 25),
            (1200, 300, 100),
            (1200, 60, 20),
            (6000, 60, 100),
            (u32::MAX, 300, u32::MAX / 12),
        ] {
            let bucket = hourly("search", 7, limit);
            assert_eq!(bucket.burst(burst_s), burst, "{limit}");
        }
        let of_newcomer = hourly("follow", 7, 600).for_newcomer();
        assert_eq!((of_newcomer.limit, of_newcomer.burst(300)), (60, 20));
        let log_ins = quarterly("login", "alice", 600);
        assert_eq!(log_ins.burst(300), 200);
    }
}
