//! What one read of a status gives: the same for every viewer, and so kept for all of them. Who may
//! see it, [`Store::visible`](crate::store::Store::visible) decides.

use std::sync::Arc;

use redis::Value;

use super::origin;
use crate::{
    domain::{Poll, StatusId, StatusRef, Tally, UserId},
    store::{
        Key, Result, Shown, UnixMs,
        cache::{Row, shown::ShownHalves},
        keys,
        redis::{connection::read, scripts::With},
    },
};

/// Estimated bytes of markup around the message of a status.
const MARKUP_BYTES: usize = 1600;

/// A living status, the same for every viewer.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::store) struct StatusRow {
    pub(in crate::store) author: UserId,
    /// Nothing of a repost without a word of its author's own.
    pub(in crate::store) message: String,
    pub(in crate::store) posted: UnixMs,
    /// What it reposts without a comment, and with one.
    pub(in crate::store) repost_of: Option<StatusRef>,
    pub(in crate::store) quote_of: Option<StatusRef>,
    pub(in crate::store) favourite_count: u64,
    /// How many repost it without a comment, and with one.
    pub(in crate::store) repost_count: u64,
    pub(in crate::store) quote_count: u64,
    /// What it answers.
    pub(in crate::store) reply_to: Option<StatusRef>,
    /// How many answer it, and how many of the deleted that did are answered themselves.
    pub(in crate::store) reply_count: u64,
    pub(in crate::store) gap_count: u64,
    /// The score (µs) up to which followers have it, while passes deliver it.
    pub(in crate::store) delivered_to: Option<u64>,
    pub(in crate::store) warning: Option<String>,
    /// Boxed: few statuses have one, and all would take its room.
    pub(in crate::store) poll: Option<Box<(Poll, Tally)>>,
    /// When its text was corrected last, and how often it was.
    pub(in crate::store) edited: Option<UnixMs>,
    pub(in crate::store) revision: u64,
    pub(in crate::store) shown_time: Shown,
    pub(in crate::store) shown_message: Shown,
    pub(in crate::store) shown_card: ShownHalves,
}

impl Row for StatusRow {
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
            favourites,
            answers,
            replies,
            gaps,
            warning,
            poll,
            tally,
            edited,
            revision,
            reposts,
            quotes,
            reposted,
            quoted,
        ]: [Option<String>; 18] = read(answer)?;
        let number = |text: Option<String>| text.and_then(|text| text.parse::<u64>().ok());
        let (Some(uid), Some(posted), None) = (number(uid), number(posted), deleted) else {
            return Ok(None);
        };
        if message.is_none() && reposts.is_none() {
            return Ok(None);
        }
        let (answers, reposts, quotes) = (origin(answers)?, origin(reposts)?, origin(quotes)?);
        Ok(UserId::new(uid).ok().map(|author| Self {
            author,
            message: message.unwrap_or_default(),
            posted: UnixMs(posted),
            repost_of: reposts,
            quote_of: quotes,
            favourite_count: number(favourites).unwrap_or_default(),
            repost_count: number(reposted).unwrap_or_default(),
            quote_count: number(quoted).unwrap_or_default(),
            reply_to: answers,
            reply_count: number(replies).unwrap_or_default(),
            gap_count: number(gaps).unwrap_or_default(),
            delivered_to: number(delivered),
            warning,
            poll: poll.and_then(|poll| with_tally(&poll, tally.as_deref()).map(Box::new)),
            edited: number(edited).map(UnixMs),
            revision: number(revision).unwrap_or_default(),
            shown_time: Shown::default(),
            shown_message: Shown::default(),
            shown_card: ShownHalves::default(),
        }))
    }

    /// Counts the message three times: as typed, in a card, and as other viewers see it.
    fn bytes(&self) -> usize {
        let warning = self.warning.as_ref().map_or(0, String::len);
        let poll = self.poll.as_deref();
        let poll = poll.map_or(0, |both| size_of_val(both) + both.0.bytes());
        size_of::<Self>() + 3 * self.message.len() + warning + poll + MARKUP_BYTES
    }
}

/// Parses a stored poll with the counts of its ballots.
pub(super) fn with_tally(poll: &str, tally: Option<&str>) -> Option<(Poll, Tally)> {
    let poll = Poll::stored(poll)?;
    let options = poll.options().len();
    let tally = tally.and_then(|tally| Tally::stored(tally, options));
    Some((poll, tally.unwrap_or_else(|| Tally::none(options))))
}
