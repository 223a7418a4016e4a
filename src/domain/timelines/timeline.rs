//! The targets of a delivery: homes and lists, and the audiences that name them.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::domain::{FoldedTag, ListId, ParseIdError, StatusHeader, UserId, ids::serde_as_text};

/// A timeline made of the statuses of several people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Timeline {
    Home(UserId),
    List(ListId),
}

impl Timeline {
    /// Returns its owner, who alone sees it.
    #[must_use]
    pub fn owner(self) -> UserId {
        match self {
            Self::Home(owner) => owner,
            Self::List(list) => list.owner,
        }
    }
}

impl fmt::Display for Timeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Home(owner) => owner.fmt(f),
            Self::List(list) => list.fmt(f),
        }
    }
}

impl FromStr for Timeline {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        if text.contains(':') {
            text.parse().map(Self::List)
        } else {
            text.parse().map(Self::Home)
        }
    }
}

serde_as_text!(Timeline);

/// A person or tag with statuses that come to a timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source<'a> {
    Person(UserId),
    Tag(&'a FoldedTag),
}

/// Formats for scripts.
impl fmt::Display for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person(id) => id.fmt(f),
            Self::Tag(tag) => tag.fmt(f),
        }
    }
}

/// An audience of a fan-out: a ZSET with unique scores and members that name timelines. Audiences are
/// served one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// The homes of an author's followers.
    Followers,
    /// The lists that the author is a member of.
    Listed,
    /// The homes of the followers of a tag, by its index in [`StatusHeader::tags_served`].
    Tag(u16),
}

impl Audience {
    /// Returns the timeline that a member names.
    #[must_use]
    pub fn timeline(self, member: &str) -> Option<Timeline> {
        match self {
            Self::Followers | Self::Tag(_) => member.parse().ok().map(Timeline::Home),
            Self::Listed => member.parse().ok().map(Timeline::List),
        }
    }
}

/// Progress of a fan-out: the rest of this audience after this score (µs), and all following audiences,
/// are still to be served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Reach {
    pub audience: Audience,
    pub after: u64,
}

impl Reach {
    pub const START: Self = Self {
        audience: Audience::Followers,
        after: 0,
    };

    /// Returns the start of the status's next audience. `None` after the last.
    #[must_use]
    pub fn next_audience(self, of: &StatusHeader) -> Option<Self> {
        let tag = match self.audience {
            Audience::Followers => {
                return Some(Self {
                    audience: Audience::Listed,
                    after: 0,
                });
            }
            Audience::Listed => 0,
            Audience::Tag(tag) => tag.saturating_add(1),
        };
        of.tags_served().nth(tag.into()).map(|_| Self {
            audience: Audience::Tag(tag),
            after: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::timeline::*;
    use crate::domain::{StatusId, StatusRef};

    fn audiences(of: &StatusHeader) -> Vec<Audience> {
        let first = Some(Reach::START);
        let all = std::iter::successors(first, |reach| reach.next_audience(of));
        all.inspect(|reach| assert_eq!(reach.after, 0))
            .map(|reach| reach.audience)
            .collect()
    }

    #[test]
    fn audiences_are_followers_then_lists_then_each_tag() {
        let author = UserId::new(7).expect("in range");
        let tag = |text| FoldedTag::stored(text).expect("a tag");
        let status = StatusHeader {
            tags: vec![tag("birds"), tag("cats")],
            untagged: vec![tag("dogs")],
            ..StatusHeader::of(author)
        };
        assert_eq!(
            audiences(&status),
            [
                Audience::Followers,
                Audience::Listed,
                Audience::Tag(0),
                Audience::Tag(1),
                Audience::Tag(2)
            ]
        );
        let answer = StatusHeader {
            reply_to: Some(StatusRef {
                status: StatusId::new(4096).expect("in range"),
                author,
            }),
            ..status
        };
        assert_eq!(audiences(&answer), [Audience::Followers, Audience::Listed]);
    }
}
