//! Reads of statuses for the audit: the HASH, and the cardinalities that it counts.

use std::collections::HashMap;

use crate::{
    domain::{GroupId, Poll, Readers, ReplyControl, Thread},
    store::prelude::*,
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
    /// Actual cardinalities, in the same order.
    pub cardinalities: [u64; 5],
    pub reposts_another: bool,
    pub lacks_thread: bool,
    /// It is marked as a hidden reply, and is deleted or no reply.
    pub is_wrongly_hidden: bool,
    pub on_its_way: bool,
    pub has_poll: bool,
    /// Stored number of edits.
    pub revision: Option<String>,
    pub versions: u64,
    /// Bytes beyond the base that it counts as in the quota of its author.
    pub extra_bytes: Option<String>,
}

impl StoredStatus {
    /// Returns whether it has replies or gaps.
    pub fn has_replies(&self) -> bool {
        let [_, replies, gaps, ..] = self.cardinalities;
        replies + gaps > 0
    }
}

impl Store {
    /// Returns statuses as stored, `None` for missing ones. One round trip.
    pub async fn stored_statuses(&self, ids: &[StatusId]) -> Result<Vec<Option<StoredStatus>>> {
        let size = |key: String| redis::cmd("ZCARD").with(key);
        let questions = ids.iter().map(|id| {
            [
                redis::cmd("HGETALL").with(keys::status(*id)),
                redis::cmd("PTTL").with(keys::status(*id)),
                size(keys::favourited_by(*id)),
                size(keys::replies(*id)),
                size(keys::gaps(*id)),
                size(keys::reposted_by(*id)),
                size(keys::quotes(*id)),
                redis::cmd("LLEN").with(keys::versions(*id)),
            ]
        });
        type Answers = (HashMap<String, String>, i64, u64, u64, u64, u64, u64, u64);
        let answers: Vec<Answers> = self.connection.query_tuples(questions).await?;
        let status = |answers: Answers| {
            let (fields, ttl, favourites, replies, gaps, reposts, quotes, versions) = answers;
            let cardinalities = [favourites, replies, gaps, reposts, quotes];
            (ttl != -2).then(|| stored_status(&fields, ttl >= 0, cardinalities, versions))
        };
        Ok(answers.into_iter().map(status).collect())
    }
}

fn stored_status(
    fields: &HashMap<String, String>,
    expires: bool,
    cardinalities: [u64; 5],
    versions: u64,
) -> StoredStatus {
    const COUNTS: [&str; 5] = [
        "favourite_count",
        "reply_count",
        "gap_count",
        "repost_count",
        "quote_count",
    ];
    let has = |field: &str| fields.contains_key(field);
    let text = |field: &str| fields.get(field).cloned();
    let is_readable = |poll: &String| Poll::stored(poll).is_some();
    let has_thread = fields
        .get("thread")
        .is_some_and(|thread| thread.parse::<Thread>().is_ok());
    StoredStatus {
        stated_id: text("id"),
        author: fields.get("uid").and_then(|uid| uid.parse().ok()),
        is_whole: has("login")
            && has("posted")
            && (has("message") || has("repost_of"))
            && fields.get("poll").is_none_or(is_readable)
            && has_valid_group_and_readers(fields)
            && fields
                .get("reply_control")
                .is_none_or(|control| ReplyControl::parse(control).is_some())
            && fields
                .get("detached_from")
                .is_none_or(|quoted| !has("quote_of") && quoted.parse::<StatusRef>().is_ok()),
        deleted: has("deleted"),
        expires,
        counts: COUNTS.map(text),
        cardinalities,
        reposts_another: has("repost_of") || has("quote_of"),
        lacks_thread: has("reply_to") && !has_thread,
        is_wrongly_hidden: has("hidden") && (has("deleted") || !has_thread),
        on_its_way: has("delivered"),
        has_poll: has("poll"),
        revision: text("revision"),
        versions,
        extra_bytes: text("extra_bytes"),
    }
}

/// Returns whether the readers can be read and, if they are members of a group, belong to the group of the status.
fn has_valid_group_and_readers(fields: &HashMap<String, String>) -> bool {
    let group = fields.get("group").map(|group| group.parse::<GroupId>());
    let readers = fields
        .get("readers")
        .map(|readers| readers.parse::<Readers>());
    match (group.transpose(), readers.transpose()) {
        (Ok(group), Ok(readers)) => {
            let of_group = readers.and_then(Readers::of_group);
            of_group.is_none_or(|readers| group == Some(readers.group))
        }
        _ => false,
    }
}
