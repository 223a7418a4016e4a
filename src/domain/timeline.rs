//! Where a status is delivered to: homes and lists, and the audiences that name them.

use std::{fmt, str::FromStr};

use super::{ListId, ParseIdError, UserId};

/// A timeline that is made of the statuses of several people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Timeline {
    Home(UserId),
    List(ListId),
}

impl Timeline {
    /// Whose timeline it is: nobody else sees it.
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

/// Who is served by a fan-out: a ZSET with unique scores whose members name timelines. One follows
/// the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Audience {
    /// The homes of an author's followers.
    Followers,
    /// The lists that an author stands in.
    Listed,
}

/// How far a fan-out has come: everything after this score (µs) of an audience, and the audiences
/// behind it, are still to be served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Reach {
    pub audience: Audience,
    pub after: u64,
}

impl Reach {
    pub const START: Self = Self {
        audience: Audience::Followers,
        after: 0,
    };

    /// The beginning of the next audience; `None` behind the last.
    #[must_use]
    pub fn next_audience(self) -> Option<Self> {
        match self.audience {
            Audience::Followers => Some(Self {
                audience: Audience::Listed,
                after: 0,
            }),
            Audience::Listed => None,
        }
    }
}

/// As a task's text has it: `5` or `listed 5`.
impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.audience {
            Audience::Followers => self.after.fmt(f),
            Audience::Listed => write!(f, "listed {}", self.after),
        }
    }
}
