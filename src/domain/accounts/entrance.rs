//! Who can sign up.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::domain::ParseError;

/// The entrance of a site.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, derive_more::Display, clap::ValueEnum,
)]
#[serde(rename_all = "lowercase")]
#[display(rename_all = "lowercase")]
pub enum Entrance {
    /// Everybody can sign up.
    Open,
    /// Everybody can ask to join, and those who run the site let them in.
    Approval,
    /// People with an invitation can sign up.
    Invitation,
    /// No one can sign up.
    Closed,
}

impl Entrance {
    pub const ALL: [Self; 4] = [Self::Open, Self::Approval, Self::Invitation, Self::Closed];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Approval => "approval",
            Self::Invitation => "invitation",
            Self::Closed => "closed",
        }
    }
}

impl FromStr for Entrance {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let named = Self::ALL.into_iter().find(|each| each.as_str() == text);
        named.ok_or(ParseError)
    }
}

#[cfg(test)]
mod tests {
    use super::super::entrance::*;

    #[test]
    fn every_entrance_is_read_back() {
        for entrance in Entrance::ALL {
            assert_eq!(entrance.as_str().parse::<Entrance>().ok(), Some(entrance));
            assert_eq!(entrance.to_string(), entrance.as_str());
        }
        assert!("".parse::<Entrance>().is_err());
    }
}
