//! The tie of a person to a group, and the powers that follow from it.

use std::{fmt, str::FromStr};

use super::group::words;
use crate::domain::{ParseError, UnixMs, UserId};
use serde::{Deserialize, Serialize};

words! {
    /// The role of a member. A group has exactly one owner.
    GroupRole {
        Owner = "owner",
        Moderator = "moderator",
        Member = "member",
    }
}

words! {
    /// Where the posts of a group come to a member.
    Delivery {
        /// To the home, with a notification.
        Notified = "notified",
        Home = "home",
        /// The posts are only on the page of the group.
        Page = "page",
    }
}

/// The membership of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Membership {
    /// Time in µs.
    pub joined_us: u64,
    pub role: GroupRole,
    pub delivery: Delivery,
    /// The member cannot post before this time. 0: they can.
    pub muted_until: UnixMs,
}

/// The tie of a person to a group. The scripts return its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GroupTie {
    #[default]
    None,
    /// The person asked to join, at this time (µs).
    Asked {
        at_us: u64,
    },
    /// A moderator invited the person, at this time (µs).
    Invited {
        at_us: u64,
        by: UserId,
    },
    Banned,
    Member(Membership),
}

impl GroupTie {
    pub fn membership(self) -> Option<Membership> {
        match self {
            Self::Member(membership) => Some(membership),
            _ => None,
        }
    }

    pub fn role(self) -> Option<GroupRole> {
        self.membership().map(|membership| membership.role)
    }
}

/// An act in a group that not every member may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupPower {
    /// Answer requests, invite, remove and mute members, ban people, remove posts, and read the log.
    Moderate,
    /// Change the settings and the roles, hand the group over, and delete it.
    Own,
}

/// Returns whether a person with this role may use a power.
pub fn may_in_group(role: Option<GroupRole>, power: GroupPower) -> bool {
    match power {
        GroupPower::Moderate => matches!(role, Some(GroupRole::Owner | GroupRole::Moderator)),
        GroupPower::Own => role == Some(GroupRole::Owner),
    }
}

/// Returns whether a person with this role may use [`GroupPower::Moderate`] against a person with the role `other`.
/// Moderators may not act against each other, and no one may act against the owner.
pub fn may_act_on_member(role: Option<GroupRole>, other: Option<GroupRole>) -> bool {
    match other {
        Some(GroupRole::Owner) => false,
        Some(GroupRole::Moderator) => may_in_group(role, GroupPower::Own),
        Some(GroupRole::Member) | None => may_in_group(role, GroupPower::Moderate),
    }
}

impl fmt::Display for GroupTie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Asked { at_us } => write!(f, "asked {at_us}"),
            Self::Invited { at_us, by } => write!(f, "invited {at_us} {by}"),
            Self::Banned => f.write_str("banned"),
            Self::Member(Membership {
                joined_us,
                role,
                delivery,
                muted_until,
            }) => write!(f, "member {joined_us} {role} {delivery} {}", muted_until.0),
        }
    }
}

impl FromStr for GroupTie {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        fn number(text: &str) -> Result<u64, ParseError> {
            text.parse().map_err(|_| ParseError)
        }
        match text.split(' ').collect::<Vec<_>>()[..] {
            ["none"] => Ok(Self::None),
            ["banned"] => Ok(Self::Banned),
            ["asked", at] => Ok(Self::Asked { at_us: number(at)? }),
            ["invited", at, by] => Ok(Self::Invited {
                at_us: number(at)?,
                by: by.parse()?,
            }),
            ["member", joined, role, delivery, muted_until] => Ok(Self::Member(Membership {
                joined_us: number(joined)?,
                role: role.parse()?,
                delivery: delivery.parse()?,
                muted_until: UnixMs(number(muted_until)?),
            })),
            _ => Err(ParseError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::member::*;

    #[test]
    fn a_tie_is_read_back_whole_and_other_text_is_refused() {
        for text in [
            "none",
            "asked 5",
            "invited 5 7",
            "banned",
            "member 5 owner home 0",
        ] {
            let tie: GroupTie = text.parse().expect("a tie");
            assert_eq!(tie.to_string(), text);
        }
        for text in [
            "",
            "asked",
            "asked x",
            "invited 5",
            "member 5 king home 0",
            "banned 1",
        ] {
            assert_eq!(text.parse::<GroupTie>(), Err(ParseError), "{text:?}");
        }
    }

    #[test]
    fn moderators_act_on_members_and_only_the_owner_acts_on_moderators() {
        use GroupRole::{Member, Moderator, Owner};
        let roles = [Some(Owner), Some(Moderator), Some(Member), None];
        let row = |role| roles.map(|other| may_act_on_member(role, other));
        assert_eq!(row(Some(Owner)), [false, true, true, true]);
        assert_eq!(row(Some(Moderator)), [false, false, true, true]);
        assert_eq!(row(Some(Member)), [false; 4]);
        assert_eq!(row(None), [false; 4]);
    }
}
