//! The roles of the people who run a site, and the powers of each.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::domain::ParseError;

/// The role of a person. Most people have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, derive_more::Display)]
#[serde(rename_all = "lowercase")]
#[display(rename_all = "lowercase")]
pub enum Role {
    /// Runs the site.
    Owner,
    Moderator,
    /// Answers people who ask to join, vouches for newcomers, and has no other power.
    Welcomer,
}

impl Role {
    pub const ALL: [Self; 3] = [Self::Owner, Self::Moderator, Self::Welcomer];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Moderator => "moderator",
            Self::Welcomer => "welcomer",
        }
    }
}

impl FromStr for Role {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let named = Self::ALL.into_iter().find(|role| role.as_str() == text);
        named.ok_or(ParseError)
    }
}

/// An act that not everybody may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Power {
    /// Read the pages of the administration: the people and the log.
    ReadAdministration,
    /// Make any number of invitations, with an account of any age.
    InviteFreely,
    /// Change the name, the description, the contact, the rules and the entrance of the site.
    ChangeSite,
    /// Suspend people and end suspensions. [`may_act_on`] says which people.
    Suspend,
    /// Make a link that sets a new password of a person. [`may_act_on`] says of which people.
    MakeResetLink,
    /// Read reports, and decide about them and about appeals. [`may_act_on`] says about which people.
    Moderate,
    /// Let people in who ask to join, or refuse them.
    AnswerApplicants,
    /// Vouch for a newcomer, which ends the limits of a new account. An invitation by such a person vouches too.
    Vouch,
}

impl Power {
    pub const ALL: [Self; 8] = [
        Self::ReadAdministration,
        Self::InviteFreely,
        Self::ChangeSite,
        Self::Suspend,
        Self::MakeResetLink,
        Self::Moderate,
        Self::AnswerApplicants,
        Self::Vouch,
    ];
}

/// Returns whether a person with this role may use a power.
pub fn may(role: Option<Role>, power: Power) -> bool {
    match power {
        Power::ReadAdministration
        | Power::InviteFreely
        | Power::Suspend
        | Power::MakeResetLink
        | Power::Moderate => matches!(role, Some(Role::Owner | Role::Moderator)),
        Power::AnswerApplicants | Power::Vouch => role.is_some(),
        Power::ChangeSite => role == Some(Role::Owner),
    }
}

/// Returns whether a person with this role may use a power against a person with the role `other`. An owner may
/// use it against everybody except owners, a moderator only against people without that power. So no one may use it
/// against themselves.
pub fn may_act_on(role: Option<Role>, power: Power, other: Option<Role>) -> bool {
    let is_protected = match role {
        Some(Role::Owner) => other == Some(Role::Owner),
        _ => may(other, power),
    };
    may(role, power) && !is_protected
}

#[cfg(test)]
mod tests {
    use super::super::role::*;

    #[test]
    fn every_role_is_read_back() {
        for role in Role::ALL {
            assert_eq!(role.as_str().parse::<Role>().ok(), Some(role));
            assert_eq!(role.to_string(), role.as_str());
        }
        assert!("none".parse::<Role>().is_err());
    }

    #[test]
    fn each_role_has_exactly_its_powers() {
        let roles = [
            Some(Role::Owner),
            Some(Role::Moderator),
            Some(Role::Welcomer),
            None,
        ];
        let table = [
            (Power::ReadAdministration, [true, true, false, false]),
            (Power::InviteFreely, [true, true, false, false]),
            (Power::ChangeSite, [true, false, false, false]),
            (Power::Suspend, [true, true, false, false]),
            (Power::MakeResetLink, [true, true, false, false]),
            (Power::Moderate, [true, true, false, false]),
            (Power::AnswerApplicants, [true, true, true, false]),
            (Power::Vouch, [true, true, true, false]),
        ];
        assert_eq!(table.map(|(power, _)| power), Power::ALL);
        for (power, permitted) in table {
            assert_eq!(roles.map(|role| may(role, power)), permitted, "{power:?}");
        }
    }

    #[test]
    fn moderators_suspend_people_below_them_and_owners_all_but_owners() {
        let roles = [
            Some(Role::Owner),
            Some(Role::Moderator),
            Some(Role::Welcomer),
            None,
        ];
        let table = [
            [false, true, true, true],
            [false, false, true, true],
            [false, false, false, false],
            [false, false, false, false],
        ];
        for (role, permitted) in roles.into_iter().zip(table) {
            for power in [Power::Suspend, Power::Moderate] {
                let decided = roles.map(|other| may_act_on(role, power, other));
                assert_eq!(decided, permitted, "{role:?} {power:?}");
            }
        }
    }
}
