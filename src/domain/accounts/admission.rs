//! The reason why a new person may sign up.

use std::{fmt, str::FromStr};

use crate::domain::{ActingPerson, ParseError, SecretLink, UserId};

/// What admits a person, as their account stores it. An open entrance needs no admission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admission {
    /// An invitation, and its end (ms).
    Invitation(SecretLink, u64),
    /// The link that sets the site up. The person is the owner.
    SetUp,
    /// This person, or the host, let them in.
    Approval(ActingPerson),
}

impl Admission {
    pub fn inviter(&self) -> Option<UserId> {
        match self {
            Self::Invitation(link, _) => Some(link.user),
            Self::SetUp | Self::Approval(_) => None,
        }
    }
}

impl fmt::Display for Admission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invitation(link, end_ms) => write!(f, "invitation {link} {end_ms}"),
            Self::SetUp => f.write_str("setup"),
            Self::Approval(by) => write!(f, "approval {by}"),
        }
    }
}

impl FromStr for Admission {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text == "setup" {
            return Ok(Self::SetUp);
        }
        if let Some(by) = text.strip_prefix("approval ") {
            return by.parse().map(Self::Approval);
        }
        let rest = text.strip_prefix("invitation ").ok_or(ParseError)?;
        let (link, end_ms) = rest.split_once(' ').ok_or(ParseError)?;
        let link = SecretLink::parse(link).ok_or(ParseError)?;
        let end_ms = end_ms.parse().map_err(|_| ParseError)?;
        Ok(Self::Invitation(link, end_ms))
    }
}

#[cfg(test)]
mod tests {
    use super::super::admission::*;

    #[test]
    fn every_admission_is_read_back() {
        let inviter = UserId::new(7).expect("in range");
        let invitation = Admission::Invitation(SecretLink::draw(inviter), 1_790_000_000_000);
        let by = [ActingPerson::Host, ActingPerson::Person(inviter)];
        let approvals = by.map(Admission::Approval);
        for admission in [invitation, Admission::SetUp].into_iter().chain(approvals) {
            let text = admission.to_string();
            assert_eq!(text.parse::<Admission>().ok(), Some(admission));
        }
        for text in [
            "",
            "open",
            "invitation",
            "approval",
            "approval 0",
            "invitation 7-x 5",
            "invitation 7 5",
        ] {
            assert!(text.parse::<Admission>().is_err(), "{text}");
        }
    }
}
