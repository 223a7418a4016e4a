//! Values that the store returns: people and statuses as a viewer may see them.

use std::sync::Arc;

use super::{cache::shared_rows::RowVersion, statuses::status_row::StatusRow};
use crate::domain::{
    Ballot, EditState, ListId, Login, Poll, StatusId, StatusRef, Tally, UnixMs, UserId,
};

/// The person who looks at a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    Anonymous,
    Member(UserId),
}

impl Viewer {
    /// Returns the member's id, or `None` for a visitor.
    #[must_use]
    pub fn id(self) -> Option<UserId> {
        match self {
            Self::Anonymous => None,
            Self::Member(id) => Some(id),
        }
    }
}

/// A person, stored in `user:{uid}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    pub login: Login,
    pub name: String,
    pub bio: String,
    pub signup: UnixMs,
    pub posts: u64,
    pub followers: u64,
    pub following: u64,
    /// `None` if it is not cached.
    pub row_version: Option<RowVersion>,
}

/// A living status that its viewer may see. Only `Store::visible` creates one.
#[derive(Debug, Clone)]
pub struct VisibleStatus {
    pub(super) id: StatusId,
    pub(super) author: Arc<User>,
    /// The part that is the same for every viewer.
    pub(super) row: Arc<StatusRow>,
    pub(super) own: bool,
    pub(super) viewer_marks: ViewerMarks,
    pub(super) answering: Option<ReplyTo>,
    /// The original of a repost or quote.
    pub(super) original: Option<Arc<VisibleStatus>>,
    /// Number of other people who repost the same original on this timeline.
    pub(super) others: usize,
}

/// The viewer's own marks on a status.
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

impl VisibleStatus {
    #[must_use]
    pub fn id(&self) -> StatusId {
        self.id
    }

    /// Returns the author.
    #[must_use]
    pub fn author(&self) -> &User {
        &self.author
    }

    /// Returns the text as it was typed. Escape it.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.row.message
    }

    #[must_use]
    pub fn posted(&self) -> UnixMs {
        self.row.posted
    }

    /// Returns the version of the part that is the same for every viewer. `None` if it is not cached.
    #[must_use]
    pub fn row_version(&self) -> Option<RowVersion> {
        self.row.row_version
    }

    /// Returns whether the status looks the same to every member except for its age: no mark or vote of
    /// the viewer, and no other status in it.
    #[must_use]
    pub fn is_common(&self) -> bool {
        let (row, marks) = (&self.row, &self.viewer_marks);
        let marked = self.own
            || marks.favourited_by_viewer
            || marks.bookmarked_by_viewer
            || marks.reposted_by_viewer;
        let others = row.repost_of.is_some() || row.quote_of.is_some() || row.reply_to.is_some();
        !marked && !others && row.poll.is_none() && row.edited.is_none()
    }

    /// Returns whether the viewer wrote it.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.own
    }

    /// Returns the number of favourites.
    #[must_use]
    pub fn favourite_count(&self) -> u64 {
        self.row.favourite_count
    }

    /// Returns the status that this one replies to, if any.
    #[must_use]
    pub fn reply_to(&self) -> Option<&ReplyTo> {
        self.answering.as_ref()
    }

    /// Returns the number of living replies.
    #[must_use]
    pub fn reply_count(&self) -> u64 {
        self.row.reply_count
    }

    /// Returns the number of replies, counting deleted replies that have replies of their own.
    #[must_use]
    pub fn reply_and_gap_count(&self) -> u64 {
        self.row.reply_count + self.row.gap_count
    }

    /// Returns whether the viewer favourited it.
    #[must_use]
    pub fn favourited_by_viewer(&self) -> bool {
        self.viewer_marks.favourited_by_viewer
    }

    /// Returns whether the viewer bookmarked it.
    #[must_use]
    pub fn bookmarked_by_viewer(&self) -> bool {
        self.viewer_marks.bookmarked_by_viewer
    }

    /// Returns whether the viewer reposts it without a comment.
    #[must_use]
    pub fn reposted_by_viewer(&self) -> bool {
        self.viewer_marks.reposted_by_viewer
    }

    /// Returns the number of reposts without a comment.
    #[must_use]
    pub fn repost_count(&self) -> u64 {
        self.row.repost_count
    }

    /// Returns the number of quotes.
    #[must_use]
    pub fn quote_count(&self) -> u64 {
        self.row.quote_count
    }

    /// Returns whether it is a repost without a comment.
    #[must_use]
    pub fn is_repost(&self) -> bool {
        self.row.repost_of.is_some()
    }

    /// Returns the status that a page shows and that buttons act on: the original of a repost, else
    /// itself.
    #[must_use]
    pub fn shown(&self) -> &Self {
        match &self.original {
            Some(original) if self.is_repost() => original,
            _ => self,
        }
    }

    /// Returns the quoted status.
    #[must_use]
    pub fn quoted(&self) -> Option<&Self> {
        self.original.as_deref().filter(|_| !self.is_repost())
    }

    /// Returns the number of other people who repost the same original on this timeline.
    #[must_use]
    pub fn other_reposter_count(&self) -> usize {
        self.others
    }

    /// Returns a reference to it, for a repost or quote.
    #[must_use]
    pub fn as_status_ref(&self) -> StatusRef {
        StatusRef {
            status: self.id,
            author: self.author.id,
        }
    }

    /// Returns the content warning that hides message and poll. Escape it.
    #[must_use]
    pub fn warning(&self) -> Option<&str> {
        self.row.warning.as_deref()
    }

    /// Returns the warning or else the message, for places that do not show the full text.
    #[must_use]
    pub fn opening(&self) -> &str {
        self.warning().unwrap_or_else(|| self.message())
    }

    /// Returns the poll with its current counts.
    #[must_use]
    pub fn poll(&self) -> Option<(&Poll, &Tally)> {
        let (poll, tally) = self.row.poll.as_deref()?;
        Some((poll, tally))
    }

    /// Returns the time at which the poll ends or ended.
    #[must_use]
    pub fn poll_ends(&self) -> Option<UnixMs> {
        let (poll, _) = self.poll()?;
        Some(UnixMs(self.row.posted.0.saturating_add(poll.term().ms())))
    }

    /// Returns the viewer's vote in the poll.
    #[must_use]
    pub fn ballot(&self) -> Option<Ballot> {
        self.viewer_marks.ballot
    }

    /// Returns the time of the last edit.
    #[must_use]
    pub fn edited(&self) -> Option<UnixMs> {
        self.row.edited
    }

    /// Returns the number of edits.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.row.revision
    }

    /// Returns whether the viewer may edit it at this time.
    #[must_use]
    pub fn is_editable(&self, now: UnixMs) -> bool {
        let open = now.0 < self.row.posted.0.saturating_add(EditState::OPEN_MS);
        self.own && open && self.row.revision < EditState::MAX
    }
}

/// One version of a status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    pub message: String,
    pub warning: Option<String>,
    /// Time from which this version was shown.
    pub since: UnixMs,
}

/// The viewer's relation to a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ViewerRelation {
    pub is_self: bool,
    pub following: bool,
    pub followed_by: bool,
}

/// A named list of people. Only its owner sees it.
#[derive(Debug, Clone)]
pub struct List {
    pub id: ListId,
    pub name: String,
    /// Whether posts by its members stay out of the owner's home.
    pub exclusive: bool,
    /// Number of members.
    pub members: u64,
}

/// One of the viewer's lists, and whether a person is a member.
#[derive(Debug, Clone)]
pub struct ListMembership {
    pub list: ListId,
    pub name: String,
    pub stands: bool,
}

/// A row in a list of people, with the viewer's relation to the person.
#[derive(Debug, Clone)]
pub struct Person {
    pub user: Arc<User>,
    pub relation: ViewerRelation,
}

/// Suggestions: people whom the viewer does not follow yet.
#[derive(Debug, Clone, Default)]
pub struct Suggestions {
    pub newest: Vec<Person>,
    pub most_followed: Vec<Person>,
}

/// One of a person's sessions, as the settings page lists it.
#[derive(Debug, Clone)]
pub struct SessionInfo {
    /// Digest of the cookie's value. It names the session and cannot be used to log in.
    pub digest: String,
    pub created: UnixMs,
    pub seen: UnixMs,
    pub agent: String,
}

/// Decision of a rate limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rate {
    Within,
    /// Over the limit, with the number of seconds until the next try is allowed.
    Over {
        retry_after_s: u64,
    },
}
