//! What open streams tell their pages, read for each by itself (`read_live.lua`): what one cannot read
//! is nothing to the others. What says that there is something to read is `subscription`'s.

use redis::Value;

use super::{
    Result, Store, keys,
    redis::{
        connection::read,
        scripts::{self, With},
    },
};
use crate::domain::{Arrival, StatusId, UserId};

/// What a stream wants to know: whose it is, by which session, and how far its page is.
#[derive(Debug, Clone)]
pub struct LiveQuery {
    pub person: UserId,
    /// The digest that names the session.
    pub session: String,
    /// The epoch that the session was begun in.
    pub epoch: String,
    /// The arrival that the page is up to; `None` where it shows no home.
    pub since: Option<Arrival>,
}

/// What there was to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LiveState {
    /// The session is over, and nothing was read.
    Ended,
    Seen {
        counts: Counts,
        /// How many notifications are unread.
        unread: u64,
        /// `None` where nothing is known of the home at the moment.
        arrivals: Option<Arrivals>,
    },
}

/// How much a person wrote, who follows them and whom they follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    pub posts: u64,
    pub followers: u64,
    pub following: u64,
}

/// What came to a home since a page of it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrivals {
    /// The last arrival that is counted.
    pub last: Arrival,
    /// How many statuses came and are still there.
    pub new: u64,
    pub reach: Reach,
}

/// Whether the log reaches back to where the page was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// It does, and the number is exact.
    Back,
    /// It does not: the number is of what was written since, and what came late is not in it.
    Short,
}

impl Store {
    /// Looks for a stream. Looks that are under way at a time share the connection.
    ///
    /// # Errors
    /// `Unavailable` when Redis is away.
    pub async fn glance(&self, glance: &LiveQuery) -> Result<LiveState> {
        live_state_of(self.connection.query(command(glance)).await?)
    }
}

fn command(glance: &LiveQuery) -> redis::Cmd {
    let person = glance.person;
    let part = |part: fn(Arrival) -> u64| {
        glance
            .since
            .map_or_else(String::new, |at| part(at).to_string())
    };
    scripts::READ_LIVE
        .on([
            keys::arrivals(person),
            keys::home(person),
            keys::active(person),
            keys::profile(person),
            keys::user(person),
            keys::session(person, &glance.session),
            keys::auth(person),
            keys::notifications(person),
            keys::read_marker(person),
        ])
        .with(&glance.epoch)
        .with(StatusId::EPOCH_MS)
        .with(part(Arrival::ms))
        .with(part(Arrival::number))
}

fn live_state_of(answer: Vec<Value>) -> Result<LiveState> {
    let mut parts = answer.into_iter();
    let Some(counts) = parts.next() else {
        return Ok(LiveState::Ended);
    };
    let counts: [Option<u64>; 4] = read(counts)?;
    let [posts, followers, following, unread] = counts.map(Option::unwrap_or_default);
    let counts = Counts {
        posts,
        followers,
        following,
    };
    let arrivals = match (parts.next(), parts.next(), parts.next()) {
        (Some(last), Some(new), Some(reach)) => Some(arrivals(
            &read::<String>(last)?,
            read(new)?,
            &read::<String>(reach)?,
        )?),
        _ => None,
    };
    Ok(LiveState::Seen {
        counts,
        unread,
        arrivals,
    })
}

fn arrivals(last: &str, new: u64, reach: &str) -> Result<Arrivals> {
    let undocumented = || scripts::READ_LIVE.undocumented(format!("{last} {reach}"));
    Ok(Arrivals {
        last: last.parse().map_err(|_| undocumented())?,
        new,
        reach: match reach {
            "exactly" => Reach::Back,
            "about" => Reach::Short,
            _ => return Err(undocumented()),
        },
    })
}
