//! The choices of an author: the people who can reply to a status, and whether others can quote it.

/// The people who can reply to a status besides its author.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Repliers {
    #[default]
    Everyone,
    /// The followers of the author.
    Followers,
    /// The people that the author follows.
    Followed,
    /// The people that the text mentions, without those who have a block with the author.
    Mentioned,
    NoOne,
}

impl Repliers {
    pub const ALL: [Self; 5] = [
        Self::Everyone,
        Self::Followers,
        Self::Followed,
        Self::Mentioned,
        Self::NoOne,
    ];

    /// Returns the choice as it is stored and as forms send it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Everyone => "everyone",
            Self::Followers => "followers",
            Self::Followed => "followed",
            Self::Mentioned => "mentioned",
            Self::NoOne => "nobody",
        }
    }

    /// Parses a stored choice, or that of a form.
    pub fn stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }

    /// Returns whether a person with this relation to the author can reply. The one rule of replies.
    pub fn include(self, replier: Replier) -> bool {
        let is_included = match self {
            Self::Everyone => true,
            Self::Followers => replier.follows_author,
            Self::Followed => replier.is_followed_by_author,
            Self::Mentioned => replier.is_mentioned,
            Self::NoOne => false,
        };
        replier.is_author || is_included
    }

    /// Returns whether follows or blocks between a person and the author decide.
    pub fn depend_on_relations(self) -> bool {
        !matches!(self, Self::Everyone | Self::NoOne)
    }
}

/// The relation of a person to a status and its author.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Replier {
    pub is_author: bool,
    pub follows_author: bool,
    pub is_followed_by_author: bool,
    pub is_mentioned: bool,
}

/// The choices of the author of a status about replies and quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ReplyControl {
    pub repliers: Repliers,
    /// Only the author can quote it.
    pub is_quoting_closed: bool,
}

/// A change of these choices. `None` keeps the stored one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplyControlChange {
    pub repliers: Option<Repliers>,
    pub is_quoting_closed: Option<bool>,
    /// The stored people that the change is based on. Without them, it also overwrites those that another device
    /// stored meanwhile.
    pub based_on: Option<Repliers>,
}

impl From<ReplyControl> for ReplyControlChange {
    fn from(control: ReplyControl) -> Self {
        Self {
            repliers: Some(control.repliers),
            is_quoting_closed: Some(control.is_quoting_closed),
            based_on: None,
        }
    }
}

impl ReplyControl {
    /// The narrowest choices.
    pub const CLOSED: Self = Self {
        repliers: Repliers::NoOne,
        is_quoting_closed: true,
    };

    /// The word after the people who can reply, if only the author can quote the status. A script has it too.
    const QUOTING_CLOSED: &str = "quoting_closed";

    /// Returns the stored text. A status that is open has none: ''.
    pub fn to_text(self) -> String {
        match self {
            Self {
                is_quoting_closed: true,
                ..
            } => {
                format!("{} {}", self.repliers.as_str(), Self::QUOTING_CLOSED)
            }
            Self {
                repliers: Repliers::Everyone,
                ..
            } => String::new(),
            Self { repliers, .. } => repliers.as_str().to_owned(),
        }
    }

    /// Returns the stored field with its name. A status that is open has none.
    pub fn field(self) -> Option<(&'static str, String)> {
        let text = self.to_text();
        (!text.is_empty()).then_some(("reply_control", text))
    }

    /// Parses the stored text. `None` if it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let (repliers, quoting) = text.split_once(' ').unwrap_or((text, ""));
        let control = Self {
            repliers: Repliers::stored(repliers)?,
            is_quoting_closed: quoting == Self::QUOTING_CLOSED,
        };
        (control.to_text() == text).then_some(control)
    }

    /// Parses the stored field. An unknown text closes replies and quotes.
    pub fn stored(field: Option<&str>) -> Self {
        field.map_or(Self::default(), |text| {
            Self::parse(text).unwrap_or(Self::CLOSED)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::reply_control::{Repliers::*, *};

    #[test]
    fn each_choice_includes_its_people_and_the_author() {
        let stranger = Replier::default();
        let follower = Replier {
            follows_author: true,
            ..stranger
        };
        let followed = Replier {
            is_followed_by_author: true,
            ..stranger
        };
        let mentioned = Replier {
            is_mentioned: true,
            ..stranger
        };
        let author = Replier {
            is_author: true,
            ..stranger
        };
        for (repliers, included) in [
            (Everyone, [true, true, true, true]),
            (Followers, [false, true, false, false]),
            (Followed, [false, false, true, false]),
            (Mentioned, [false, false, false, true]),
            (NoOne, [false, false, false, false]),
        ] {
            let people = [stranger, follower, followed, mentioned];
            assert_eq!(
                people.map(|person| repliers.include(person)),
                included,
                "{repliers:?}"
            );
            assert!(repliers.include(author), "{repliers:?}");
        }
    }

    #[test]
    fn a_control_round_trips_through_its_field() {
        for repliers in Repliers::ALL {
            for is_quoting_closed in [false, true] {
                let control = ReplyControl {
                    repliers,
                    is_quoting_closed,
                };
                let field = control.field().map(|(_, text)| text);
                assert_eq!(field.is_none(), control == ReplyControl::default());
                assert_eq!(ReplyControl::stored(field.as_deref()), control);
            }
        }
        for text in [
            "",
            "everyone",
            "friends",
            "nobody open",
            "nobody quoting_closed ",
        ] {
            assert_eq!(ReplyControl::parse(text), None, "{text}");
            let stored = ReplyControl::stored(Some(text));
            assert_eq!(stored.repliers, NoOne, "{text}");
            assert!(stored.is_quoting_closed, "{text}");
        }
    }
}
