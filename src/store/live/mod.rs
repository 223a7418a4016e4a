//! Reads for open streams, one per stream (`read_live.lua`). A failed read of one stream does not affect
//! the others. `subscription` reports that there is something to read.

use redis::Value;

use super::{
    Result, Store, keys,
    redis::{
        connection::read,
        scripts::{self, With},
    },
};
use crate::domain::{Arrival, StatusId, UserId};

/// The question of a stream: its person, its session, and the position of its page.
#[derive(Debug, Clone)]
pub struct LiveQuery {
    pub person: UserId,
    /// Digest that names the session.
    pub session: String,
    /// Epoch in which the session started.
    pub epoch: String,
    /// Last arrival that the page includes. `None` if the page shows no home.
    pub since: Option<Arrival>,
}

/// The state that a stream shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LiveState {
    /// The session has ended. Nothing was read.
    Ended,
    Seen {
        counts: Counts,
        /// Number of unread notifications.
        unread: u64,
        /// `None` if the state of the home is unknown at the moment.
        arrivals: Option<Arrivals>,
    },
}

/// A person's numbers of posts, followers and followed people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    pub posts: u64,
    pub followers: u64,
    pub following: u64,
}

/// Arrivals on a home since a page of it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrivals {
    /// The last arrival that is counted.
    pub last: Arrival,
    /// Number of arrived statuses that are still on the home.
    pub new: u64,
    pub reach: Reach,
}

/// Whether the log reaches back to the time of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// It does. The number is exact.
    Back,
    /// It does not. The number covers statuses written since; late arrivals are missing.
    Short,
}

impl Store {
    /// Reads the state for a stream. Concurrent reads share the connection.
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
    let mut next = || parts.next().unwrap_or_default();
    let word: String = read(next())?;
    let reach = match word.as_str() {
        "session_ended" => return Ok(LiveState::Ended),
        "counts" => None,
        "exactly" => Some(Reach::Back),
        "about" => Some(Reach::Short),
        _ => return Err(scripts::READ_LIVE.undocumented(word)),
    };
    let counts: [Option<u64>; 4] = read(next())?;
    let [posts, followers, following, unread] = counts.map(Option::unwrap_or_default);
    let counts = Counts {
        posts,
        followers,
        following,
    };
    let arrivals = match reach {
        Some(reach) => Some(arrivals(&read::<String>(next())?, read(next())?, reach)?),
        None => None,
    };
    Ok(LiveState::Seen {
        counts,
        unread,
        arrivals,
    })
}

fn arrivals(last: &str, new: u64, reach: Reach) -> Result<Arrivals> {
    Ok(Arrivals {
        last: last
            .parse()
            .map_err(|_| scripts::READ_LIVE.undocumented(last))?,
        new,
        reach,
    })
}
