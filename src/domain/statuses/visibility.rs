//! The visibility of a status: the choice of its author, and the readers that result from it.

use std::{fmt, str::FromStr};

use crate::domain::{ParseError, UserId};

/// What an author chooses for a status. The narrowest comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Visibility {
    Followers,
    /// Everyone who is logged in.
    Members,
    /// Everyone, without a log-in too.
    #[default]
    Public,
}

impl Visibility {
    /// The widest first.
    pub const ALL: [Self; 3] = [Self::Public, Self::Members, Self::Followers];

    /// Returns the visibility as it is stored and as forms send it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Members => "members",
            Self::Followers => "followers",
        }
    }

    /// Parses a stored visibility, or that of a form.
    pub fn stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }

    /// Returns whether everyone who sees the status may show it to others, by a repost or a quote.
    pub fn is_shareable(self) -> bool {
        self > Self::Followers
    }
}

/// The people who may see a status besides its author.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Readers {
    #[default]
    Everyone,
    Members,
    /// The followers of this person: the author, or for a reply the author of the first status.
    FollowersOf(UserId),
}

impl Readers {
    /// Returns the readers of a status with this visibility. Followers are those of this person.
    pub fn of(visibility: Visibility, followed: UserId) -> Self {
        match visibility {
            Visibility::Public => Self::Everyone,
            Visibility::Members => Self::Members,
            Visibility::Followers => Self::FollowersOf(followed),
        }
    }

    /// Returns these readers without those who do not follow this person with a private account.
    #[must_use]
    pub fn narrowed(self, person: UserId) -> Self {
        match self {
            Self::Everyone | Self::Members => Self::FollowersOf(person),
            Self::FollowersOf(_) => self,
        }
    }

    pub fn visibility(self) -> Visibility {
        match self {
            Self::Everyone => Visibility::Public,
            Self::Members => Visibility::Members,
            Self::FollowersOf(_) => Visibility::Followers,
        }
    }

    /// Returns the person that readers must follow, if only followers see the status.
    pub fn followed(self) -> Option<UserId> {
        match self {
            Self::FollowersOf(person) => Some(person),
            Self::Everyone | Self::Members => None,
        }
    }

    /// Returns the stored field with its name. A status that everyone may see has none.
    pub fn field(self) -> Option<(&'static str, String)> {
        (self != Self::Everyone).then(|| ("readers", self.to_string()))
    }
}

/// Formats as stored.
impl fmt::Display for Readers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.visibility().as_str())?;
        match self.followed() {
            Some(person) => write!(f, ":{person}"),
            None => Ok(()),
        }
    }
}

impl FromStr for Readers {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.split_once(':') {
            Some(("followers", person)) => person.parse().map(Self::FollowersOf),
            None if text == "members" => Ok(Self::Members),
            None if text == "public" => Ok(Self::Everyone),
            _ => Err(ParseError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::visibility::*;

    #[test]
    fn the_narrower_visibility_is_the_smaller_one() {
        use Visibility::{Followers, Members, Public};
        assert_eq!(Public.min(Members), Members);
        assert_eq!(Members.min(Followers), Followers);
        let shareable = Visibility::ALL.map(Visibility::is_shareable);
        assert_eq!(shareable, [true, true, false]);
    }

    #[test]
    fn readers_round_trip_through_text() {
        let person = UserId::new(7).expect("in range");
        for (visibility, text) in [
            (Visibility::Public, "public"),
            (Visibility::Members, "members"),
            (Visibility::Followers, "followers:7"),
        ] {
            let readers = Readers::of(visibility, person);
            assert_eq!(readers.to_string(), text);
            assert_eq!(text.parse(), Ok(readers));
            assert_eq!(readers.visibility(), visibility);
        }
        for text in ["", "followers", "followers:0", "friends", "members:7"] {
            assert_eq!(text.parse::<Readers>(), Err(ParseError), "{text}");
        }
    }
}
