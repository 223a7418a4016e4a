//! Reads for open streams, one per stream (`read_live.lua`). A failed read of one stream does not affect
//! the others. `subscription` reports that there is something to read.

use super::{FoldingBudget, prelude::*};
use crate::domain::{Arrival, ChatId, ChatMember};

script_calls! {
    ReadLive = "read_live"(
        arrivals, home, active_mark, profile, user, session, auth, notifications, read_marker, muted,
        blocked, blocked_by, muted_texts, unread_chats;
        session_epoch: String, epoch_ms: u64, since_ms: String, since_number: String
    );
}

/// The query of a stream: its user, its session, and the position of its page.
#[derive(Debug, Clone)]
pub struct LiveQuery {
    pub person: UserId,
    /// Digest that names the session.
    pub session: String,
    pub epoch: String,
    /// Last arrival that the page includes. `None` if the page shows no home.
    pub since: Option<Arrival>,
    /// The conversation of messages that the page shows.
    pub chat: Option<ChatId>,
}

/// The state that a stream shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LiveState {
    /// The session has ended. Nothing was read.
    Ended,
    Seen {
        counts: Counts,
        unread: u64,
        /// Number of conversations with unread messages.
        unread_chats: u64,
        /// Number of changes of the conversation that the page shows. `None` if the user does not belong to it.
        chat_version: Option<u64>,
        /// `None` if the state of the home is unknown at the moment.
        arrivals: Option<Arrivals>,
    },
}

/// A user's numbers of posts, followers and followed users.
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
    pub precision: Precision,
}

impl Arrivals {
    /// Returns the smallest id that an approximate number counts. The script does not know the authors then.
    fn counted_from(&self, query: &LiveQuery) -> Option<StatusId> {
        if self.precision == Precision::Exact || self.new == 0 {
            return None;
        }
        let since_ms = query.since?.ms().saturating_sub(StatusId::EPOCH_MS);
        StatusId::new((since_ms << StatusId::RANDOM_BITS) + 1).ok()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// The log reaches back to the time of the page.
    Exact,
    /// The log is too short. The number covers statuses written since; late arrivals are missing.
    Approximate,
}

impl Store {
    /// Reads the state for a stream. Concurrent reads share the connection.
    pub async fn read_live(&self, query: &LiveQuery) -> Result<LiveState> {
        let user = query.person;
        let part = |part: fn(Arrival) -> u64| {
            query
                .since
                .map_or_else(String::new, |at| part(at).to_string())
        };
        let read = ReadLive {
            arrivals: keys::arrivals(user),
            home: keys::home(user),
            active_mark: keys::active(user),
            profile: keys::profile(user),
            user: keys::user(user),
            session: keys::session(user, &query.session),
            auth: keys::auth(user),
            notifications: keys::notifications(user),
            read_marker: keys::read_marker(user),
            muted: keys::muted(user),
            blocked: keys::blocked(user),
            blocked_by: keys::blocked_by(user),
            muted_texts: keys::muted_texts(user),
            unread_chats: keys::unread_chats(user),
            session_epoch: query.epoch.clone(),
            epoch_ms: StatusId::EPOCH_MS,
            since_ms: part(Arrival::ms),
            since_number: part(Arrival::number),
        };
        let (answer, version) = match query.chat {
            None => (self.connection.query(read.command()).await?, None),
            Some(chat) => {
                let (answer, version, own): (Vec<Value>, Option<u64>, Option<String>) = self
                    .connection
                    .query_tuple([
                        read.command(),
                        redis::cmd("HGET").with((keys::chat(chat), "version")),
                        redis::cmd("HGET").with((keys::chat_members(chat), user.get())),
                    ])
                    .await?;
                let own = own.and_then(|own| own.parse::<ChatMember>().ok());
                let may_read = own.is_some_and(|own| own.state.may_read());
                (answer, version.filter(|_| may_read))
            }
        };
        let (mut state, ids) = live_state_of(answer)?;
        if let LiveState::Seen { chat_version, .. } = &mut state {
            *chat_version = version;
        }
        if let LiveState::Seen {
            arrivals: Some(arrivals),
            ..
        } = &mut state
        {
            let left_out = match arrivals.counted_from(query) {
                Some(from) => self.left_out_since(user, from).await?,
                None => {
                    let mut budget = FoldingBudget::of_page();
                    self.left_out_among(user, &ids, &mut budget).await?
                }
            };
            arrivals.new = arrivals.new.saturating_sub(left_out);
        }
        Ok(state)
    }
}

/// Decodes the state, and the ids of new statuses that may contain muted texts.
fn live_state_of(reply: Vec<Value>) -> Result<(LiveState, Vec<StatusId>)> {
    let mut parts = reply.into_iter();
    let mut next = || parts.next().unwrap_or_default();
    let word: String = read(next())?;
    let precision = match word.as_str() {
        "session_ended" => return Ok((LiveState::Ended, Vec::new())),
        "counts" => None,
        "exactly" => Some(Precision::Exact),
        "about" => Some(Precision::Approximate),
        _ => return Err(ReadLive::SCRIPT.undocumented(word)),
    };
    let counts: [Option<u64>; 5] = read(next())?;
    let [posts, followers, following, unread, unread_chats] = counts.map(Option::unwrap_or_default);
    let counts = Counts {
        posts,
        followers,
        following,
    };
    let arrivals = match precision {
        Some(precision) => Some(arrivals(
            &read::<String>(next())?,
            read(next())?,
            precision,
        )?),
        None => None,
    };
    let ids = match precision {
        Some(Precision::Exact) => status_ids(read::<Vec<u64>>(next())?),
        Some(Precision::Approximate) | None => Vec::new(),
    };
    let state = LiveState::Seen {
        counts,
        unread,
        unread_chats,
        chat_version: None,
        arrivals,
    };
    Ok((state, ids))
}

fn arrivals(last: &str, new: u64, precision: Precision) -> Result<Arrivals> {
    Ok(Arrivals {
        last: last
            .parse()
            .map_err(|_| ReadLive::SCRIPT.undocumented(last))?,
        new,
        precision,
    })
}
