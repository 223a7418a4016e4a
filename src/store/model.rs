//! What the store gives out: people and statuses as a viewer may see them.

use std::sync::Arc;

use super::{
    cache::shown::{Halves, Shown},
    statuses::status_row::StatusRow,
};
use crate::domain::{Ballot, EditState, ListId, Login, Poll, StatusId, StatusRef, Tally, UserId};

/// Who looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    Anonymous,
    Member(UserId),
}

impl Viewer {
    /// The member's id, where the viewer is one.
    #[must_use]
    pub fn id(self) -> Option<UserId> {
        match self {
            Self::Anonymous => None,
            Self::Member(id) => Some(id),
        }
    }
}

/// Milliseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnixMs(pub u64);

impl UnixMs {
    /// The largest id of a status that can have been drawn by then.
    #[must_use]
    pub fn largest_id(self) -> u64 {
        let ms = self.0.saturating_sub(StatusId::EPOCH_MS);
        ((ms + 1) << StatusId::RANDOM_BITS) - 1
    }
}

/// A person, from `user:{uid}`.
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
    /// Their mark, and who they are, as a status shows them.
    pub shown_avatar: Shown,
    pub shown_byline: Shown,
    /// The beginning of their row in a list of people.
    pub shown_row: Shown,
}

/// A living status that its viewer may see. Only `store::visible` makes one.
#[derive(Debug, Clone)]
pub struct VisibleStatus {
    pub(super) id: StatusId,
    pub(super) author: Arc<User>,
    /// What is the same for every viewer.
    pub(super) row: Arc<StatusRow>,
    pub(super) own: bool,
    pub(super) viewer_marks: ViewerMarks,
    pub(super) answering: Option<ReplyTo>,
    /// What it reposts, with a comment or without.
    pub(super) original: Option<Arc<VisibleStatus>>,
    /// How many others repost the same on the timeline that it is read from.
    pub(super) others: usize,
}

/// What a viewer did about a status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ViewerMarks {
    pub(super) favourited_by_viewer: bool,
    pub(super) bookmarked_by_viewer: bool,
    pub(super) reposted_by_viewer: bool,
    pub(super) ballot: Option<Ballot>,
}

/// What a status answers.
#[derive(Debug, Clone)]
pub enum ReplyTo {
    /// That one, by that person.
    Status(StatusId, Arc<User>),
    /// One that was deleted: it names nobody.
    Gap,
}

impl VisibleStatus {
    #[must_use]
    pub fn id(&self) -> StatusId {
        self.id
    }

    /// Who wrote it.
    #[must_use]
    pub fn author(&self) -> &User {
        &self.author
    }

    /// The text as it was typed; escape it.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.row.message
    }

    #[must_use]
    pub fn posted(&self) -> UnixMs {
        self.row.posted
    }

    /// When it was written, as a page says it, up to its age.
    #[must_use]
    pub fn shown_time(&self) -> &Shown {
        &self.row.shown_time
    }

    /// The message, as a page says it.
    #[must_use]
    pub fn shown_message(&self) -> &Shown {
        &self.row.shown_message
    }

    /// Whether it looks the same to every member but for its age: nothing of it is theirs, and nothing
    /// but it and its author is shown of it.
    #[must_use]
    pub fn is_common(&self) -> bool {
        let (row, kept) = (&self.row, &self.viewer_marks);
        let theirs = self.own
            || kept.favourited_by_viewer
            || kept.bookmarked_by_viewer
            || kept.reposted_by_viewer;
        let others = row.repost_of.is_some() || row.quote_of.is_some() || row.reply_to.is_some();
        !theirs && !others && row.poll.is_none() && row.edited.is_none()
    }

    /// What pages show of it to members where it [is common](Self::is_common), before and behind its
    /// age. `make` makes it where nobody has yet; `None` where its author was called otherwise then.
    pub fn shown_card(&self, make: impl FnOnce() -> Halves) -> Option<Arc<Halves>> {
        self.row.shown_card.or_make(&self.author.name, make)
    }

    /// Did the viewer write it?
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.own
    }

    /// How many people favour it.
    #[must_use]
    pub fn favourite_count(&self) -> u64 {
        self.row.favourite_count
    }

    /// What it answers, if anything.
    #[must_use]
    pub fn reply_to(&self) -> Option<&ReplyTo> {
        self.answering.as_ref()
    }

    /// How many statuses answer it.
    #[must_use]
    pub fn reply_count(&self) -> u64 {
        self.row.reply_count
    }

    /// The same with those that were deleted and are answered themselves: all that stand below it.
    #[must_use]
    pub fn reply_and_gap_count(&self) -> u64 {
        self.row.reply_count + self.row.gap_count
    }

    /// Does the viewer favour it?
    #[must_use]
    pub fn favourited_by_viewer(&self) -> bool {
        self.viewer_marks.favourited_by_viewer
    }

    /// Did the viewer bookmark it?
    #[must_use]
    pub fn bookmarked_by_viewer(&self) -> bool {
        self.viewer_marks.bookmarked_by_viewer
    }

    /// Does the viewer repost it, without a word of their own?
    #[must_use]
    pub fn reposted_by_viewer(&self) -> bool {
        self.viewer_marks.reposted_by_viewer
    }

    /// How many people repost it without a word of their own.
    #[must_use]
    pub fn repost_count(&self) -> u64 {
        self.row.repost_count
    }

    /// How many statuses repost it with a comment.
    #[must_use]
    pub fn quote_count(&self) -> u64 {
        self.row.quote_count
    }

    /// Is it a repost without a word of its author's own?
    #[must_use]
    pub fn is_repost(&self) -> bool {
        self.row.repost_of.is_some()
    }

    /// What a page shows in its place, and what can be favoured or reposted: of a repost without a word
    /// of its author's own the original, else the status itself.
    #[must_use]
    pub fn shown(&self) -> &Self {
        match &self.original {
            Some(original) if self.is_repost() => original,
            _ => self,
        }
    }

    /// What it comments on.
    #[must_use]
    pub fn quoted(&self) -> Option<&Self> {
        self.original.as_deref().filter(|_| !self.is_repost())
    }

    /// How many others repost the same on the timeline that it was read from.
    #[must_use]
    pub fn other_reposter_count(&self) -> usize {
        self.others
    }

    /// What it is, for whoever reposts it.
    #[must_use]
    pub fn as_status_ref(&self) -> StatusRef {
        StatusRef {
            status: self.id,
            author: self.author.id,
        }
    }

    /// The line behind which its message and poll wait; escape it.
    #[must_use]
    pub fn warning(&self) -> Option<&str> {
        self.row.warning.as_deref()
    }

    /// What can be said of it where its text is not shown in full: the warning, or else the message.
    #[must_use]
    pub fn opening(&self) -> &str {
        self.warning().unwrap_or_else(|| self.message())
    }

    /// Its poll, and what the ballots come to so far.
    #[must_use]
    pub fn poll(&self) -> Option<(&Poll, &Tally)> {
        let (poll, tally) = self.row.poll.as_deref()?;
        Some((poll, tally))
    }

    /// When its poll ends, or has.
    #[must_use]
    pub fn poll_ends(&self) -> Option<UnixMs> {
        let (poll, _) = self.poll()?;
        Some(UnixMs(self.row.posted.0.saturating_add(poll.term().ms())))
    }

    /// How the viewer voted in its poll.
    #[must_use]
    pub fn ballot(&self) -> Option<Ballot> {
        self.viewer_marks.ballot
    }

    /// When its text was corrected last.
    #[must_use]
    pub fn edited(&self) -> Option<UnixMs> {
        self.row.edited
    }

    /// How often its text was corrected.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.row.revision
    }

    /// Whether the viewer may correct it at that time.
    #[must_use]
    pub fn is_editable(&self, now: UnixMs) -> bool {
        let open = now.0 < self.row.posted.0.saturating_add(EditState::OPEN_MS);
        self.own && open && self.row.revision < EditState::MAX
    }
}

/// What a status said at some time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    pub message: String,
    pub warning: Option<String>,
    /// When it began to say so.
    pub since: UnixMs,
}

/// How a viewer stands to a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Relation {
    pub is_self: bool,
    pub following: bool,
    pub followed_by: bool,
}

/// A named list of people, which its owner alone sees.
#[derive(Debug, Clone)]
pub struct List {
    pub id: ListId,
    pub name: String,
    /// Its members' posts stay out of the owner's home.
    pub exclusive: bool,
    /// How many people stand in it.
    pub members: u64,
}

/// One of a reader's lists, and whether a person stands in it.
#[derive(Debug, Clone)]
pub struct ListMembership {
    pub list: ListId,
    pub name: String,
    pub stands: bool,
}

/// A person in a list of people, and how the viewer stands to them.
#[derive(Debug, Clone)]
pub struct Person {
    pub user: Arc<User>,
    pub relation: Relation,
}

/// Whom to follow: people the viewer does not follow yet.
#[derive(Debug, Clone, Default)]
pub struct Suggestions {
    pub newest: Vec<Person>,
    pub most_followed: Vec<Person>,
}

/// One of a person's sessions, as the settings page lists it.
#[derive(Debug, Clone)]
pub struct SessionInfo {
    /// Digest of the cookie's value: names the session, opens nothing.
    pub digest: String,
    pub created: UnixMs,
    pub seen: UnixMs,
    pub agent: String,
}

/// The answer of a rate limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rate {
    Within,
    /// Over the limit: how many seconds until the next try is allowed.
    Over {
        retry_after_s: u64,
    },
}
