//! A status as its viewer may see it: the facts that cards and pages show, and what the viewer may do with it.

use std::sync::Arc;

use super::{
    Group, access::mute_reason::MuteReason, cache::shared_rows::RowVersion, prelude::*,
    statuses::status_row::StatusRow,
};
use crate::domain::{Ballot, EditState, GroupId, Poll, Repliers, ReplyControl, Tally, Visibility};

/// A living status that its viewer may see. Only `Store::visible` creates one.
#[derive(Debug, Clone)]
pub struct VisibleStatus {
    pub(super) id: StatusId,
    pub(super) author: Arc<User>,
    /// The part that is the same for every viewer.
    pub(super) row: Arc<StatusRow>,
    pub(super) own: bool,
    /// Why timelines leave it out. A repost has the reason of its original, a quote that of the quoted text.
    pub(super) mute_reason: Option<MuteReason>,
    pub(super) is_conversation_muted: bool,
    pub(super) viewer_marks: ViewerMarks,
    pub(super) answering: Option<ReplyTo>,
    /// The original of a repost or quote.
    pub(super) original: Option<Original>,
    /// Number of other people who repost the same original on this timeline.
    pub(super) others: usize,
    /// Its visibility with that of its conversation.
    pub(super) visibility: Visibility,
    /// The author of its conversation, if only their followers see that.
    pub(super) followed: Option<UserId>,
    pub(super) may_repost: bool,
    pub(super) may_quote: bool,
    pub(super) may_reply: bool,
    /// Its group, if that still exists.
    pub(super) group: Option<Arc<Group>>,
    /// Its group does not let the viewer reply.
    pub(super) is_closed_by_group: bool,
    pub(super) reply_limit: Option<ReplyLimit>,
    pub(super) may_hide: bool,
    pub(super) may_detach: bool,
}

/// The rule that limits who can reply to a status.
#[derive(Debug, Clone)]
pub struct ReplyLimit {
    pub repliers: Repliers,
    /// The author of the rule. `None` if the viewer does not see the status that has it.
    pub author: Option<Arc<User>>,
    /// It is the rule of the first status of the conversation.
    pub is_of_conversation: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ViewerMarks {
    pub(super) favourited_by_viewer: bool,
    pub(super) bookmarked_by_viewer: bool,
    pub(super) reposted_by_viewer: bool,
    pub(super) ballot: Option<Ballot>,
}

/// The status that a reply refers to.
#[derive(Debug, Clone)]
pub enum ReplyTo {
    /// A living status and its author.
    Status(StatusId, Arc<User>),
    /// A deleted status. It names no author.
    Gap,
}

/// The status that a repost or quote refers to.
#[derive(Debug, Clone)]
pub enum Original {
    Status(Arc<VisibleStatus>),
    /// A deleted status, which only a quote can refer to. It names no author.
    Gap,
    /// Its author has removed it from the quote.
    Detached,
}

impl VisibleStatus {
    pub fn id(&self) -> StatusId {
        self.id
    }

    pub fn author(&self) -> &User {
        &self.author
    }

    /// Returns the text as it was typed. Escape it.
    pub fn message(&self) -> &str {
        &self.row.message
    }

    pub fn posted(&self) -> UnixMs {
        self.row.posted
    }

    /// Returns the version of the part that is the same for every viewer. `None` if it is not cached.
    pub fn row_version(&self) -> Option<RowVersion> {
        self.row.row_version
    }

    /// Returns whether the status looks the same to every member except for its age: no mark or vote of
    /// the viewer, no muted conversation, no private account, and no other status in it.
    pub fn is_common(&self) -> bool {
        let (row, marks) = (&self.row, &self.viewer_marks);
        let marked = self.own
            || self.author.is_private
            || self.is_conversation_muted
            || marks.favourited_by_viewer
            || marks.bookmarked_by_viewer
            || marks.reposted_by_viewer;
        let others = row.repost_of.is_some() || row.quote_of.is_some() || row.reply_to.is_some();
        let is_open = row.reply_control == ReplyControl::default() && !row.is_detached;
        !marked
            && !others
            && is_open
            && row.group.is_none()
            && row.poll.is_none()
            && row.edited.is_none()
    }

    /// Returns who may see it, with the limit that its conversation sets.
    pub fn visibility(&self) -> Visibility {
        self.visibility
    }

    /// Returns the visibility that its author chose, without the limit of its conversation.
    pub fn own_visibility(&self) -> Visibility {
        self.row.readers.visibility()
    }

    /// Returns the group that it was posted in, if the group still exists.
    pub fn group(&self) -> Option<&Group> {
        self.group.as_deref()
    }

    /// Returns the group that it was posted in, also one that is gone.
    pub fn group_id(&self) -> Option<GroupId> {
        self.row.group
    }

    /// Returns whether its group does not let the viewer reply.
    pub fn is_closed_by_group(&self) -> bool {
        self.is_closed_by_group
    }

    /// Returns whether the moderators of its group have removed it. Then the viewer is its author.
    pub fn is_removed_from_group(&self) -> bool {
        self.row.is_removed_from_group
    }

    /// Returns whether only the followers of another person see it: of the author of its conversation.
    pub fn is_for_followers_of_another(&self) -> bool {
        self.followed.is_some_and(|person| person != self.author.id)
    }

    /// Returns whether the viewer may repost it.
    pub fn may_repost(&self) -> bool {
        self.may_repost
    }

    /// Returns the widest visibility of a quote by the viewer. `None` if the viewer may not quote it.
    pub fn widest_quote(&self) -> Option<Visibility> {
        let widest = match self.may_repost {
            true => Visibility::Public,
            false => self.visibility,
        };
        self.may_quote.then_some(widest)
    }

    /// Returns whether its author does not let the viewer quote it, although everyone or all members see it.
    pub fn is_quoting_closed(&self) -> bool {
        self.row.reply_control.is_quoting_closed && !self.own
    }

    /// Returns the choices of its author about replies and quotes.
    pub fn reply_control(&self) -> ReplyControl {
        self.row.reply_control
    }

    pub fn may_reply(&self) -> bool {
        self.may_reply
    }

    /// Returns the rule that limits who can reply. `None` if everyone can.
    pub fn reply_limit(&self) -> Option<&ReplyLimit> {
        self.reply_limit.as_ref()
    }

    /// Returns whether the viewer may hide it in the conversation that they began.
    pub fn may_hide(&self) -> bool {
        self.may_hide
    }

    /// Returns whether the author of its conversation has hidden it.
    pub fn is_hidden(&self) -> bool {
        self.row.is_hidden
    }

    /// Returns whether the moderators have hidden it. Then the viewer is its author.
    pub fn is_hidden_by_moderators(&self) -> bool {
        self.row.is_hidden_by_moderators
    }

    /// Returns whether it waits for a moderator. Then the viewer is its author.
    pub fn is_waiting(&self) -> bool {
        self.row.is_waiting
    }

    /// Returns the first status of its conversation, if it is a reply.
    pub fn root(&self) -> Option<StatusId> {
        self.row.root
    }

    /// Returns whether the viewer may remove their own status from it.
    pub fn may_detach(&self) -> bool {
        self.may_detach
    }

    /// Returns whether its author has pinned it to their profile.
    pub fn is_pinned(&self) -> bool {
        self.author.pinned.contains(self.id)
    }

    pub fn is_own(&self) -> bool {
        self.own
    }

    /// Returns whether it is by the viewer and has a text of its own, unlike a repost.
    pub fn is_own_text(&self) -> bool {
        self.is_own() && !self.is_repost()
    }

    /// Returns whether timelines of the viewer leave it out.
    pub fn is_muted(&self) -> bool {
        self.mute_reason.is_some()
    }

    /// Returns why timelines of the viewer leave it out.
    pub fn mute_reason(&self) -> Option<&MuteReason> {
        self.mute_reason.as_ref()
    }

    /// Returns whether the viewer mutes its author.
    pub fn is_author_muted(&self) -> bool {
        self.mute_reason == Some(MuteReason::Author)
    }

    /// Returns the muted text that it contains.
    pub fn muted_text(&self) -> Option<&str> {
        match self.mute_reason.as_ref()? {
            MuteReason::Text(text) => Some(text),
            MuteReason::Author => None,
        }
    }

    /// Returns whether the viewer gets no notifications from its conversation.
    pub fn is_conversation_muted(&self) -> bool {
        self.is_conversation_muted
    }

    /// Returns the first status of its conversation.
    pub fn conversation(&self) -> StatusId {
        self.row.root.unwrap_or(self.id)
    }

    pub fn favourite_count(&self) -> u64 {
        self.row.favourite_count
    }

    pub fn reply_to(&self) -> Option<&ReplyTo> {
        self.answering.as_ref()
    }

    /// Returns the number of living replies.
    pub fn reply_count(&self) -> u64 {
        self.row.reply_count
    }

    /// Returns the number of replies, counting deleted replies that have replies of their own.
    pub fn reply_and_gap_count(&self) -> u64 {
        self.row.reply_count + self.row.gap_count
    }

    pub fn favourited_by_viewer(&self) -> bool {
        self.viewer_marks.favourited_by_viewer
    }

    pub fn bookmarked_by_viewer(&self) -> bool {
        self.viewer_marks.bookmarked_by_viewer
    }

    /// Returns whether the viewer reposts it without a comment.
    pub fn reposted_by_viewer(&self) -> bool {
        self.viewer_marks.reposted_by_viewer
    }

    /// Returns the number of reposts without a comment.
    pub fn repost_count(&self) -> u64 {
        self.row.repost_count
    }

    pub fn quote_count(&self) -> u64 {
        self.row.quote_count
    }

    pub fn is_repost(&self) -> bool {
        self.row.repost_of.is_some()
    }

    /// Returns the status that a page shows and that buttons act on: the original of a repost, else
    /// itself.
    pub fn shown(&self) -> &Self {
        match &self.original {
            Some(Original::Status(original)) if self.is_repost() => original,
            _ => self,
        }
    }

    pub fn quoted(&self) -> Option<&Original> {
        self.original.as_ref().filter(|_| !self.is_repost())
    }

    /// Returns the number of other people who repost the same original on this timeline.
    pub fn other_reposter_count(&self) -> usize {
        self.others
    }

    /// Returns a reference to it, for a repost or quote.
    pub fn as_status_ref(&self) -> StatusRef {
        StatusRef {
            status: self.id,
            author: self.author.id,
        }
    }

    /// Returns the content warning that hides message and poll: that of the moderators, or else of the author. Escape
    /// it.
    pub fn warning(&self) -> Option<&str> {
        self.moderators_warning().or(self.own_warning())
    }

    /// Returns the content warning of the moderators, which is shown instead of the author's. Escape it.
    pub fn moderators_warning(&self) -> Option<&str> {
        self.row.moderators_warning.as_deref()
    }

    /// Returns the content warning that the author has written. Escape it.
    pub fn own_warning(&self) -> Option<&str> {
        self.row.warning.as_deref()
    }

    /// Returns the warning or else the message, for places that do not show the full text.
    pub fn opening(&self) -> &str {
        self.warning().unwrap_or_else(|| self.message())
    }

    pub fn poll(&self) -> Option<(&Poll, &Tally)> {
        let (poll, tally) = self.row.poll.as_deref()?;
        Some((poll, tally))
    }

    pub fn poll_ends(&self) -> Option<UnixMs> {
        let (poll, _) = self.poll()?;
        Some(UnixMs(self.row.posted.0.saturating_add(poll.term().ms())))
    }

    pub fn ballot(&self) -> Option<Ballot> {
        self.viewer_marks.ballot
    }

    pub fn edited(&self) -> Option<UnixMs> {
        self.row.edited
    }

    pub fn revision(&self) -> u64 {
        self.row.revision
    }

    pub fn is_editable(&self, now: UnixMs) -> bool {
        let open = now.0 < self.row.posted.0.saturating_add(EditState::OPEN_MS);
        self.own && open && self.row.revision < EditState::MAX
    }
}
