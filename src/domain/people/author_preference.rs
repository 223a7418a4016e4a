//! A reader's preference for an author: see more or less.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::domain::ParseError;

/// How much a reader wants to see of a followed person in the order by importance.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Serialize,
    Deserialize,
    derive_more::Display,
)]
#[serde(rename_all = "lowercase")]
#[display(rename_all = "lowercase")]
pub enum AuthorPreference {
    Less,
    #[default]
    Normal,
    More,
}

impl AuthorPreference {
    pub const ALL: [Self; 3] = [Self::More, Self::Normal, Self::Less];

    /// Returns the factor of a score, in halves.
    pub const fn halves(self) -> u64 {
        match self {
            Self::Less => 1,
            Self::Normal => 2,
            Self::More => 4,
        }
    }
}

impl FromStr for AuthorPreference {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let named = Self::ALL.into_iter().find(|each| each.to_string() == text);
        named.ok_or(ParseError)
    }
}

#[cfg(test)]
mod tests {
    use super::super::author_preference::*;

    #[test]
    fn see_more_doubles_the_weight_and_see_less_halves_it() {
        let [more, normal, less] = AuthorPreference::ALL.map(AuthorPreference::halves);
        assert_eq!((more, less * 2), (2 * normal, normal));
    }
}
