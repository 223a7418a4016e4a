//! Reads of statuses for the audit: the HASH, and the cardinalities that it counts.

use crate::{
    domain::{Poll, StatusId, Thread, UserId},
    store::{
        Result, Store, keys,
        redis::{connection::read, scripts::With},
    },
};

/// A status as stored.
#[derive(Debug, Clone)]
pub struct StoredStatus {
    pub stated_id: Option<String>,
    pub author: Option<UserId>,
    pub is_whole: bool,
    pub deleted: bool,
    pub expires: bool,
    /// Stored counts: favourites, replies, gaps, reposts, quotes.
    pub counts: [Option<String>; 5],
    /// Actual cardinalities.
    pub cardinalities: [u64; 5],
    /// Whether it is a repost or quote.
    pub reposts_another: bool,
    /// Whether it is a reply without a thread.
    pub lacks_thread: bool,
    /// Whether a delivery is recorded.
    pub on_its_way: bool,
    pub has_poll: bool,
    /// Stored number of edits.
    pub revision: Option<String>,
    /// Number of earlier versions.
    pub versions: u64,
}

impl Store {
    /// Returns statuses as stored, `None` for missing ones. One round trip.
    pub async fn stored_statuses(&self, ids: &[StatusId]) -> Result<Vec<Option<StoredStatus>>> {
        const FIELDS: &[&str] = &[
            "id",
            "uid",
            "login",
            "message",
            "posted",
            "deleted",
            "favourite_count",
            "delivered",
            "reply_count",
            "gap_count",
            "reply_to",
            "thread",
            "poll",
            "revision",
            "repost_of",
            "quote_of",
            "repost_count",
            "quote_count",
        ];
        let questions = ids.iter().flat_map(|id| {
            [
                redis::cmd("HMGET").with(keys::status(*id)).with(FIELDS),
                redis::cmd("PTTL").with(keys::status(*id)),
                redis::cmd("ZCARD").with(keys::favourited_by(*id)),
                redis::cmd("ZCARD").with(keys::replies(*id)),
                redis::cmd("ZCARD").with(keys::gaps(*id)),
                redis::cmd("ZCARD").with(keys::reposted_by(*id)),
                redis::cmd("ZCARD").with(keys::quotes(*id)),
                redis::cmd("LLEN").with(keys::versions(*id)),
            ]
        });
        let answers = self.connection.batch(questions.collect()).await?;
        let mut answers = answers.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let mut records = Vec::with_capacity(ids.len());
        for _ in ids {
            let [
                id,
                uid,
                login,
                message,
                posted,
                deleted,
                favourites,
                delivered,
                replies,
                gaps,
                answers,
                thread,
                poll,
                revision,
                reposts,
                quotes,
                reposted,
                quoted,
            ]: [Option<String>; 18] = read(next())?;
            let ttl: i64 = read(next())?;
            let mut length = || read::<u64>(next());
            let cardinalities = [length()?, length()?, length()?, length()?, length()?];
            let versions = length()?;
            let says_something = message.is_some() || reposts.is_some();
            let thread = thread.and_then(|thread| thread.parse::<Thread>().ok());
            let readable = poll
                .as_deref()
                .is_none_or(|poll| Poll::stored(poll).is_some());
            records.push((ttl != -2).then(|| StoredStatus {
                stated_id: id,
                author: uid.and_then(|uid| uid.parse().ok()),
                is_whole: login.is_some() && says_something && posted.is_some() && readable,
                deleted: deleted.is_some(),
                expires: ttl >= 0,
                counts: [favourites, replies, gaps, reposted, quoted],
                cardinalities,
                reposts_another: reposts.is_some() || quotes.is_some(),
                lacks_thread: answers.is_some() && thread.is_none(),
                on_its_way: delivered.is_some(),
                has_poll: poll.is_some(),
                revision,
                versions,
            }));
        }
        Ok(records)
    }
}
