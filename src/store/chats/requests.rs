//! The requests that a person sent to strangers: how many in a day, and which of them wait for an answer.

use super::ReserveRequest;
use crate::{
    domain::{ChatId, ChatMember, MemberState},
    store::prelude::*,
};

/// Number of sent requests, newest first, that are examined for one that waits. The default limit of a day allows as
/// many in the time for which they are kept.
const MAX_EXAMINED: isize = 300;

outcomes! {
    enum ReserveOutcome {
        Reserved = "reserved",
        TooMany = "too_many",
        /// A request to one of the strangers in another chat is being sent.
        Claimed = "claimed",
    }
}

/// Outcome of a request to strangers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestOutcome {
    Reserved,
    TooMany,
    /// One of the strangers has not answered a request in another chat.
    Waiting,
}

impl Store {
    /// Counts a request of a person to strangers against the limit of a day, and claims the strangers until the deadline
    /// of the call. Of two requests to one stranger at the same moment, one is refused: the later claim finds the earlier
    /// one, or the message that was written under it.
    pub async fn reserve_request(
        &self,
        call: &Call,
        from: UserId,
        (chat, strangers): (ChatId, &[UserId]),
    ) -> Result<RequestOutcome> {
        let reserve = ReserveRequest {
            sent_requests: keys::sent_requests(from),
            request_claims: keys::request_claims(from),
            deadline_ms: call.deadline(),
            chat: chat.to_string(),
            limit: self.config.limits.message_requests_per_day,
            day_s: keys::DAY_S,
            ttl_s: keys::SENT_REQUESTS_TTL_S,
            strangers: strangers.iter().map(|id| id.get()).collect(),
        };
        Ok(match self.connection.run(&reserve).await? {
            ReserveOutcome::TooMany => RequestOutcome::TooMany,
            ReserveOutcome::Claimed => RequestOutcome::Waiting,
            ReserveOutcome::Reserved => {
                match self.has_open_request(from, (chat, strangers)).await? {
                    true => RequestOutcome::Waiting,
                    false => RequestOutcome::Reserved,
                }
            }
        })
    }

    /// Gives the claim of strangers back.
    pub async fn release_request(&self, from: UserId, strangers: &[UserId]) -> Result<()> {
        let strangers: Vec<u64> = strangers.iter().map(|id| id.get()).collect();
        let release = redis::cmd("HDEL").with((keys::request_claims(from), strangers));
        self.connection.execute(release).await
    }

    /// Returns whether one of these people has not answered a request of this person in another chat. Two round trips.
    pub async fn has_open_request(
        &self,
        from: UserId,
        (chat, to): (ChatId, &[UserId]),
    ) -> Result<bool> {
        let newest = redis::cmd("ZRANGE").with((keys::sent_requests(from), 0, MAX_EXAMINED - 1));
        let newest: Vec<String> = self.connection.query(newest.with("REV")).await?;
        let chats = newest.iter().filter_map(|chat| chat.parse::<ChatId>().ok());
        let chats = chats.filter(|other| *other != chat);
        let to: Vec<u64> = to.iter().map(|id| id.get()).collect();
        let read = |chat| redis::cmd("HMGET").with((keys::chat_members(chat), to.as_slice()));
        let reads = chats.map(read);
        let rows: Vec<Vec<Option<String>>> = self.connection.query_each(reads).await?;
        let members = rows.into_iter().flatten().flatten();
        let mut states =
            members.filter_map(|row| row.parse().ok().map(|row: ChatMember| row.state));
        Ok(states.any(|state| matches!(state, MemberState::Asked | MemberState::Ignored)))
    }
}
