//! Reads for open streams, one for all streams of a user (`read_live.lua`). `subscription` reports that there is
//! something to read.

pub(super) mod newer;

use std::collections::HashMap;

use self::newer::Watched;
use super::{FoldingBudget, prelude::*};
use crate::domain::{Arrival, ChatId, ChatMember};

script_calls! {
    ReadLive = "read_live"(
        arrivals, home, active_mark, profile, user, auth, notifications, read_marker, muted,
        blocked, blocked_by, muted_texts, unread_chats, [sessions: Vec<String>];
        epoch_ms: u64, [streams: Vec<String>]
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
    /// The posts that the page offers as they come.
    pub watched: Option<Watched>,
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
        /// Number of newer posts that the page watches. `None` if this read did not count them.
        newer: Option<u64>,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// The log reaches back to the time of the page.
    Exact,
    /// The log is too short. The number covers statuses written since; late arrivals are missing.
    Approximate,
}

/// The new statuses that a stream counts. Streams that count the same ones share the count of hidden ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum CountedStatuses {
    /// The newest arrivals, this number of them.
    Newest(usize),
    /// The statuses from this id on. The script does not know their authors.
    From(StatusId),
}

/// The version of each conversation on these pages that the user may read.
type ChatVersions = HashMap<ChatId, u64>;

/// The reply of the script.
struct LiveReply {
    /// `None` if all sessions have ended.
    counts: Option<[u64; 5]>,
    /// Ids of new statuses that may contain muted texts, newest first.
    ids: Vec<StatusId>,
    last: Option<Arrival>,
    /// The word and the number of new statuses of each stream.
    streams: Vec<(String, u64)>,
}

impl LiveQuery {
    /// Returns the arguments of this stream.
    fn arguments(&self) -> [String; 3] {
        let part = |part: fn(Arrival) -> u64| {
            self.since
                .map_or_else(String::new, |at| part(at).to_string())
        };
        let epoch = self.epoch.clone();
        [epoch, part(Arrival::ms), part(Arrival::number)]
    }

    fn counted(&self, arrivals: &Arrivals) -> Option<CountedStatuses> {
        if arrivals.new == 0 {
            return None;
        }
        match arrivals.precision {
            Precision::Exact => usize::try_from(arrivals.new)
                .ok()
                .map(CountedStatuses::Newest),
            Precision::Approximate => {
                let since_ms = self.since?.ms().saturating_sub(StatusId::EPOCH_MS);
                let from = StatusId::new((since_ms << StatusId::RANDOM_BITS) + 1).ok()?;
                Some(CountedStatuses::From(from))
            }
        }
    }
}

impl Store {
    /// Reads the states of streams of one user, in their order. Concurrent reads share the connection.
    pub async fn read_live(&self, user: UserId, streams: &[LiveQuery]) -> Result<Vec<LiveState>> {
        let (reply, versions) = self.live_reply(user, streams).await?;
        let mut left_out: HashMap<CountedStatuses, u64> = HashMap::new();
        let newer_counts = self.count_newer(user, streams).await?;
        let mut states = Vec::with_capacity(streams.len());
        for (query, (word, new)) in streams.iter().zip(&reply.streams) {
            let version = query.chat.and_then(|chat| versions.get(&chat).copied());
            let mut state = reply.state(word, *new, version)?;
            if let LiveState::Seen {
                arrivals: Some(arrivals),
                ..
            } = &mut state
                && let Some(counted) = query.counted(arrivals)
            {
                let hidden_count = match left_out.get(&counted) {
                    Some(known) => *known,
                    None => self.left_out_of(user, counted, &reply.ids).await?,
                };
                left_out.insert(counted, hidden_count);
                arrivals.new = arrivals.new.saturating_sub(hidden_count);
            }
            if let (LiveState::Seen { newer, .. }, Some(watched)) = (&mut state, &query.watched) {
                *newer = newer_counts.get(watched).copied();
            }
            states.push(state);
        }
        Ok(states)
    }

    /// Runs the script, and reads the conversations on the pages in the same round trip.
    async fn live_reply(
        &self,
        user: UserId,
        streams: &[LiveQuery],
    ) -> Result<(LiveReply, ChatVersions)> {
        let sessions = streams
            .iter()
            .map(|query| keys::session(user, &query.session));
        let read_live = ReadLive {
            arrivals: keys::arrivals(user),
            home: keys::home(user),
            active_mark: keys::active(user),
            profile: keys::profile(user),
            user: keys::user(user),
            auth: keys::auth(user),
            notifications: keys::notifications(user),
            read_marker: keys::read_marker(user),
            muted: keys::muted(user),
            blocked: keys::blocked(user),
            blocked_by: keys::blocked_by(user),
            muted_texts: keys::muted_texts(user),
            unread_chats: keys::unread_chats(user),
            sessions: sessions.collect(),
            epoch_ms: StatusId::EPOCH_MS,
            streams: streams.iter().flat_map(LiveQuery::arguments).collect(),
        };
        let mut chats: Vec<ChatId> = streams.iter().filter_map(|query| query.chat).collect();
        chats.sort_unstable();
        chats.dedup();
        let mut commands = vec![read_live.command()];
        for chat in &chats {
            commands.push(redis::cmd("HGET").with((keys::chat(*chat), "version")));
            commands.push(redis::cmd("HGET").with((keys::chat_members(*chat), user.get())));
        }
        let mut replies = self.connection.batch(commands).await?.into_iter();
        let mut next = || replies.next().unwrap_or_default();
        let reply = LiveReply::parse(read(next())?)?;
        let mut versions = ChatVersions::new();
        for chat in chats {
            let (version, own): (Option<u64>, Option<String>) = (read(next())?, read(next())?);
            let own = own.and_then(|own| own.parse::<ChatMember>().ok());
            let may_read = own.is_some_and(|own| own.state.may_read());
            versions.extend(version.filter(|_| may_read).map(|version| (chat, version)));
        }
        Ok((reply, versions))
    }

    /// Counts the statuses among these that the pages of a home leave out.
    async fn left_out_of(
        &self,
        user: UserId,
        counted: CountedStatuses,
        newest: &[StatusId],
    ) -> Result<u64> {
        match counted {
            CountedStatuses::From(id) => self.left_out_since(user, id).await,
            CountedStatuses::Newest(count) => {
                let ids = newest.get(..count).unwrap_or(newest);
                let mut budget = FoldingBudget::of_page();
                self.left_out_among(user, ids, &mut budget).await
            }
        }
    }
}

impl LiveReply {
    fn parse(reply: Vec<Value>) -> Result<Self> {
        let mut parts = reply.into_iter();
        let mut next = || parts.next().unwrap_or_default();
        let counts: Vec<Option<u64>> = read(next())?;
        let counts = <[Option<u64>; 5]>::try_from(counts).ok();
        let ids = status_ids(read::<Vec<u64>>(next())?);
        let last: String = read(next())?;
        let streams: Result<Vec<(String, u64)>> = parts.map(read).collect();
        Ok(Self {
            counts: counts.map(|counts| counts.map(Option::unwrap_or_default)),
            ids,
            last: last.parse().ok(),
            streams: streams?,
        })
    }

    /// Returns the state of a stream with this word and number of new statuses.
    fn state(&self, word: &str, new: u64, chat_version: Option<u64>) -> Result<LiveState> {
        let undocumented = || ReadLive::SCRIPT.undocumented(word);
        let precision = match word {
            "session_ended" => return Ok(LiveState::Ended),
            "counts" => None,
            "exactly" => Some(Precision::Exact),
            "about" => Some(Precision::Approximate),
            _ => return Err(undocumented()),
        };
        let arrivals = match precision {
            Some(precision) => Some(Arrivals {
                last: self.last.ok_or_else(undocumented)?,
                new,
                precision,
            }),
            None => None,
        };
        let [posts, followers, following, unread, unread_chats] =
            self.counts.ok_or_else(undocumented)?;
        Ok(LiveState::Seen {
            counts: Counts {
                posts,
                followers,
                following,
            },
            unread,
            unread_chats,
            chat_version,
            newer: None,
            arrivals,
        })
    }
}
