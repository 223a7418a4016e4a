//! A reader's preference for an author: see more or less.

use std::{fmt, str::FromStr};

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
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum AuthorPreference {
    Less,
    #[default]
    Normal,
    More,
}

impl AuthorPreference {
    pub const ALL: [Self; 3] = [Self::More, Self::Normal, Self::Less];

    /// Returns the factor of a score, in halves.
    #[must_use]
    pub const fn halves(self) -> u64 {
        match self {
            Self::Less => 1,
            Self::Normal => 2,
            Self::More => 4,
        }
    }
}

impl fmt::Display for AuthorPreference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Less => "less",
            Self::Normal => "normal",
            Self::More => "more",
        })
    }
}

/// The text is not a preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an author preference")]
pub struct ParsePreferenceError;

impl FromStr for AuthorPreference {
    type Err = ParsePreferenceError;

    fn from_str(text: &str) -> Result<Self, ParsePreferenceError> {
        let named = Self::ALL.into_iter().find(|each| each.to_string() == text);
        named.ok_or(ParsePreferenceError)
    }
}

#[cfg(test)]
mod tests {
    use super::super::author_preference::*;

    #[test]
    fn a_preference_round_trips_and_other_text_is_refused() {
        for preference in AuthorPreference::ALL {
            assert_eq!(preference.to_string().parse(), Ok(preference));
        }
        for text in ["", "More", "much", "more "] {
            assert_eq!(
                text.parse::<AuthorPreference>(),
                Err(ParsePreferenceError),
                "{text:?}"
            );
        }
    }

    #[test]
    fn see_more_doubles_the_weight_and_see_less_halves_it() {
        let [more, normal, less] = AuthorPreference::ALL.map(AuthorPreference::halves);
        assert_eq!((more, less * 2), (2 * normal, normal));
    }
}
