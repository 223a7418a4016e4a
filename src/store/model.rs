//! Values that the store returns: people as a viewer may see them, lists, and sessions.

use std::sync::Arc;

use super::{cache::shared_rows::RowVersion, prelude::*};
use crate::domain::{
    AccountState, Correspondents, FormerLogins, PinnedPosts, Visibility, newcomer_until,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    Anonymous,
    Member(UserId),
}

impl Viewer {
    /// Returns the member's id, or `None` for a visitor.
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
    /// Only their followers see their posts, and following them is a request.
    pub is_private: bool,
    /// The moderators show what they write to their followers alone. Following them needs no request.
    pub is_limited: bool,
    /// Number of people who ask to follow them.
    pub requests: u64,
    /// The visibility that they chose for new posts. `None`: that of the last post.
    pub default_visibility: Option<Visibility>,
    pub last_visibility: Visibility,
    /// The people who may begin a chat with them alone, and one with several people.
    pub messages_from: Correspondents,
    pub group_messages_from: Correspondents,
    /// They show others which messages they have read, and see it of others who do.
    pub shows_read_marks: bool,
    pub state: AccountState,
    pub former_logins: FormerLogins,
    /// The posts that their profile shows first.
    pub pinned: PinnedPosts,
    /// Their profile shows their favourites to others.
    pub shows_favourites: bool,
    /// The time since which they are a newcomer. `None` after someone vouched, and for accounts without limits.
    pub newcomer_since: Option<UnixMs>,
    /// `None` if it is not cached.
    pub row_version: Option<RowVersion>,
}

impl User {
    /// Returns whether a login leads to them: their own, or one that they had within the last year.
    pub fn is_named(&self, login: &Login, now: UnixMs) -> bool {
        self.login.is_same(login) || self.former_logins.lead(login, now)
    }

    /// Returns whether a login is or was theirs.
    pub fn has_had(&self, login: &Login) -> bool {
        self.login.is_same(login) || self.former_logins.contains(login)
    }

    /// Returns the end of the limits of their new account, of so many days.
    pub fn newcomer_until(&self, days: u64, now: UnixMs) -> Option<UnixMs> {
        newcomer_until(self.newcomer_since, days, now)
    }

    /// Returns the visibility that their composer offers first.
    pub fn visibility(&self) -> Visibility {
        let chosen = self.default_visibility.unwrap_or(self.last_visibility);
        chosen.min(self.widest())
    }

    /// Returns whether only their followers see their posts: the account is private, or the moderators have limited it.
    pub fn is_for_followers(&self) -> bool {
        self.is_private || self.is_limited
    }

    /// Returns the widest visibility that they can post with.
    pub fn widest(&self) -> Visibility {
        match self.is_private {
            true => Visibility::Followers,
            false => Visibility::Public,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    pub message: String,
    pub warning: Option<String>,
    /// Time from which this version was shown.
    pub since: UnixMs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ViewerRelation {
    pub is_self: bool,
    /// The viewer asked to follow them, and they have not answered.
    pub requested: bool,
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
    pub members: u64,
}

/// One of the viewer's lists, and whether a person is a member.
#[derive(Debug, Clone)]
pub struct ListMembership {
    pub list: ListId,
    pub name: String,
    pub is_member: bool,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rate {
    Within,
    /// Over the limit, with the number of seconds until the next try is allowed.
    Over {
        retry_after_s: u64,
    },
    /// Over the lower limit of newcomers, which ends at this time.
    OverForNewcomer {
        retry_after_s: u64,
        until: UnixMs,
    },
}
