//! The cached row of a status, which is the same for every viewer.
//! [`Store::visible`](crate::store::Store::visible) decides who may see it.

use redis::Value;

use super::origin;
use crate::{
    domain::{Poll, StatusId, StatusRef, Tally, UserId},
    store::{
        Key, Result, UnixMs,
        cache::{CachedRow, shared_rows::RowVersion},
        keys,
        redis::{connection::read, scripts::With},
    },
};

/// A living status, the same for every viewer.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::store) struct StatusRow {
    pub(in crate::store) author: UserId,
    /// Empty for a repost without a comment.
    pub(in crate::store) message: String,
    pub(in crate::store) posted: UnixMs,
    /// The original of a repost without a comment, and of a quote.
    pub(in crate::store) repost_of: Option<StatusRef>,
    pub(in crate::store) quote_of: Option<StatusRef>,
    pub(in crate::store) favourite_count: u64,
    pub(in crate::store) repost_count: u64,
    pub(in crate::store) quote_count: u64,
    pub(in crate::store) reply_to: Option<StatusRef>,
    /// Number of living replies, and of deleted replies that have replies.
    pub(in crate::store) reply_count: u64,
    pub(in crate::store) gap_count: u64,
    /// Score (µs) up to which followers have it, while passes deliver it.
    pub(in crate::store) delivered_to: Option<u64>,
    pub(in crate::store) warning: Option<String>,
    /// Boxed: few statuses have one, and all would take its room.
    pub(in crate::store) poll: Option<Box<(Poll, Tally)>>,
    /// Time of the last edit, and number of edits.
    pub(in crate::store) edited: Option<UnixMs>,
    pub(in crate::store) revision: u64,
    pub(in crate::store) row_version: Option<RowVersion>,
}

impl CachedRow for StatusRow {
    type Question = StatusId;

    const SHARED: bool = true;

    fn key(id: &StatusId) -> Key {
        Key::Status(*id)
    }

    fn command(id: &StatusId) -> redis::Cmd {
        const FIELDS: &[&str] = &[
            "uid",
            "message",
            "posted",
            "deleted",
            "delivered",
            "favourite_count",
            "reply_to",
            "reply_count",
            "gap_count",
            "warning",
            "poll",
            "tally",
            "edited",
            "revision",
            "repost_of",
            "quote_of",
            "repost_count",
            "quote_count",
        ];
        redis::cmd("HMGET").with(keys::status(*id)).with(FIELDS)
    }

    /// Returns `None` if the status is dead or does not exist.
    fn parse(_: &StatusId, answer: Value) -> Result<Option<Self>> {
        let [
            uid,
            message,
            posted,
            deleted,
            delivered,
            favourite_count,
            reply_to,
            reply_count,
            gap_count,
            warning,
            poll,
            tally,
            edited,
            revision,
            repost_of,
            quote_of,
            repost_count,
            quote_count,
        ]: [Option<String>; 18] = read(answer)?;
        let number = |text: Option<String>| text.and_then(|text| text.parse::<u64>().ok());
        let (Some(uid), Some(posted), None) = (number(uid), number(posted), deleted) else {
            return Ok(None);
        };
        if message.is_none() && repost_of.is_none() {
            return Ok(None);
        }
        let (reply_to, repost_of) = (origin(reply_to)?, origin(repost_of)?);
        let quote_of = origin(quote_of)?;
        Ok(UserId::new(uid).ok().map(|author| Self {
            author,
            message: message.unwrap_or_default(),
            posted: UnixMs(posted),
            repost_of,
            quote_of,
            favourite_count: number(favourite_count).unwrap_or_default(),
            repost_count: number(repost_count).unwrap_or_default(),
            quote_count: number(quote_count).unwrap_or_default(),
            reply_to,
            reply_count: number(reply_count).unwrap_or_default(),
            gap_count: number(gap_count).unwrap_or_default(),
            delivered_to: number(delivered),
            warning,
            poll: poll.and_then(|poll| with_tally(&poll, tally.as_deref()).map(Box::new)),
            edited: number(edited).map(UnixMs),
            revision: number(revision).unwrap_or_default(),
            row_version: None,
        }))
    }

    fn bytes(&self) -> usize {
        let warning = self.warning.as_ref().map_or(0, String::len);
        let poll = self.poll.as_deref();
        let poll = poll.map_or(0, |both| size_of_val(both) + both.0.bytes());
        size_of::<Self>() + self.message.len() + warning + poll
    }

    fn set_version(&mut self, version: RowVersion) {
        self.row_version = Some(version);
    }
}

/// Parses a stored poll with the counts of its ballots.
pub(super) fn with_tally(poll: &str, tally: Option<&str>) -> Option<(Poll, Tally)> {
    let poll = Poll::stored(poll)?;
    let options = poll.options().len();
    let tally = tally.and_then(|tally| Tally::stored(tally, options));
    Some((poll, tally.unwrap_or_else(|| Tally::none(options))))
}
