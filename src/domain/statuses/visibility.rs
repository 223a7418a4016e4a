//! The visibility of a status: the choice of its author, and the readers that result from it.

use std::{fmt, str::FromStr};

use crate::domain::{GroupId, ParseError, UnixMs, UserId};

/// What an author chooses for a status. The narrowest comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Visibility {
    /// The members of its group. It follows from the group and is no choice of a form.
    Group,
    Followers,
    /// Everyone who is logged in.
    Members,
    /// Everyone, without a log-in too.
    #[default]
    Public,
}

impl Visibility {
    /// The choices of an author, the widest first.
    pub const ALL: [Self; 3] = [Self::Public, Self::Members, Self::Followers];

    /// Returns the visibility as it is stored and as forms send it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Members => "members",
            Self::Followers => "followers",
            Self::Group => "group",
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
    /// The members of a group.
    MembersOf(GroupMembers),
}

/// The members of a group that may see a status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupMembers {
    pub group: GroupId,
    /// Only people who were members by this time. `None` if new members see the past.
    pub joined_by: Option<UnixMs>,
}

impl GroupMembers {
    /// Returns whether a member who joined at this time (µs) is among them.
    pub fn include(self, joined_us: u64) -> bool {
        self.joined_by
            .is_none_or(|until| joined_us / 1000 <= until.0)
    }
}

/// A relation of a viewer that the readers of a status must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequiredRelation {
    /// The viewer follows this person.
    Follow(UserId),
    Membership(GroupMembers),
}

impl Readers {
    /// Returns the readers of a status with this visibility. Followers are those of this person.
    pub fn of(visibility: Visibility, followed: UserId) -> Self {
        match visibility {
            Visibility::Public => Self::Everyone,
            Visibility::Members => Self::Members,
            Visibility::Followers | Visibility::Group => Self::FollowersOf(followed),
        }
    }

    /// Returns these readers without those who do not follow this person with a private account. The members of a
    /// group stay: the person has chosen them.
    #[must_use]
    pub fn narrowed(self, person: UserId) -> Self {
        match self {
            Self::Everyone | Self::Members => Self::FollowersOf(person),
            Self::FollowersOf(_) | Self::MembersOf(_) => self,
        }
    }

    pub fn visibility(self) -> Visibility {
        match self {
            Self::Everyone => Visibility::Public,
            Self::Members => Visibility::Members,
            Self::FollowersOf(_) => Visibility::Followers,
            Self::MembersOf(_) => Visibility::Group,
        }
    }

    /// Returns the relation that readers need. `None` if everyone or every member of the site is one.
    pub fn required(self) -> Option<RequiredRelation> {
        match self {
            Self::Everyone | Self::Members => None,
            Self::FollowersOf(person) => Some(RequiredRelation::Follow(person)),
            Self::MembersOf(group) => Some(RequiredRelation::Membership(group)),
        }
    }

    /// Returns the person that readers must follow, if only followers see the status.
    pub fn followed(self) -> Option<UserId> {
        match self {
            Self::FollowersOf(person) => Some(person),
            Self::Everyone | Self::Members | Self::MembersOf(_) => None,
        }
    }

    /// Returns the members of a group that readers must belong to, if it is for a group.
    pub fn of_group(self) -> Option<GroupMembers> {
        match self {
            Self::MembersOf(readers) => Some(readers),
            Self::Everyone | Self::Members | Self::FollowersOf(_) => None,
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
        match self {
            Self::Everyone | Self::Members => Ok(()),
            Self::FollowersOf(person) => write!(f, ":{person}"),
            Self::MembersOf(GroupMembers { group, joined_by }) => match joined_by {
                None => write!(f, ":{group}"),
                Some(until) => write!(f, ":{group}:{}", until.0),
            },
        }
    }
}

impl FromStr for Readers {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.split_once(':') {
            Some(("followers", person)) => person.parse().map(Self::FollowersOf),
            Some(("group", group)) => group.parse().map(Self::MembersOf),
            None if text == "members" => Ok(Self::Members),
            None if text == "public" => Ok(Self::Everyone),
            _ => Err(ParseError),
        }
    }
}

impl FromStr for GroupMembers {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (group, until) = text.split_once(':').unzip();
        let until = until.map(|until| match until.parse() {
            Ok(ms) if !until.starts_with(['+', '0']) => Ok(UnixMs(ms)),
            _ => Err(ParseError),
        });
        Ok(Self {
            group: group.unwrap_or(text).parse()?,
            joined_by: until.transpose()?,
        })
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
        assert_eq!(Followers.min(Visibility::Group), Visibility::Group);
        assert_eq!(Visibility::stored("group"), None);
        let shareable = Visibility::ALL.map(Visibility::is_shareable);
        assert_eq!(shareable, [true, true, false]);
    }

    #[test]
    fn readers_in_a_group_round_trip_through_text_and_include_those_who_had_joined() {
        let group: GroupId = "7".parse().expect("a group");
        for (text, joined_by) in [("group:7", None), ("group:7:5", Some(UnixMs(5)))] {
            let readers = GroupMembers { group, joined_by };
            assert_eq!(text.parse(), Ok(Readers::MembersOf(readers)));
            assert_eq!(Readers::MembersOf(readers).to_string(), text);
            let is_new = joined_by.is_none();
            assert_eq!([5_999, 6_000].map(|us| readers.include(us)), [true, is_new]);
        }
        let person = UserId::new(7).expect("in range");
        let readers: Readers = "group:7".parse().expect("readers");
        assert_eq!(readers.narrowed(person), readers);
        for text in [
            "group",
            "group:",
            "group:0",
            "group:7:",
            "group:7:0",
            "group:7:x",
            "group:7:5:6",
        ] {
            assert_eq!(text.parse::<Readers>(), Err(ParseError), "{text}");
        }
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
