//! The cached row of a status or of its tombstone, which is the same for every viewer.
//! [`Store::visible`](crate::store::Store::visible) decides who may see it.

use super::{folded_texts::FoldedOnce, origin, readers, words};
use crate::{
    domain::{GroupId, Poll, Readers, Repliers, ReplyControl, Tally, Thread},
    store::{cache::shared_rows::RowVersion, prelude::*},
};

/// A living status, or the tombstone of a status, the same for every viewer.
#[derive(Debug, PartialEq, Eq)]
pub struct StatusRow {
    /// A tombstone has an author, readers and a reply control with the mentioned people, which decide about the replies
    /// below it, and nothing else.
    pub is_dead: bool,
    pub author: UserId,
    pub readers: Readers,
    /// The group that it was posted in.
    pub group: Option<GroupId>,
    /// The moderators of the group have removed it: only its author sees it.
    pub is_removed_from_group: bool,
    pub reply_control: ReplyControl,
    /// The mentioned people, if only they can reply. Boxed: few statuses have them.
    pub mentioned: Option<Box<[UserId]>>,
    /// The author of the first status of the conversation has hidden this reply.
    pub is_hidden: bool,
    /// The moderators have hidden it from everybody but its author.
    pub is_hidden_by_moderators: bool,
    /// It waits for a moderator: only its author sees it.
    pub is_waiting: bool,
    /// The first status of the conversation, for a reply.
    pub root: Option<StatusId>,
    /// The author of the first status. Replies from before private accounts do not name them.
    pub root_author: Option<UserId>,
    /// Empty for a repost without a comment.
    pub message: String,
    pub posted: UnixMs,
    /// The original of a repost without a comment, and of a quote.
    pub repost_of: Option<StatusRef>,
    pub quote_of: Option<StatusRef>,
    /// It quoted a status whose author has detached it.
    pub is_detached: bool,
    pub favourite_count: u64,
    pub repost_count: u64,
    pub quote_count: u64,
    pub reply_to: Option<StatusRef>,
    /// Number of living replies, and of deleted replies that have replies.
    pub reply_count: u64,
    pub gap_count: u64,
    /// Score (µs) up to which followers have it, while passes deliver it.
    pub delivered_to: Option<u64>,
    pub warning: Option<String>,
    /// The warning that the moderators have put before it. It is shown instead of the author's.
    pub moderators_warning: Option<String>,
    /// Boxed: few statuses have one, and all would take its room.
    pub poll: Option<Box<(Poll, Tally)>>,
    /// Time of the last edit, and number of edits.
    pub edited: Option<UnixMs>,
    pub revision: u64,
    pub row_version: Option<RowVersion>,
    pub folded: FoldedOnce,
}

impl CachedRow for StatusRow {
    type Question = StatusId;

    const SHARED: bool = true;

    fn key(id: &StatusId) -> Key {
        Key::Status(*id)
    }

    fn command(id: &StatusId) -> Cmd {
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
            "readers",
            "thread",
            "root_author",
            "reply_control",
            "mentioned",
            "hidden",
            "detached_from",
            "hidden_by_moderators",
            "moderators_warning",
            "group",
            "removed_from_group",
            "waiting",
        ];
        redis::cmd("HMGET").with((keys::status(*id), FIELDS))
    }

    /// Returns `None` if the status does not exist.
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
            stored_readers,
            thread,
            root_author,
            reply_control,
            mentioned,
            hidden,
            detached_from,
            hidden_by_moderators,
            moderators_warning,
            group,
            removed_from_group,
            waiting,
        ]: [Option<String>; 30] = read(answer)?;
        let number = |text: Option<String>| text.and_then(|text| text.parse::<u64>().ok());
        let Some(author) = number(uid).and_then(|uid| UserId::new(uid).ok()) else {
            return Ok(None);
        };
        let readers = readers(stored_readers, author);
        let group = number(group).and_then(|group| GroupId::new(group).ok());
        let reply_control = ReplyControl::stored(reply_control.as_deref());
        let is_for_mentioned = reply_control.repliers == Repliers::Mentioned;
        let mentioned =
            is_for_mentioned.then(|| words(mentioned, |id| id.parse().ok()).into_boxed_slice());
        if deleted.is_some() {
            return Ok(Some(Self {
                reply_control,
                mentioned,
                group,
                ..Self::tombstone(author, readers)
            }));
        }
        let Some(posted) = number(posted).filter(|_| message.is_some() || repost_of.is_some())
        else {
            return Ok(None);
        };
        let (reply_to, repost_of) = (origin(reply_to)?, origin(repost_of)?);
        let quote_of = origin(quote_of)?;
        let thread = thread.and_then(|thread| thread.parse::<Thread>().ok());
        Ok(Some(Self {
            is_dead: false,
            author,
            readers,
            group,
            is_removed_from_group: removed_from_group.is_some(),
            reply_control,
            mentioned,
            is_hidden: hidden.is_some() && reply_to.is_some(),
            is_hidden_by_moderators: hidden_by_moderators.is_some(),
            is_waiting: waiting.is_some(),
            root: thread
                .map(|thread| thread.root)
                .or(reply_to.map(|parent| parent.status)),
            root_author: number(root_author).and_then(|uid| UserId::new(uid).ok()),
            message: message.unwrap_or_default(),
            posted: UnixMs(posted),
            repost_of,
            quote_of,
            is_detached: detached_from.is_some(),
            favourite_count: number(favourite_count).unwrap_or_default(),
            repost_count: number(repost_count).unwrap_or_default(),
            quote_count: number(quote_count).unwrap_or_default(),
            reply_to,
            reply_count: number(reply_count).unwrap_or_default(),
            gap_count: number(gap_count).unwrap_or_default(),
            delivered_to: number(delivered),
            warning,
            moderators_warning,
            poll: poll.and_then(|poll| with_tally(&poll, tally.as_deref()).map(Box::new)),
            edited: number(edited).map(UnixMs),
            revision: number(revision).unwrap_or_default(),
            row_version: None,
            folded: FoldedOnce::default(),
        }))
    }

    fn bytes(&self) -> usize {
        let warnings = self.warning.iter().chain(&self.moderators_warning);
        let warning: usize = warnings.map(String::len).sum();
        let poll = self.poll.as_deref();
        let poll = poll.map_or(0, |both| size_of_val(both) + both.0.bytes());
        let mentioned = self.mentioned.as_deref().map_or(0, size_of_val);
        let folded = self.folded.bytes();
        size_of::<Self>() + self.message.len() + warning + poll + mentioned + folded
    }

    fn set_version(&mut self, version: RowVersion) {
        self.row_version = Some(version);
    }
}

impl StatusRow {
    fn tombstone(author: UserId, readers: Readers) -> Self {
        Self {
            is_dead: true,
            author,
            readers,
            group: None,
            is_removed_from_group: false,
            reply_control: ReplyControl::default(),
            mentioned: None,
            is_hidden: false,
            is_hidden_by_moderators: false,
            is_waiting: false,
            root: None,
            root_author: None,
            message: String::new(),
            posted: UnixMs(0),
            repost_of: None,
            quote_of: None,
            is_detached: false,
            favourite_count: 0,
            repost_count: 0,
            quote_count: 0,
            reply_to: None,
            reply_count: 0,
            gap_count: 0,
            delivered_to: None,
            warning: None,
            moderators_warning: None,
            poll: None,
            edited: None,
            revision: 0,
            row_version: None,
            folded: FoldedOnce::default(),
        }
    }
}

/// Parses a stored poll with the counts of its ballots.
pub(super) fn with_tally(poll: &str, tally: Option<&str>) -> Option<(Poll, Tally)> {
    let poll = Poll::stored(poll)?;
    let options = poll.options().len();
    let tally = tally.and_then(|tally| Tally::stored(tally, options));
    Some((poll, tally.unwrap_or_else(|| Tally::none(options))))
}
